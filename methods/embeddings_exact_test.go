package methods_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

func embedding(t *testing.T, o methods.Options, p methods.Sample, seed uint64) *methods.Embedding {
	t.Helper()
	return fit(t, o, p, seed).(*methods.Embedding)
}

func inner(z *mat.Dense) *mat.Dense {
	var products mat.Dense
	products.Mul(z, z.T())
	return &products
}

// cubed is k_X(x)ᵀ K² k_X(y)/m³ for x, y at the rows of at: ⟨k_x, Σ_m³ k_y⟩.
// Centred, K and k_X are centred by the means over X.
func cubed(k kernel.Kernel, at, x *mat.Dense, centred bool) *mat.Dense {
	m, _ := x.Dims()
	gram, values := denseGram(k, x, x), denseGram(k, at, x)
	if centred {
		c := centring(m, "u")
		values.Apply(func(_, j int, v float64) float64 { return v - floats.Sum(gram.RawRowView(j))/float64(m) }, values)
		values.Mul(mat.DenseCopyOf(values), c)
		gram.Product(c, mat.DenseCopyOf(gram), c)
	}
	var half, want mat.Dense
	half.Mul(values, gram)
	want.Mul(&half, half.T())
	want.Scale(math.Pow(float64(m), -3), &want)
	return &want
}

// outside says how many of the products of images, averaged over fits, are more
// than 6 standard errors from what is wanted, and how many are compared.
func outside(want *mat.Dense, fits []*mat.Dense) (count, all int) {
	n, _ := want.Dims()
	for i := range n {
		for j := range i + 1 {
			mean, square := 0.0, 0.0
			for _, z := range fits {
				mean += z.At(i, j) / float64(len(fits))
			}
			for _, z := range fits {
				square += math.Pow(z.At(i, j)-mean, 2) / float64(len(fits)-1)
			}
			all++
			if math.Abs(mean-want.At(i, j)) > 6*math.Sqrt(square/float64(len(fits))) {
				count++
			}
		}
	}
	return count, all
}

// relativeScatter is the standard deviation of entry (i, i) over its mean.
func relativeScatter(fits []*mat.Dense, i int) float64 {
	values := make([]float64, len(fits))
	for f, z := range fits {
		values[f] = z.At(i, i)
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	return deviation / mean
}

// TestSketchAveragesToTheCube: over 600 sketches, ⟨z(x), z(y)⟩ averages to
// ⟨k_x, Σ_m³ k_y⟩. Means of 600 are normal enough for 6 standard errors to have a
// false-alarm rate below 1e-6 over all pairs; seeds are fixed. Images √2 too
// large must fail, on most pairs: a product scatters by about √(2/d) of its
// size, its mean of 600 by 0.03.
func TestSketchAveragesToTheCube(t *testing.T) {
	const m, d = 13, 4
	x, at := uniformPoints(1, m, 2), uniformPoints(2, 6, 2)
	k := kernel.NewGaussian(2)
	p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: m, D: d}}
	for _, sketch := range []string{"gaussian", "srht"} {
		for _, centred := range []bool{false, true} {
			want := cubed(k, at, x, centred)
			var fits, large []*mat.Dense
			for seed := range uint64(600) {
				e := embedding(t, &methods.KJLOptions{Subsample: "all", Sketch: sketch, Centered: centred}, p, 100+seed)
				products := inner(e.Eval(at))
				fits = append(fits, products)
				twice := mat.DenseCopyOf(products)
				twice.Scale(2, twice)
				large = append(large, twice)
			}
			if off, all := outside(want, fits); off > 0 {
				t.Errorf("%s, centred %v: %d of %d mean products are off", sketch, centred, off, all)
			}
			// Squared lengths scatter by √(2/d) of their size under a Gaussian sketch,
			// by less under one without replacement: 600 know it to 3 %. Without its
			// random signs, a Hadamard sketch of these positive vectors scatters by √3.
			if scatter := relativeScatter(fits, 0); !(scatter < 1.2*math.Sqrt(2./d)) {
				t.Errorf("%s, centred %v: squared lengths scatter by %.3g of their size", sketch, centred, scatter)
			}
			if off, all := outside(want, large); off < all/2 {
				t.Errorf("%s, centred %v: of images √2 too large only %d of %d mean products are off", sketch, centred, off, all)
			}
		}
	}
}

