package metrics

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/landmark"
)

var matrixNames = []string{"matrix_trace", "matrix_spectral", "matrix_ratio"}

// normsOf are the trace and the spectral norm of a symmetric matrix by all its eigenvalues.
func normsOf(a mat.Symmetric) (trace, spectral float64) {
	values, _ := eigen(mat.NewSymDense(a.SymmetricDim(), mat.DenseCopyOf(a).RawMatrix().Data))
	for _, v := range values {
		trace += math.Abs(v)
		spectral = max(spectral, math.Abs(v))
	}
	return trace, spectral
}

// fullRank has every component that a method can find, so that its span is that of its
// components.
func fullRank(method methods.Method, p methods.Sample) methods.Model {
	p.Sizes.Ell = p.Sizes.M
	model, err := method.Fit(context.Background(), p, newRand(5))
	if err != nil {
		panic(err)
	}
	return model
}

// approximationByHand is K̂ by its definition, without the parts of this package, with its
// rank; of a sketch by a fit at ell = m.
func approximationByHand(k kernel.Kernel, x *mat.Dense, model methods.Model, ell int, whole func() methods.Model) (*mat.Dense, int) {
	switch m := model.(type) {
	case *methods.FeatureSubspace:
		n, _ := x.Dims()
		z := mat.NewDense(n, m.Map.Dim(), nil)
		m.Map.Transform(z, x)
		return product(z, z.T()), m.Map.Dim()
	case *methods.Embedding:
		z := m.Eval(x)
		_, r := z.Dims()
		return product(z, z.T()), r
	}
	m := model.(*methods.Subspace)
	if m.Span != nil {
		m = whole().(*methods.Subspace)
		_, ell = m.Coef.Dims()
	}
	knm := kernel.Cross(k, x, m.Points)
	p, _ := m.Points.Dims()
	if !m.Landmarks {
		z := product(knm, m.Coef.Slice(0, p, 0, ell))
		return product(z, z.T()), ell
	}
	var inverse mat.Dense
	if err := inverse.Inverse(kernel.Gram(k, m.Points)); err != nil {
		panic(err)
	}
	return product(knm, &inverse, knm.T()), p
}

// Errors by all eigenvalues of K − K̂ as a dense matrix; those of the best approximation
// by the tail of the eigenvalues of K. 1e-7: the norms of K − K̂ are at least a
// thousandth of those of K, iterations stop at 1e-8, and inverses of kernel matrices lose
// some digits.
func TestMatrixErrorsAreTheirDefinitions(t *testing.T) {
	const n, ell = 70, 5
	x := points(n, 2, newRand(31).NormFloat64)
	first := landmark.By("first")
	for name, o := range map[string]methods.Options{
		"nystrom":        &methods.NystromOptions{Landmarks: first, Center: "u"},
		"embedding":      &methods.NystromEmbeddingOptions{Landmarks: first, Rank: "full"},
		"embedding, cut": &methods.NystromEmbeddingOptions{Landmarks: first, Rank: "d"},
		"ekpca":          &methods.EKPCAOptions{Center: "none"},
		"ekpca, centred": &methods.EKPCAOptions{Center: "u"},
		"randomized":     &methods.RandomizedOptions{Center: "none", Power: 0},
		"rff-embedding":  &methods.RFFEmbeddingOptions{Features: "fourier"},
		"rff":            &methods.RFFOptions{Features: "fourier", Center: "u"},
		"rff, few":       &methods.RFFOptions{Features: "fourier", Center: "u"}, // the norm is that of a negative eigenvalue
	} {
		method, err := o.Method()
		if err != nil {
			t.Fatal(err)
		}
		k, m := kernel.NewGaussian(0.5), 8
		if name == "rff, few" {
			k, m = kernel.NewGaussian(20), 3
		}
		whole := kernel.Gram(k, x)
		values, _ := eigen(whole)
		p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: n, M: m, Ell: ell, D: 4}}
		model, err := method.Fit(t.Context(), p, newRand(5))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Evaluate(t.Context(), Truth{X: x, Kernel: k}, model, []int{ell, 3}, matrixNames)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, ell := range []int{ell, 3} {
			hat, r := approximationByHand(k, x, model, ell, func() methods.Model { return fullRank(method, p) })
			rest, tail := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
			for i := range n {
				for j := i; j < n; j++ {
					rest.SetSym(i, j, whole.At(i, j)-(hat.At(i, j)+hat.At(j, i))/2)
				}
				if i >= r {
					tail.SetSym(i, i, values[i])
				}
			}
			want, end := map[string]float64{}, ""
			if strings.HasPrefix(name, "ekpca") || name == "centred space" || name == "embedding, cut" {
				end = "_cut"
			}
			traceOf, spectralOf := normsOf(whole)
			traceLeft, spectralLeft := normsOf(rest)
			least, _ := normsOf(tail)
			want["matrix_trace"+end], want["matrix_spectral"+end] = traceLeft/traceOf, spectralLeft/spectralOf
			want["matrix_trace_ratio"+end] = traceLeft / least
			if len(got[i]) != len(want) {
				t.Errorf("%s, ell = %d: metrics %v", name, ell, got[i])
			}
			for metric, want := range want {
				if v, ok := got[i][metric]; !ok || !(math.Abs(v-want) <= 1e-7*want) {
					t.Errorf("%s, ell = %d: %s is %v, want %v", name, ell, metric, v, want)
				}
			}
			if v := got[i]["matrix_trace_ratio_cut"]; name == "ekpca" && !(math.Abs(v-1) <= 1e-7) {
				t.Errorf("uncentred components of exact PCA are the best of their rank, and the ratio is %v", v)
			}
		}
	}
}

