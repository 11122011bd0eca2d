package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

var skpNames = []string{"skp_objective", "skp_excess", "skp_gram_distance"}

// lift is a model on the held-out points Z of a world, from the definitions.
// Functions on Z are vectors, ⟨a, b⟩_ρ = aᵀb/N; those of H are vectors too, rows
// of F in K = FFᵀ, and Ĉ = FᵀF/N.
type lift struct {
	world
	kernel *mat.SymDense // K
	rows   *mat.Dense    // F
	model  methods.Model
}

func newLift(w world, model methods.Model) lift {
	k := gram(w, w.heldOut)
	return lift{w, k, factor(k), model}
}

// operator is 𝔏P̂ as a matrix. For a subspace of H it is the projection onto its
// components, orthonormalised here; for features Σ h_i⊗h_i with a_i = Φû_i/√λ_i,
// p_i = L^(−1/2)a_i, L = K/N on L²(ρ), and h_i = I*p_i = Fᵀp_i/N.
//
// Reference: [SKP, Def 3.6, 3.7].
func (l lift) operator(ell int) *mat.Dense {
	n, _ := l.rows.Dims()
	switch m := l.model.(type) {
	case *methods.Subspace:
		return newCoordinates(l.world, l.model, "none").projector(ell)
	case *methods.FeatureSubspace:
		features := mat.NewDense(n, m.Map.Dim(), nil)
		m.Map.Transform(features, l.heldOut)
		second := mat.NewSymDense(m.Map.Dim(), nil)
		second.SymOuterK(1/float64(n), features.T())
		_, vectors := eigen(second)
		p, _ := m.Coef.Dims()
		u := nearest(mat.DenseCopyOf(m.Coef.Slice(0, p, 0, ell)), mat.DenseCopyOf(vectors.Slice(0, p, 0, ell)))
		a := product(features, u)
		for i := range ell {
			column := mat.Col(nil, i, a)
			floats.Scale(math.Sqrt(float64(n)/floats.Dot(column, column)), column)
			a.SetCol(i, column)
		}
		values, eigenvectors := eigen(l.kernel)
		root := mat.NewDense(n, n, nil) // L^(−1/2) on the range of L
		for i, v := range values {
			if v > 1e-13*values[0] {
				root.Set(i, i, math.Sqrt(float64(n)/v))
			}
		}
		h := product(l.rows.T(), eigenvectors, root, eigenvectors.T(), a)
		h.Scale(1/float64(n), h)
		return product(h, h.T())
	}
	panic("no lift")
}

// nearest is ŨR with the orthogonal R = W(WᵀW)^(−1/2), W = ŨᵀΦ, that brings it
// nearest to Φ.
func nearest(u, phi *mat.Dense) *mat.Dense {
	w := product(u.T(), phi)
	_, l := w.Dims()
	square := mat.NewSymDense(l, nil)
	square.SymOuterK(1, w.T())
	values, vectors := eigen(square)
	root := mat.NewDense(l, l, nil)
	for i, v := range values {
		root.Set(i, i, 1/math.Sqrt(v))
	}
	return product(u, w, vectors, root, vectors.T())
}

// measures are those of SKP at ell, from the operators themselves.
func (l lift) measures(ell int) map[string]float64 {
	operator, rows := l.operator(ell), l.rows
	if _, ok := l.model.(*methods.Subspace); ok {
		rows = newCoordinates(l.world, l.model, "none").nodes // in which its operator is written
	}
	n, q := rows.Dims()
	objective := mat.Trace(product(operator, rows.T(), rows)) / float64(n)
	values, _ := eigen(l.kernel)
	optimum := floats.Sum(values[:ell]) / float64(n)
	m := map[string]float64{"skp_objective": objective, "skp_optimum": optimum, "skp_excess": optimum - objective}
	if methods.ShapeOf(l.model) == methods.ShapeFeatures {
		symmetric := mat.NewSymDense(q, nil)
		for i := range q {
			for j := range q {
				symmetric.SetSym(i, j, operator.At(i, j))
			}
		}
		lifted, _ := eigen(symmetric)
		sum := 0.0
		for _, v := range lifted[:ell] {
			sum += (v - 1) * (v - 1)
		}
		m["skp_gram_distance"] = math.Sqrt(sum)
	}
	return m
}