// TestWholeHadamardSketchIsTheCube: with all rows of the Hadamard matrix there
// is no chance left. Entries of size 1e-2 leave 1e-15.
func TestWholeHadamardSketchIsTheCube(t *testing.T) {
	x, at := uniformPoints(1, 13, 2), uniformPoints(2, 6, 2)
	k := kernel.NewGaussian(2)
	p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: 13, M: 13, D: 16}}
	for _, subsample := range []string{"all", "uniform"} {
		for _, centred := range []bool{false, true} {
			e := embedding(t, &methods.KJLOptions{Subsample: subsample, Sketch: "srht", Centered: centred}, p, 1)
			if want := cubed(k, at, x, centred); !mat.EqualApprox(inner(e.Eval(at)), want, 1e-14) {
				t.Errorf("%s, centred %v: products\n%v, want\n%v", subsample, centred, mat.Formatted(inner(e.Eval(at))), mat.Formatted(want))
			}
		}
	}
}

// TestSketchOfASubsampleIsThatOfItsPoints: on the first m of n points the map is
// that of a sample of these m, and without m that of all.
func TestSketchOfASubsampleIsThatOfItsPoints(t *testing.T) {
	x := uniformPoints(1, 40, 2)
	k := kernel.NewGaussian(2)
	on := func(subsample string, n, m int) *mat.Dense {
		p := methods.Sample{X: x.Slice(0, n, 0, 2).(*mat.Dense), Kernel: k, Sizes: methods.Sizes{N: n, M: m, D: 3}}
		return embedding(t, &methods.KJLOptions{Subsample: subsample, Sketch: "gaussian"}, p, 7).Eval(x)
	}
	part, whole := on("all", 15, 0), on("all", 40, 0)
	for name, pair := range map[string][2]*mat.Dense{
		"first 15 of 40":  {on("first", 40, 15), part},
		"all, whatever m": {on("all", 40, 15), whole},
		"uniform, no m":   {on("uniform", 40, 0), whole},
		"first 40 of 40":  {on("first", 40, 40), whole},
	} {
		if !mat.EqualApprox(pair[0], pair[1], 1e-15) {
			t.Errorf("%s is another map", name)
		}
	}
	if mat.EqualApprox(on("uniform", 40, 15), part, 1e-3) {
		t.Error("a uniform subsample is that of the first points")
	}
}

// squaredDistances are ‖z_i − z_j‖².
func squaredDistances(z *mat.Dense) *mat.Dense {
	n, _ := z.Dims()
	d := mat.NewDense(n, n, nil)
	d.Apply(func(i, j int, _ float64) float64 {
		return math.Pow(floats.Distance(z.RawRowView(i), z.RawRowView(j), 2), 2)
	}, d)
	return d
}

func distancesInH(k kernel.Kernel, x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	d := mat.NewDense(n, n, nil)
	d.Apply(func(i, j int, _ float64) float64 {
		a, b := x.RawRowView(i), x.RawRowView(j)
		return k.At(a, a) + k.At(b, b) - 2*k.At(a, b)
	}, d)
	return d
}

// TestAllLandmarksKeepAllDistances: with m = n, distances are those of H. K of these points is well conditioned.
func TestAllLandmarksKeepAllDistances(t *testing.T) {
	const n = 30
	x := uniformPoints(3, n, 3)
	k := kernel.Laplace{Sigma: 1}
	p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: n, M: n, D: n}}
	want := distancesInH(k, x)
	for name, o := range map[string]methods.Options{
		"full":   &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "full"},
		"rank n": &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "d"},
	} {
		if got := squaredDistances(embedding(t, o, p, 1).Eval(x)); !mat.EqualApprox(got, want, 1e-8) {
			t.Errorf("%s: distances are not those of H", name)
		}
	}
}

