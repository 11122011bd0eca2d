package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods/kernels"
)

// sinc is Π_j sin(d_j/Sigma)/(d_j/Sigma) for d = x − y, the kernel of functions whose frequencies
// are at most 1/Sigma.
type sinc struct{ Sigma float64 }

func (s sinc) String() string { return fmt.Sprintf("sinc sigma=%.17g", s.Sigma) }
func (sinc) Bound() float64   { return 1 }
func (s sinc) At(x, y []float64) float64 {
	product := 1.0
	for j := range x {
		if d := (x[j] - y[j]) / s.Sigma; d != 0 {
			product *= math.Sin(d) / d
		}
	}
	return product
}

// Frequency and Isotropic are for random features alone.
func (s sinc) Frequency(dst []float64, rng *rand.Rand) {
	for j := range dst {
		dst[j] = (2*rng.Float64() - 1) / s.Sigma
	}
}
func (sinc) Isotropic() bool { return false }

// options are its keys in a spec: {use: sinc, sigma: 0.3}.
type options struct {
	Sigma float64 `yaml:"sigma" above:"0" doc:"1 over the highest frequency"`
}

func (o *options) Build(kernels.Distances) (kernels.Kernel, error) { return sinc{o.Sigma}, nil }

func Example() {
	kernels.Register("sinc", kernels.Entry{
		Doc:     "Π sin(d_j/σ)/(d_j/σ)",
		New:     func() kernels.Options { return &options{Sigma: 1} },
		Fourier: true,
	})
	x := mat.NewDense(3, 1, []float64{0, math.Pi / 2, math.Pi})
	fmt.Printf("%.4f\n", mat.Formatted(kernels.Gram(sinc{1}, x)))
	// Output:
	// ⎡1.0000  0.6366  0.0000⎤
	// ⎢0.6366  1.0000  0.6366⎥
	// ⎣0.0000  0.6366  1.0000⎦
}

// TestRandomFeatures: a kernel with a spectral measure has features. Products of 200,000 are
// means of cosines: 0.012 is more than 5 of their standard errors.
func TestRandomFeatures(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0, 1, -2, 0.5, 4})
	features, rng := kernel.Maps["fourier"], rand.New(rand.NewPCG(1, 2))
	if err := features.Check(sinc{0.7}); err != nil {
		t.Fatal(err)
	}
	z, product := mat.NewDense(3, 400_000, nil), mat.NewDense(3, 3, nil)
	features.New(sinc{0.7}, 200_000, 2, rng).Transform(z, x)
	product.Mul(z, z.T())
	if gram := kernels.Cross(sinc{0.7}, x, x); !mat.EqualApprox(product, gram, 0.012) {
		t.Errorf("features give\n%v, the kernel is\n%v", mat.Formatted(product), mat.Formatted(gram))
	}
}

func TestRegisterRefuses(t *testing.T) {
	for want, entry := range map[string]kernels.Entry{
		`kernel.Entry "gaussian": the name is taken, or empty`: {Doc: "a Gaussian", New: func() kernels.Options { return &options{} }},
		`kernel.Entry "new": Doc is missing`:                   {New: func() kernels.Options { return &options{} }},
		`kernel.Entry "none": New is missing`:                  {Doc: "no kernel"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("panics with %q, want %q", got, want)
				}
			}()
			var name string
			fmt.Sscanf(want, "kernel.Entry %q", &name)
			kernels.Register(name, entry)
		}()
	}
}