// skpDisagreements lists where the measures differ from the definitions by more
// than 1e-7: L^(−1/2) divides by eigenvalues down to 1e-13 of the largest, whose
// vectors a lifted function meets in rounding only.
func skpDisagreements(truth Truth, model methods.Model, ells []int, wanted []map[string]float64) []string {
	got, _, err := Evaluate(context.Background(), truth, model, ells, skpNames)
	if err != nil {
		return []string{err.Error()}
	}
	var differ []string
	for i, want := range wanted {
		ell := ells[i]
		if len(got[i]) != len(want) {
			differ = append(differ, fmt.Sprintf("ell = %d: metrics %v, want %v", ell, got[i], want))
		}
		for name, v := range want {
			if g, ok := got[i][name]; !ok || !(math.Abs(g-v) <= 1e-7) {
				differ = append(differ, fmt.Sprintf("%s at ell = %d is %.15g, want %.15g", name, ell, g, v))
			}
		}
	}
	return differ
}

func TestSkpMeasuresAreTheirDefinitions(t *testing.T) {
	for _, w := range []world{selfWorld(t), heldOutWorld(t)} {
		shared := NewHeldOutKernel(w.heldOut, nil, w.kernel, worldEll, false)
		streamed := NewHeldOutKernel(w.heldOut, nil, w.kernel, worldEll, false)
		streamed.stored = false
		w.eachTrial(t, func(t *testing.T, _ trial, model methods.Model) {
			ells := []int{3, 1, 4}
			var want []map[string]float64
			for _, ell := range ells {
				want = append(want, newLift(w, model).measures(ell))
			}
			for _, h := range []*HeldOutKernel{nil, shared, streamed} {
				truth := w.truth()
				truth.Population, truth.HeldOutKernel = nil, h
				for _, line := range skpDisagreements(truth, model, ells, want) {
					t.Error(line)
				}
			}
		})
	}
}

// A projection reaches the optimum on the points it was fitted to, and none
// exceeds it. A rotation of the components changes no measure at their full
// number, of lifted features either.
func TestSkpOptimum(t *testing.T) {
	for _, w := range []world{selfWorld(t), heldOutWorld(t)} {
		w.eachTrial(t, func(t *testing.T, _ trial, model methods.Model) {
			values, _, err := Evaluate(t.Context(), w.truth(), model, []int{1, 2, worldEll}, skpNames)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				if methods.ShapeOf(model) == methods.ShapeSubspace && !(v["skp_excess"] >= -1e-14) {
					t.Errorf("excess %g number %d", v["skp_excess"], i)
				}
			}
			coef, _ := parts(model)
			p, _ := coef.Dims()
			turn := eigenbasis(worldEll)
			coef.Copy(product(coef.Slice(0, p, 0, worldEll), turn))
			turned, _, err := Evaluate(t.Context(), w.truth(), model, []int{worldEll}, skpNames)
			if err != nil {
				t.Fatal(err)
			}
			for name, v := range turned[0] {
				if !(math.Abs(v-values[2][name]) <= 1e-11) {
					t.Errorf("%s was %g, is %g for the same subspace in another basis", name, values[2][name], v)
				}
			}
		})
		w.x = w.heldOut
		v, _, err := Evaluate(t.Context(), w.truth(), w.fit(t, &methods.EKPCAOptions{Center: "none"}, worldEll), []int{worldEll}, skpNames)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(v[0]["skp_excess"]) <= 1e-13) || !(v[0]["skp_optimum"] > 0.1) {
			t.Errorf("%s: excess %g of the optimum %g on the points of the fit", w.name, v[0]["skp_excess"], v[0]["skp_optimum"])
		}
	}
}

// eigenbasis is some orthogonal matrix.
func eigenbasis(n int) *mat.Dense {
	a := mat.NewSymDense(n, nil)
	rng := newRand(70)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, rng.NormFloat64())
		}
	}
	_, vectors := eigen(a)
	return vectors
}

// A streamed matrix gives what a stored one does: the quadratic form, and eigenvalues to the square of 1e-8.
func TestStreamedKernelMatrix(t *testing.T) {
	rng := newRand(71)
	for _, n := range []int{1, 255, 257, 500} {
		x := points(n, 5, rng.NormFloat64)
		k := kernel.NewGaussian(0.1)
		ell := min(7, n)
		stored, streamed := NewHeldOutKernel(x, nil, k, ell, false), NewHeldOutKernel(x, nil, k, ell, false)
		streamed.stored = false
		y := points(n, 3, rng.NormFloat64)
		want := product(y.T(), kernel.Gram(k, x), y)
		for _, got := range []*mat.Dense{stored.form(y), streamed.form(y)} {
			if !mat.EqualApprox(got, want, 1e-12*float64(n)) {
				t.Errorf("n = %d: quadratic form\n%v, want\n%v", n, mat.Formatted(got), mat.Formatted(want))
			}
		}
		values, _ := eigen(kernel.Gram(k, x))
		for _, h := range []*HeldOutKernel{stored, streamed} {
			for l := 1; l <= ell; l++ {
				got, err := h.optimum(l)
				if err != nil {
					t.Fatal(err)
				}
				if w := floats.Sum(values[:l]) / float64(n); !(math.Abs(got-w) <= 1e-13) {
					t.Errorf("n = %d: optimum of %d components %.15g, want %.15g", n, l, got, w)
				}
			}
		}
		if n > 10 {
			if _, err := stored.optimum(ell + 1); err == nil || !strings.Contains(err.Error(), "opened for 7") {
				t.Errorf("optimum of more components than asked for: %v", err)
			}
		}
	}
}