// TestTruncatedNystromIsAProjection: ⟨z(x), z(y)⟩ = k_m(x)ᵀ (K_mm)_(d)⁺ k_m(y),
// the pseudo-inverse of rank d by gonum's eigensolver.
func TestTruncatedNystromIsAProjection(t *testing.T) {
	const n, m, d = 50, 12, 5
	x := uniformPoints(4, n, 3)
	k := kernel.NewGaussian(2)
	p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: n, M: m, D: d}}
	e := embedding(t, &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: "d"}, p, 1)
	landmarks := x.Slice(0, m, 0, 3).(*mat.Dense)
	values, vectors := eigen(denseGram(k, landmarks, landmarks))
	scaled := mat.DenseCopyOf(vectors.Slice(0, m, 0, d))
	scaled.Apply(func(_, j int, v float64) float64 { return v / math.Sqrt(values[j]) }, scaled)
	var z mat.Dense
	z.Mul(denseGram(k, x, landmarks), scaled)
	if !mat.EqualApprox(inner(e.Eval(x)), inner(&z), 1e-10) {
		t.Error("inner products are not those of the projection")
	}
}

// TestKPCASubsampleByEigenvectors: distances of (Σ_j α_j k(x,X_j)) for the
// eigenvectors α of the centred kernel matrix, by gonum's eigensolver; images of
// the subsample have mean 0.
func TestKPCASubsampleByEigenvectors(t *testing.T) {
	const n, m, d = 50, 12, 4
	x := uniformPoints(5, n, 3)
	k := kernel.NewGaussian(2)
	p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: n, M: m, D: d}}
	subsample := x.Slice(0, m, 0, 3).(*mat.Dense)
	var centred mat.Dense
	centred.Product(centring(m, "u"), denseGram(k, subsample, subsample), centring(m, "u"))
	_, vectors := eigen(&centred)
	e := embedding(t, &methods.KPCASubsampleOptions{Subsample: "first"}, p, 1)
	var z mat.Dense
	z.Mul(denseGram(k, x, subsample), vectors.Slice(0, m, 0, d))
	if got := e.Eval(x); !mat.EqualApprox(squaredDistances(got), squaredDistances(&z), 1e-10) {
		t.Error("distances are not those of the paper's map")
	}
	for a := range d {
		if mean := floats.Sum(mat.Col(nil, a, e.Eval(subsample))) / m; math.Abs(mean) > 1e-14 {
			t.Errorf("the subsample's images have mean %g", mean)
		}
	}
}

// monomials are coordinates of (⟨x,y⟩ + 1)² in the plane.
func monomials(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	z := mat.NewDense(n, 6, nil)
	for i := range n {
		a, b := x.At(i, 0), x.At(i, 1)
		z.SetRow(i, []float64{1, math.Sqrt2 * a, math.Sqrt2 * b, a * a, math.Sqrt2 * a * b, b * b})
	}
	return z
}

func itself(x *mat.Dense) *mat.Dense { return x }

// lloydByLoops is k-means in coordinates from given labels until they settle,
// with the means and the cost.
func lloydByLoops(z *mat.Dense, labels []int, k int) ([]int, *mat.Dense, float64) {
	n, d := z.Dims()
	labels = slices.Clone(labels)
	for {
		means, count, cost, changed := mat.NewDense(k, d, nil), make([]float64, k), 0.0, false
		for i, label := range labels {
			floats.Add(means.RawRowView(label), z.RawRowView(i))
			count[label]++
		}
		for j := range k {
			floats.Scale(1/count[j], means.RawRowView(j))
		}
		for i := range n {
			label, distance := nearestRow(means, z.RawRowView(i))
			changed = changed || label != labels[i]
			labels[i] = label
			cost += distance
		}
		if !changed {
			return labels, means, cost
		}
	}
}

