package metrics

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

var residualNames = []string{"nystrom_residual", "trace_residual", "effective_dimension"}

// residualByMatrices is K − K_nm K_mm⁺ K_mn for landmarks, by eigenvectors of
// K_mm, with its largest eigenvalue and its trace norm over n, and d_eff(γ) by an inverse.
func residualByMatrices(k kernel.Kernel, x, landmarks *mat.Dense) (largest, sum float64, deff func(gamma float64) float64) {
	n, _ := x.Dims()
	knm, kmm, all := kernel.Cross(k, x, landmarks), kernel.Gram(k, landmarks), kernel.Gram(k, x)
	values, vectors := eigen(kmm)
	inverse := mat.NewDense(len(values), len(values), nil)
	for i, v := range values {
		if v > 1e-13*values[0] {
			inverse.Set(i, i, 1/v)
		}
	}
	projected := product(knm, vectors, inverse, vectors.T(), knm.T())
	rest := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			rest.SetSym(i, j, all.At(i, j)-(projected.At(i, j)+projected.At(j, i))/2)
		}
	}
	left, _ := eigen(rest)
	for _, v := range left {
		sum += math.Abs(v) / float64(n)
	}
	return left[0] / float64(n), sum, func(gamma float64) float64 {
		regular := mat.DenseCopyOf(all)
		for i := range n {
			regular.Set(i, i, regular.At(i, i)+gamma)
		}
		var inverse mat.Dense
		if err := inverse.Inverse(regular); err != nil {
			panic(err)
		}
		return mat.Trace(product(all, &inverse))
	}
}

// A subspace of H, an embedding of full rank and a clustering on the same
// landmarks span the same space. 1e-9: eigenvalues of 1e-13 of K_mm are cut, and
// inverted below the root of that.
func TestResidualIsItsDefinition(t *testing.T) {
	truth := classed(t)
	truth.X = mat.DenseCopyOf(truth.X.Slice(0, 80, 0, 3))
	block := methods.Clustered{KMeans: defaultKMeans()}
	first := landmark.By("first")
	want, sum, deff := residualByMatrices(truth.Kernel, truth.X, mat.DenseCopyOf(truth.X.Slice(0, 12, 0, 3)))
	mean := 0.0 // tr K/n
	for i := range 80 {
		mean += truth.Kernel.At(truth.X.RawRowView(i), truth.X.RawRowView(i)) / 80
	}
	for name, o := range map[string]methods.Options{
		"subspace":   &methods.NystromOptions{Landmarks: first, Center: "u"},
		"embedding":  &methods.NystromEmbeddingOptions{Landmarks: first, Rank: "full"},
		"clustering": &methods.NystromEmbeddingOptions{Landmarks: first, Rank: "full", Clustered: block},
	} {
		method, err := o.Method()
		if err != nil {
			t.Fatal(err)
		}
		p := methods.Sample{X: truth.X, Kernel: truth.Kernel, Sizes: methods.Sizes{N: 80, M: 12, K: 3, Ell: 2}}
		model, err := method.Fit(t.Context(), p, newRand(5))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Evaluate(t.Context(), truth.Truth, model, []int{2}, residualNames)
		if err != nil {
			t.Fatal(err)
		}
		for metric, want := range map[string]float64{
			"nystrom_residual": want, "effective_dimension": deff(80. / 12), "effective_dimension_level": 1. / 12,
			"trace_residual": sum / mean, "trace_residual_mean": sum,
		} {
			if v, ok := got[0][metric]; !ok || !(math.Abs(v-want) <= 1e-9) {
				t.Errorf("%s: %s is %v, want %v", name, metric, v, want)
			}
		}
	}
}

