package metrics

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// Every output states its rounding; counts and what a clock or a meter measures state that
// they have none.
func TestEveryOutputStatesItsRounding(t *testing.T) {
	var without []string
	for _, m := range Registry {
		for _, o := range m.Outputs {
			if r := o.Rounding; r.Factor == 0 {
				without = append(without, o.Name)
			} else if r.of == nil && r.Factor > 1e-7 || r.Factor < 0 {
				t.Errorf("%s states a rounding of %v", o.Name, r)
			}
		}
	}
	slices.Sort(without)
	want := slices.Concat(Registry["time"].Metrics(), Registry["clusters"].Metrics(), Registry["kernel_entries"].Metrics(),
		[]string{"time_transform", "rank", "flops", "model_size", "fit_memory", "effective_dimension_level", "pcg_iterations"})
	slices.Sort(want)
	if diff := cmp.Diff(want, without); diff != "" {
		t.Errorf("outputs without a rounding (-want +got):\n%s", diff)
	}
}

// What lies below its rounding is named, whatever it is: here all that a Nyström approximation
// by all points leaves, and the whole excess of a projection onto the kernel's range. What is
// not small is not.
func TestValuesAtTheirRounding(t *testing.T) {
	x := points(30, 2, newRand(11).NormFloat64)
	truth := Truth{X: x, Kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, HeldOut: x}
	truth.Population = table(t, x, data.PopulationOption{Kind: "self"}, truth.Kernel)
	method, err := (&methods.NystromOptions{Landmarks: landmark.By("uniform"), Center: "none"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	model, err := method.Fit(t.Context(), methods.Sample{X: x, Kernel: truth.Kernel, Sizes: methods.Sizes{N: 30, M: 20, Ell: 2}}, newRand(12))
	if err != nil {
		t.Fatal(err)
	}
	small := []string{"nystrom_residual", "trace_residual", "trace_residual_mean", "matrix_trace", "matrix_spectral", "skp_excess", "skp_projected_excess"}
	_, notes, err := Evaluate(t.Context(), truth, model, []int{2},
		[]string{"nystrom_residual", "trace_residual", "matrix_trace", "matrix_spectral", "skp_excess", "skp_projected", "recon_h", "eigenvalues", "effective_dimension"})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(small)
	if diff := cmp.Diff(small, slices.DeleteFunc(notes[0].Rounded, func(name string) bool { return name[:5] == "recon" })); diff != "" {
		t.Errorf("at their rounding (-want +got):\n%s", diff)
	}
}

// Angles far below the root of ε are measured: of the population's own components with the
// last turned towards the next by θ in H, for which all distances are known in closed form. In
// L²(P) a = √λ_ℓ cos θ is left of it and b = √λ_{ℓ+1} sin θ added. The nodes of the Gaussian
// world are exact to 1e-12.
func TestSmallAngles(t *testing.T) {
	for _, w := range worlds(t) {
		c := newCoordinates(w, w.fit(t, &methods.EKPCAOptions{Center: "v"}, worldEll), "v")
		n, _ := w.nodes.Dims()
		for _, theta := range []float64{1e-2, 1e-5, 1e-9} {
			if w.masses == nil && w.heldOut == nil && w.features == "fourier" && theta < 1e-6 {
				continue
			}
			const ell = 2
			coef := mat.NewDense(n, ell, nil)
			for j, weight := range w.weights {
				of := func(i int) float64 { return math.Sqrt(weight/c.lambda[i]) * c.basis.At(j, i) }
				coef.Set(j, 0, of(0))
				coef.Set(j, 1, math.Cos(theta)*of(1)+math.Sin(theta)*of(2))
			}
			model := &methods.Subspace{Expansion: kernel.Expansion{Kernel: w.kernel, Points: w.nodes, Coef: coef},
				Spectrum: methods.Spectrum{Values: c.lambda[:ell], Center: make([]float64, ell)}}
			a, b, lambda := math.Sqrt(c.lambda[1])*math.Cos(theta), math.Sqrt(c.lambda[2])*math.Sin(theta), c.lambda[1]
			short := 2 * math.Sqrt(lambda) * math.Pow(math.Sin(theta/2), 2) // √λ − a
			for name, want := range map[string]float64{
				"eigenfunction_l2": math.Hypot(short, b),
				"eigenspace_l2":    math.Sqrt(math.Pow(short*(math.Sqrt(lambda)+a), 2) + 2*a*a*b*b + b*b*b*b),
			} {
				if got := evaluate(t, w, model, ell)[0][name]; !(math.Abs(got-want) <= 1e-5*want+1e-14) {
					t.Errorf("%s: %s at θ = %g is %.10g, want %.10g", w.name, name, theta, got, want)
				}
			}
		}
	}
}