// A matrix of more points than are always kept gives, kept or not, the same forms to the
// rounding of sums of 5001 terms below 1, and if kept eigenvalues to the square of 1e-8.
func TestKeptKernelMatrix(t *testing.T) {
	rng := newRand(73)
	x, k := points(maxStored+1, 2, rng.NormFloat64), kernel.NewGaussian(1)
	kept, streamed := NewHeldOutKernel(x, nil, k, 3, true), NewHeldOutKernel(x, nil, k, 3, false)
	if !kept.stored || streamed.stored {
		t.Fatal("not kept, or kept unasked")
	}
	y := points(maxStored+1, 2, rng.NormFloat64)
	a, b := kept.form(y), streamed.form(y)
	if !mat.EqualApprox(a, b, 1e-12*mat.Norm(b, 2)) {
		t.Errorf("forms\n%v and\n%v", mat.Formatted(a), mat.Formatted(b))
	}
	want, errA := linalg.Top(linalg.Symmetric(kernel.Gram(k, x)), 3, linalg.DefaultTopOptions(3))
	floats.Scale(1/float64(maxStored+1), want.Values)
	got, errB := kept.values()
	if errA != nil || errB != nil || !floats.EqualApprox(got, want.Values, 1e-13) {
		t.Errorf("eigenvalues %v (%v), want %v (%v)", got, errB, want.Values, errA)
	}
}

// The sums by draws of held-out points: E‖P̂k(·,X)‖² = E vᵀ(vᵀKv)⁻¹v with v =
// k(X, p) of the components' span, and for features E a_i(X) k(X,Y) a_i(Y). 20000
// draws, 5 standard errors: 8 checks at 5.7e-7 each are a false-alarm rate of
// 5e-6; the seeds are fixed.
func TestSkpObjectiveByMonteCarlo(t *testing.T) {
	const ell, draws = 3, 20_000
	for _, w := range []world{selfWorld(t), heldOutWorld(t)} {
		n, _ := w.heldOut.Dims()
		for _, tr := range w.trials() {
			if tr.center != "none" {
				continue
			}
			model := w.fit(t, tr.options, ell)
			values, _, err := Evaluate(t.Context(), w.truth(), model, []int{ell}, skpNames)
			if err != nil {
				t.Fatal(err)
			}
			rng := newRand(72)
			var terms []float64
			switch m := model.(type) {
			case *methods.Subspace:
				y := m.Eval(w.heldOut)
				var inverse mat.Dense
				if err := inverse.Inverse(product(m.Coef.T(), gram(w, m.Points), m.Coef)); err != nil {
					t.Fatal(err)
				}
				for range draws {
					v := y.RowView(rng.IntN(n))
					terms = append(terms, mat.Inner(v, &inverse, v))
				}
			case *methods.FeatureSubspace:
				features := mat.NewDense(n, m.Map.Dim(), nil)
				m.Map.Transform(features, w.heldOut)
				second := mat.NewSymDense(m.Map.Dim(), nil)
				second.SymOuterK(1/float64(n), features.T())
				_, vectors := eigen(second)
				p, _ := m.Coef.Dims()
				a := product(features, nearest(m.Coef, mat.DenseCopyOf(vectors.Slice(0, p, 0, ell))))
				scale := meanSquares(a)
				for range draws {
					x, y := rng.IntN(n), rng.IntN(n)
					term := 0.0
					for i := range ell {
						term += a.At(x, i) * a.At(y, i) / scale[i]
					}
					terms = append(terms, term*w.kernel.At(w.heldOut.RawRowView(x), w.heldOut.RawRowView(y)))
				}
			}
			mean, deviation := meanAndError(terms)
			if got := values[0]["skp_objective"]; !(math.Abs(got-mean) <= 5*deviation) {
				t.Errorf("%s, %s: objective %.6g, by Monte Carlo %.6g ± %.2g", w.name, tr.name, got, mean, deviation)
			}
		}
	}
}