// Orthogonal points a_ie_i under the linear kernel, c_i of each: K is c_i·c_i blocks of
// a_i², and m landmarks leave the other blocks whole. In closed form tr = Σ c_ia_i² and
// ‖·‖ = max c_ia_i², and the best keeps the m largest c_ia_i².
func TestMatrixErrorsOfOrthogonalPoints(t *testing.T) {
	a, times := []float64{1, 3, 2, 0.5, 1.5}, []float64{4, 1, 2, 7, 1}
	x := mat.NewDense(5, 5, nil)
	eigenvalues := make([]float64, 5)
	for i, v := range a {
		x.Set(i, i, v)
		eigenvalues[i] = times[i] * v * v
	}
	left := eigenvalues[2:]
	best := floats.Sum(slices.Sorted(slices.Values(eigenvalues))[:3])
	k := kernel.Polynomial{Degree: 1, Gamma: 1}
	expansion := kernel.Expansion{Kernel: k, Points: mat.DenseCopyOf(x.Slice(0, 2, 0, 5)), Coef: mat.NewDense(2, 1, nil)}
	model := &methods.Subspace{Expansion: expansion, Landmarks: true}
	got, _, err := Evaluate(t.Context(), Truth{X: x, Kernel: k, Counts: times}, model, []int{1}, matrixNames)
	if err != nil {
		t.Fatal(err)
	}
	for metric, want := range map[string]float64{
		"matrix_trace":       floats.Sum(left) / floats.Sum(eigenvalues),
		"matrix_spectral":    floats.Max(left) / floats.Max(eigenvalues),
		"matrix_trace_ratio": floats.Sum(left) / best,
	} {
		if v := got[0][metric]; !(math.Abs(v-want) <= 1e-12) {
			t.Errorf("%s is %v, want %v", metric, v, want)
		}
	}
}