func nearestRow(means *mat.Dense, z []float64) (int, float64) {
	label, least := 0, math.Inf(1)
	k, _ := means.Dims()
	for j := range k {
		if d := math.Pow(floats.Distance(means.RawRowView(j), z, 2), 2); d < least {
			label, least = j, d
		}
	}
	return label, least
}

// TestKernelKMeansInCoordinates: where H has coordinates, the clusters of exact
// kernel k-means are a fixed point of k-means there, and other points go to the
// nearest mean at its distance; so it is with the Nyström embedding on landmarks
// that span H.
func TestKernelKMeansInCoordinates(t *testing.T) {
	x, others := clouds(6, 200), clouds(7, 40)
	n, _ := x.Dims()
	settled := methods.DefaultKMeans()
	settled.Tol = 0
	exact := &methods.KernelKMeansOptions{LloydOptions: settled.LloydOptions}
	for name, tt := range map[string]struct {
		kernel      kernel.Kernel
		coordinates func(*mat.Dense) *mat.Dense
		o           methods.Options
	}{
		"linear":              {kernel.Polynomial{Degree: 1, Gamma: 1}, itself, exact},
		"quadratic":           {kernel.Polynomial{Degree: 2, Gamma: 1, Offset: 1}, monomials, exact},
		"quadratic, nystrom":  {kernel.Polynomial{Degree: 2, Gamma: 1, Offset: 1}, monomials, &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "full", Clustered: methods.Clustered{KMeans: &settled}}},
		"quadratic, rank six": {kernel.Polynomial{Degree: 2, Gamma: 1, Offset: 1}, monomials, &methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "d", Clustered: methods.Clustered{KMeans: &settled}}},
	} {
		p := methods.Sample{X: x, Kernel: tt.kernel, Sizes: methods.Sizes{N: n, M: n / 2, D: 6, K: 3}}
		c := fit(t, tt.o, p, 3).(*methods.Clustering)
		labels, means, cost := lloydByLoops(tt.coordinates(x), c.Labels, 3)
		_, squared, err := c.Assign(t.Context(), x)
		if err != nil || !slices.Equal(labels, c.Labels) {
			t.Errorf("%s: %d labels move (%v)", name, differing(labels, c.Labels), err)
		}
		if got := floats.Sum(squared); !(math.Abs(got-cost) <= 1e-8*cost) {
			t.Errorf("%s: cost %.12g, in coordinates %.12g", name, got, cost)
		}
		to, squared, err := c.Assign(t.Context(), others)
		if err != nil {
			t.Fatal(err)
		}
		z := tt.coordinates(others)
		for i := range to {
			if label, want := nearestRow(means, z.RawRowView(i)); to[i] != label || !(math.Abs(squared[i]-want) <= 1e-8*(1+want)) {
				t.Errorf("%s: point %d goes to %d at %.12g, in coordinates to %d at %.12g", name, i, to[i], squared[i], label, want)
			}
		}
	}
}