// The events "γ-preserving" and "n·residual ≤ γε/(1−ε)" are the same: Definition 2
// is checked as it stands, by the least eigenvalue of γ/(1−ε)·(S+γ)⁻¹ − (Π_n − Π_m)
// in coordinates of H_n, on random landmarks and at γ and ε on both sides of the
// edge; 1e-10 apart from it rounding decides.
func TestGammaPreservingIsABoundOnTheResidual(t *testing.T) {
	const n = 12
	rng := newRand(21)
	k := kernel.NewGaussian(0.5)
	seen := map[bool]int{}
	for range 40 {
		x := points(n, 2, rng.NormFloat64)
		m := 1 + rng.IntN(n-1)
		s, err := spanOf(k, mat.DenseCopyOf(x.Slice(0, m, 0, 2)), x)
		if err != nil {
			t.Fatal(err)
		}
		e := evaluation{Truth: Truth{X: x, Kernel: k}, ctx: t.Context(), shared: map[sharedKey]any{}}
		e.shared[sharedKey{"span", 0}] = e.newApproximation(s, true)
		into := map[string]float64{}
		if err := nystromResidual(&e, 0, into); err != nil {
			t.Fatal(err)
		}
		edge := n * into["nystrom_residual"]
		values, vectors := eigen(kernel.Gram(k, x))
		root, reciprocal := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i, v := range values {
			root.Set(i, i, math.Sqrt(v))
			reciprocal.Set(i, i, 1/math.Sqrt(v))
		}
		// Columns φ_i in an orthonormal basis of H_n, and those of landmarks.
		phi := product(root, vectors.T())
		basis := mat.DenseCopyOf(phi.Slice(0, n, 0, m))
		var qr mat.QR
		qr.Factorize(basis)
		var q mat.Dense
		qr.QTo(&q)
		orthonormal := q.Slice(0, n, 0, m)
		outside := mat.NewDense(n, n, nil)
		for i := range n {
			outside.Set(i, i, 1)
		}
		outside.Sub(outside, product(orthonormal, orthonormal.T()))
		for _, epsilon := range []float64{0.1, 0.5, 0.9} {
			for _, factor := range []float64{0.3, 0.999, 1.001, 4} {
				gamma := factor * edge * (1 - epsilon) / epsilon
				difference := mat.NewSymDense(n, nil)
				for i := range n {
					for j := i; j < n; j++ {
						v := -outside.At(i, j)
						if i == j {
							v += gamma / (1 - epsilon) / (values[i] + gamma)
						}
						difference.SetSym(i, j, v)
					}
				}
				least, _ := eigen(difference)
				preserving := least[n-1] >= 0
				seen[preserving]++
				if preserving != (edge <= gamma*epsilon/(1-epsilon)) {
					t.Errorf("m = %d, ε = %v, γ = %v: γ-preserving is %v, n·residual %v, edge %v", m, epsilon, gamma, preserving, edge, gamma*epsilon/(1-epsilon))
				}
			}
		}
	}
	if seen[true] < 100 || seen[false] < 100 {
		t.Errorf("too few of one kind: %v", seen)
	}
}

// Above maxStored points the kernel matrix is streamed: the operator is the same.
func TestStreamedResidual(t *testing.T) {
	x, k := points(300, 2, newRand(22).NormFloat64), kernel.NewGaussian(0.5)
	s, err := spanOf(k, mat.DenseCopyOf(x.Slice(0, 20, 0, 2)), x)
	if err != nil {
		t.Fatal(err)
	}
	src := points(300, 3, newRand(23).NormFloat64)
	dst, want := mat.NewDense(300, 3, nil), product(kernel.Gram(k, x), src)
	want.Sub(want, product(s, s.T(), src))
	remainder{streamed{k, x}, s}.Apply(dst, src)
	if !mat.EqualApprox(dst, want, 1e-11) {
		t.Error("K − ZZᵀ by blocks is not K − ZZᵀ")
	}
}

func TestResidualOfAllPointsIsZero(t *testing.T) {
	x := points(60, 2, newRand(24).NormFloat64)
	model := &methods.Subspace{Expansion: kernel.Expansion{Kernel: kernel.NewGaussian(0.5), Points: x, Coef: mat.NewDense(60, 1, nil)}}
	got, _, err := Evaluate(t.Context(), Truth{X: x, Kernel: kernel.NewGaussian(0.5)}, model, []int{1}, []string{"nystrom_residual"})
	if err != nil || !(got[0]["nystrom_residual"] <= 1e-14) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestResidualOfWhatSpansNothing(t *testing.T) {
	truth := classed(t)
	for name, c := range truth.clusterings(t) {
		got, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, []string{"nystrom_residual", "centroid_residual"})
		if err != nil {
			t.Fatal(err)
		}
		isometric := slices.Contains([]string{"nystrom, rank 4", "nystrom, full", "kpca, unit length"}, name) && c.Embedding.Isometric
		if _, ok := got[0]["nystrom_residual"]; ok != isometric {
			t.Errorf("%s: %v", name, got)
		}
		if len(got[0]) != 0 && len(got[0]) != 3 {
			t.Errorf("%s: %v", name, got)
		}
	}
	truth.X = mat.NewDense(maxStored+1, 3, nil)
	model := &methods.Subspace{Expansion: kernel.Expansion{Kernel: truth.Kernel, Points: mat.NewDense(1, 3, nil), Coef: mat.NewDense(1, 1, nil)}}
	if _, _, err := Evaluate(t.Context(), truth.Truth, model, []int{1}, []string{"effective_dimension"}); err == nil || !strings.Contains(err.Error(), "at most 5000") {
		t.Error(err)
	}
}

