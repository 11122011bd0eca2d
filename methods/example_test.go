package methods_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/methods"
	"mercer/methods/kernels"
)

// firstPoints maps x to (k(p_1,x), …, k(p_m,x)) for the first m points of the sample.
type firstPoints struct{ scale float64 }

func (firstPoints) Check(_ kernels.Kernel, s methods.Sizes) error {
	if s.M < 1 || s.M > s.N {
		return fmt.Errorf("m = %d: must lie between 1 and n = %d", s.M, s.N)
	}
	return nil
}

func (firstPoints) Cost(_ kernels.Kernel, s methods.Sizes, _ float64) methods.Cost {
	return methods.Cost{Bytes: float64(8 * s.M * s.M)}
}

func (f firstPoints) Fit(_ context.Context, p methods.Sample, _ *rand.Rand) (methods.Model, error) {
	_, dim := p.X.Dims()
	coef := mat.NewDense(p.Sizes.M, p.Sizes.M, nil)
	for i := range p.Sizes.M {
		coef.Set(i, i, f.scale)
	}
	points := mat.DenseCopyOf(p.X.Slice(0, p.Sizes.M, 0, dim))
	return &methods.Embedding{Functions: kernels.Expansion{Kernel: p.Kernel, Points: points, Coef: coef}}, nil
}

// firstPointsOptions are its keys in a spec: {use: first-points, scale: 2}.
type firstPointsOptions struct {
	Scale float64 `yaml:"scale" above:"0" doc:"factor of the coordinates"`
}

func (o *firstPointsOptions) Method() (methods.Method, error) { return firstPoints{o.Scale}, nil }

func (*firstPointsOptions) Traits() methods.Traits {
	return methods.Traits{Uses: []string{"n", "m"}, Shape: methods.ShapeEmbedding}
}

func ExampleRegister() {
	methods.Register("first-points", methods.Entry{
		Label:     "first points",
		Doc:       "kernel values with the first m points, as coordinates",
		Reference: "Schölkopf et al. 1999",
		Cost:      "no flops",
		Accuracy:  "exact",
		Version:   "1",
		New:       func() methods.Options { return &firstPointsOptions{Scale: 1} },
	})
	defer delete(methods.Registry, "first-points") // a program would go on: os.Exit(cmd.Main(…))

	method, _ := (&firstPointsOptions{Scale: 1}).Method()
	sample := methods.Sample{X: mat.NewDense(3, 1, []float64{0, 1, 2}), Kernel: onePlus{}, Sizes: methods.Sizes{N: 3, M: 2}}
	fmt.Println(method.Check(sample.Kernel, sample.Sizes), method.Cost(sample.Kernel, sample.Sizes, 1).Bytes)
	model, err := method.Fit(context.Background(), sample, nil)
	fmt.Println(mat.Formatted(model.(*methods.Embedding).Eval(sample.X)), err)
	// Output:
	// <nil> 32
	// ⎡1  1⎤
	// ⎢1  2⎥
	// ⎣1  3⎦ <nil>
}

// onePlus is 1 + xy.
type onePlus struct{}

func (onePlus) String() string            { return "1 + xy" }
func (onePlus) Bound() float64            { return math.Inf(1) }
func (onePlus) At(x, y []float64) float64 { return 1 + x[0]*y[0] }