// Components that are functions of others, or 0, on the held-out points add
// nothing to the objective, and as many ones as there are to the distance.
func TestSkpOfFewerComponents(t *testing.T) {
	w := heldOutWorld(t)
	model := w.fit(t, &methods.RFFOptions{Features: w.features, Center: "none"}, 2)
	values, _, err := Evaluate(t.Context(), w.truth(), model, []int{2, 4}, skpNames)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := values[0], values[1]; a["skp_objective"] != b["skp_objective"] || !(math.Abs(math.Pow(b["skp_gram_distance"], 2)-math.Pow(a["skp_gram_distance"], 2)-2) <= 1e-12) {
		t.Errorf("two components: %v at ell = 2, %v at ell = 4", a, b)
	}
	// One feature of frequency 0: its sine is 0 everywhere.
	constant := &methods.FeatureSubspace{FeatureExpansion: kernel.FeatureExpansion{
		Map: &kernel.Fourier{Frequencies: mat.NewDense(1, 2, nil)}, Coef: mat.NewDense(2, 2, []float64{1, 0, 0, 1})},
		Spectrum: methods.Spectrum{Values: []float64{1, 0}, Center: []float64{0, 0}}}
	values, _, err = Evaluate(t.Context(), w.truth(), constant, []int{2}, skpNames)
	if err != nil {
		t.Fatal(err)
	}
	ones := slices.Repeat([]float64{1}, 60)
	want := mat.Inner(mat.NewVecDense(60, ones), gram(w, w.heldOut), mat.NewVecDense(60, ones)) / 3600
	if v := values[0]; !(math.Abs(v["skp_objective"]-want) <= 1e-13) || v["skp_gram_distance"] != 1 {
		t.Errorf("a constant and 0: %v, want the objective %v and the distance 1", v, want)
	}
}

// The distance from C_m's leading eigenvectors by the complement's vectors
// themselves, and the eigenvalues by a dense solve; 1e-12 for sums of a few numbers
// of size 1.
func TestFeatureMeasuresAreTheirDefinitions(t *testing.T) {
	for _, w := range []world{selfWorld(t), heldOutWorld(t)} {
		m := w.fit(t, &methods.RFFOptions{Features: "fourier", Center: "none"}, worldEll).(*methods.FeatureSubspace)
		got, _, err := Evaluate(t.Context(), w.truth(), m, []int{3, 1, 4}, []string{"skp_features"})
		if err != nil {
			t.Fatal(err)
		}
		n, _ := w.heldOut.Dims()
		p := m.Map.Dim()
		features := mat.NewDense(n, p, nil)
		m.Map.Transform(features, w.heldOut)
		second := mat.NewSymDense(p, nil)
		second.SymOuterK(1/float64(n), features.T())
		lambda, vectors := eigen(second)
		longest := 0.0
		for i := range n {
			longest = max(longest, math.Pow(mat.Norm(features.RowView(i), 2), 2))
		}
		for i, ell := range []int{3, 1, 4} {
			outside := product(vectors.Slice(0, p, ell, p).T(), m.Coef.Slice(0, p, 0, ell))
			spread := 0.0
			for _, v := range lambda[:ell] {
				spread += math.Pow((2*v+4*lambda[0])/(v*v), 2)
			}
			for name, want := range map[string]float64{
				"skp_feature_angle": math.Pow(mat.Norm(outside, 2), 2), "skp_feature_1": lambda[0], "skp_feature_ell": lambda[ell-1], "skp_feature_next": lambda[ell],
				"skp_feature_sum": floats.Sum(lambda[:ell]), "skp_feature_spread": math.Sqrt(spread), "skp_feature_longest": longest,
			} {
				if v, ok := got[i][name]; !ok || !(math.Abs(v-want) <= 1e-12*max(1, want*want)) {
					t.Errorf("%s at ell = %d: %s is %v, want %v", w.name, ell, name, v, want)
				}
			}
		}
	}
}

// Eigenvectors that did not converge are no measure: a flat spectrum after one
// iteration.
func TestLeadingPairsConverge(t *testing.T) {
	const p = 200
	second := mat.NewSymDense(p, nil)
	for i := range p {
		second.SetSym(i, i, 1/(1+float64(i)/p))
	}
	options := linalg.DefaultTopOptions(3)
	if _, err := leading(linalg.Symmetric(second), 3, options, "C_m"); err != nil {
		t.Fatal(err)
	}
	options.MaxIterations, options.DenseBelow, options.FallbackBelow = 1, 0, 0
	if _, err := leading(linalg.Symmetric(second), 3, options, "C_m"); err == nil || !strings.Contains(err.Error(), "3 leading eigenpairs of C_m: not converged") {
		t.Errorf("error %v", err)
	}
}