// The centroids by loops, in coordinates of H given by a factor of the kernel
// matrix; and the inequality of Lemma 2's proof, at most k·residual. With the
// centres at convergence it is cluster_cost_train − partition_cost.
func TestCentroidResidual(t *testing.T) {
	truth := classed(t)
	for _, name := range []string{"nystrom, rank 4", "nystrom, full"} {
		c := truth.clusterings(t)[name]
		got, _, err := Evaluate(t.Context(), truth.Truth, c, []int{0}, []string{"centroid_residual", "nystrom_residual", "cluster_cost", "partition_cost"})
		if err != nil {
			t.Fatal(err)
		}
		v := got[0]
		z := c.Embedding.Eval(truth.X)
		n, r := z.Dims()
		want := 0.0
		for j := range c.Clusters {
			var rows []int
			for i, label := range c.Labels {
				if label == j {
					rows = append(rows, i)
				}
			}
			whole, kept := 0.0, make([]float64, r)
			for _, a := range rows {
				for _, b := range rows {
					whole += truth.Kernel.At(truth.X.RawRowView(a), truth.X.RawRowView(b))
				}
				for i := range kept {
					kept[i] += z.At(a, i)
				}
			}
			for _, s := range kept {
				whole -= s * s
			}
			want += whole / float64(len(rows))
		}
		want /= float64(n)
		if !(math.Abs(v["centroid_residual"]-want) <= 1e-10) || !(want > 1e-4) {
			t.Errorf("%s: centroid_residual %v, want %v", name, v["centroid_residual"], want)
		}
		if difference := v["cluster_cost_train"] - v["partition_cost"]; !(math.Abs(difference-want) <= 1e-3*want) {
			t.Errorf("%s: the costs differ by %v, centroids by %v", name, difference, want)
		}
		if !(v["centroid_residual"] <= 3*v["nystrom_residual"]) {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// The traces from explicit features (x₁², √2x₁x₂, x₂²) of a kernel whose diagonal is not
// constant: squared distances of the points' images from the plane of two landmarks, by
// the vector that is normal to it. 1e-12: the distances are far above rounding.
func TestTraceResidualByFeatures(t *testing.T) {
	x := mat.NewDense(5, 2, []float64{1, 2, -1, 0.5, 3, 1, 0.5, -2, 2, 2})
	image := func(i int) []float64 {
		a, b := x.At(i, 0), x.At(i, 1)
		return []float64{a * a, math.Sqrt2 * a * b, b * b}
	}
	u, v := image(0), image(1)
	normal := []float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
	times := []float64{1, 4, 2, 1, 3}
	rest, whole, n := 0.0, 0.0, 0.0
	for i, c := range times {
		z := image(i)
		inner := floats.Dot(z, normal)
		rest += c * inner * inner / floats.Dot(normal, normal)
		whole += c * floats.Dot(z, z)
		n += c
	}
	k := kernel.Polynomial{Degree: 2, Gamma: 1}
	landmarks := mat.DenseCopyOf(x.Slice(0, 2, 0, 2))
	model := &methods.Subspace{Expansion: kernel.Expansion{Kernel: k, Points: landmarks, Coef: mat.NewDense(2, 1, nil)}}
	got, _, err := Evaluate(t.Context(), Truth{X: x, Kernel: k, Counts: times}, model, []int{1}, []string{"trace_residual"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"trace_residual": rest / whole, "trace_residual_mean": rest / n} {
		if v := got[0][name]; !(math.Abs(v-want) <= 1e-12*want) {
			t.Errorf("%s is %v, want %v", name, v, want)
		}
	}
}