// No ratio to what is 0 but for rounding, and none where K̂ has as many columns as points.
func TestNoRatioToRounding(t *testing.T) {
	x, k := points(30, 2, newRand(32).NormFloat64), kernel.Polynomial{Degree: 1, Gamma: 1}
	for m, want := range map[int]int{5: 1, 15: 0} { // 10 and 30 coordinates
		method, err := (&methods.RFFOptions{Features: "fourier", Center: "u"}).Method()
		if err != nil {
			t.Fatal(err)
		}
		p := methods.Sample{X: x, Kernel: kernel.NewGaussian(0.5), Sizes: methods.Sizes{N: 30, M: m, Ell: 1}}
		model, err := method.Fit(t.Context(), p, newRand(5))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Evaluate(t.Context(), Truth{X: x, Kernel: p.Kernel}, model, []int{1}, []string{"matrix_ratio"})
		if err != nil || len(got[0]) != want {
			t.Errorf("m = %d: %v, %v", m, got, err)
		}
	}
	expansion := kernel.Expansion{Kernel: k, Points: mat.DenseCopyOf(x.Slice(0, 2, 0, 2)), Coef: mat.NewDense(2, 1, nil)}
	got, _, err := Evaluate(t.Context(), Truth{X: x, Kernel: k}, &methods.Subspace{Expansion: expansion, Landmarks: true}, []int{1}, matrixNames)
	if err != nil || len(got[0]) != 2 || !(got[0]["matrix_spectral"] <= 1e-14) {
		t.Errorf("%v, %v", got, err)
	}
}

// Above maxStored points K is streamed: the operator, its negative and the weights are
// the same as those of the matrix.
func TestStreamedMatrixErrors(t *testing.T) {
	x, k := points(300, 2, newRand(22).NormFloat64), kernel.NewGaussian(0.5)
	times := make([]float64, 300)
	for i := range times {
		times[i] = float64(1 + i%4)
	}
	e := &evaluation{Truth: Truth{X: x, Kernel: k, Counts: times}, ctx: t.Context()}
	a := e.newApproximation(points(300, 7, newRand(23).NormFloat64), false)
	src := points(300, 3, newRand(24).NormFloat64)
	want, dst := mat.NewDense(300, 3, nil), mat.NewDense(300, 3, nil)
	negative{e.operator(a)}.Apply(want, src)
	negative{weighted{remainder{streamed{k, x}, a.factor}, linalg.Roots(times)}}.Apply(dst, src)
	if !mat.EqualApprox(dst, want, 1e-10) || !(mat.Norm(want, 2) > 1) {
		t.Error("K − ZZᵀ by blocks is not K − ZZᵀ")
	}
}

// Two models of one sample: with shared norms the numbers are the same, bit for bit, and
// the second model reads as many kernel values less as K itself takes: n² for its spectral
// norm, n for its trace and the eigenpairs and errors of the best approximation.
func TestSampleNormsAreShared(t *testing.T) {
	const n, m, ell = 60, 6, 3
	x := points(n, 2, newRand(3).NormFloat64)
	counted, counter := kernel.Count(kernel.NewGaussian(0.5))
	truth, norms := Truth{X: x, Kernel: counted}, SampleNorms{}
	measured := func(rule string, names []string, norms SampleNorms) (map[string]float64, int64) {
		t.Helper()
		method, err := (&methods.NystromOptions{Landmarks: landmark.By(rule), Center: "u"}).Method()
		if err != nil {
			t.Fatal(err)
		}
		model, err := method.Fit(t.Context(), methods.Sample{X: x, Kernel: counted, Sizes: methods.Sizes{N: n, M: m, Ell: ell, D: 4}}, newRand(5))
		if err != nil {
			t.Fatal(err)
		}
		truth.SampleNorms = norms
		before := counter.Values()
		got, _, err := Evaluate(t.Context(), truth, model, []int{ell}, names)
		if err != nil {
			t.Fatal(err)
		}
		return got[0], counter.Values() - before
	}
	for _, names := range [][]string{{"matrix_spectral"}, matrixNames} {
		measured("first", names, norms)
		alone, whole := measured("uniform", names, nil)
		shared, rest := measured("uniform", names, norms)
		if diff := cmp.Diff(alone, shared); diff != "" {
			t.Errorf("%v: %s", names, diff)
		}
		if less := whole - rest; less < n*n {
			t.Errorf("%v: %d kernel values alone, %d where norms are shared: less than n² fewer", names, whole, rest)
		}
	}
}