// TestLinearKernelKMeansIsKMeans: from greedy seeds and several starts both find
// the three clouds apart.
func TestLinearKernelKMeansIsKMeans(t *testing.T) {
	x := clouds(8, 150)
	x.Apply(func(i, c int, v float64) float64 { return v + float64(6*(i%3)*(1-c)) }, x)
	o := methods.DefaultKMeans()
	o.Init, o.Restarts = "greedy-plus-plus", 3
	p := methods.Sample{X: x, Kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, Sizes: methods.Sizes{N: 150, K: 3}}
	plain := fit(t, &o, p, 1).(*methods.Clustering)
	inH := fit(t, &methods.KernelKMeansOptions{LloydOptions: o.LloydOptions}, p, 2).(*methods.Clustering)
	for i := range 150 {
		if first := i % 3; plain.Labels[i] != plain.Labels[first] || inH.Labels[i] != inH.Labels[first] {
			t.Errorf("point %d of cloud %d has the labels %d and %d, point %d %d and %d", i, first, plain.Labels[i], inH.Labels[i], first, plain.Labels[first], inH.Labels[first])
		}
	}
	_, one, err := plain.Assign(t.Context(), x)
	_, other, errH := inH.Assign(t.Context(), x)
	if err != nil || errH != nil || !floats.EqualApprox(one, other, 1e-10) {
		t.Errorf("squared distances differ (%v, %v)", err, errH)
	}
}

func differing(a, b []int) int {
	count := 0
	for i := range a {
		if a[i] != b[i] {
			count++
		}
	}
	return count
}

// clouds are n points of the plane in three clouds that touch.
func clouds(seed uint64, n int) *mat.Dense {
	rng, x := newRand(seed), mat.NewDense(n, 2, nil)
	for i := range n {
		angle := 2 * math.Pi * float64(i%3) / 3
		x.SetRow(i, []float64{1.5*math.Cos(angle) + 0.7*rng.NormFloat64(), 1.5*math.Sin(angle) + 0.7*rng.NormFloat64()})
	}
	return x
}

func clustered() methods.Clustered {
	o := methods.DefaultKMeans()
	return methods.Clustered{KMeans: &o}
}

// TestTraits: shapes, sizes and the shared Gram follow the options.
func TestTraits(t *testing.T) {
	for name, tt := range map[string]struct {
		options methods.Options
		shape   string
		uses    string
		gram    bool
	}{
		"kjl":           {&methods.KJLOptions{Sketch: "gaussian", Subsample: "uniform"}, methods.ShapeGaussian, "[n m d]", false},
		"kjl srht":      {&methods.KJLOptions{Sketch: "srht"}, methods.ShapeSketch, "[n m d]", false},
		"kjl all":       {&methods.KJLOptions{Sketch: "gaussian", Subsample: "all"}, methods.ShapeGaussian, "[n d]", true},
		"kjl centred":   {&methods.KJLOptions{Centered: true}, methods.ShapeEmbedding, "[n m d]", false},
		"kjl clustered": {&methods.KJLOptions{Clustered: clustered()}, methods.ShapeClustering, "[n m d k]", false},
		"kpca-subsample all": {&methods.KPCASubsampleOptions{Subsample: "all", Clustered: clustered()},
			methods.ShapeClustering, "[n d k]", true},
		"nystrom-embedding":       {&methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "d"}, methods.ShapeEmbedding, "[n m d]", false},
		"nystrom-embedding full":  {&methods.NystromEmbeddingOptions{Landmarks: landmark.By("uniform"), Rank: "full", Clustered: clustered()}, methods.ShapeClustering, "[n m k]", false},
		"rff-embedding":           {&methods.RFFEmbeddingOptions{Features: "fourier"}, methods.ShapeEmbedding, "[n m]", false},
		"rff-embedding clustered": {&methods.RFFEmbeddingOptions{Features: "fourier", Clustered: clustered()}, methods.ShapeClustering, "[n m k]", false},
	} {
		if traits := tt.options.Traits(); traits.Shape != tt.shape || fmt.Sprint(traits.Uses) != tt.uses || traits.Gram != tt.gram {
			t.Errorf("%s: %s, uses %v, gram %v; want %s, %s, %v", name, traits.Shape, traits.Uses, traits.Gram, tt.shape, tt.uses, tt.gram)
		}
		if c := costOf(tt.options, methods.Sizes{N: 1000, M: 50, D: 5, K: 3}, 7); !(c.Flops > 1e4 && c.Flops < 1e9 && c.Bytes > 1e3 && c.Bytes < 1e9) {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
