package data

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// ResponseOptions give each point a response Y = f*(X) + ε, for regression.
type ResponseOptions struct {
	Smoothness float64 `yaml:"smoothness" required:"true" doc:"r in f* = c·Σ λ_i^r i^(-1/2) e_i, of norm 1 in L²(P): f* lies in H for r > 1/2 and, under equal masses, in the range of L^s for s < r"`
	Noise      float64 `yaml:"noise" required:"true" doc:"standard deviation of the normal noise"`
	Terms      int     `yaml:"terms" min:"0" doc:"functions e_i in f*; 0 (default): 500, or as many as the kernel has"`
}

// defaultTerms is how many functions f* has where nothing else is said.
const defaultTerms = 500

func (o *ResponseOptions) check() error {
	switch {
	case o == nil:
		return nil
	case !(o.Smoothness >= 0 && o.Smoothness <= 8):
		return fmt.Errorf("response smoothness %v: must lie between 0 and 8", o.Smoothness)
	case !(o.Noise >= 0) || math.IsInf(o.Noise, 1):
		return fmt.Errorf("response noise %v: must be 0 or more, and finite", o.Noise)
	}
	return nil
}

// under scales f* to norm 1 in L² of a law on points, by their masses; the uniform law of
// the series needs none.
func (r *Response) under(points *mat.Dense, masses []float64) {
	if r == nil || masses == nil {
		return
	}
	square := 0.0
	for j, v := range r.At(points) {
		square += masses[j] * v * v
	}
	floats.Scale(1/math.Sqrt(square), r.Coef)
}

// response is that of a series kernel; nil for none.
func (o *ResponseOptions) response(series *kernel.Series) *Response {
	if o == nil {
		return nil
	}
	terms := o.Terms
	if terms == 0 {
		terms = defaultTerms
	}
	if most := series.Terms(); most > 0 {
		terms = min(terms, most)
	}
	r := &Response{Coef: make([]float64, terms), Noise: o.Noise, series: series}
	for i := range r.Coef {
		r.Coef[i] = math.Pow(series.Eigenvalue(i+1), o.Smoothness) / math.Sqrt(float64(i+1))
	}
	floats.Scale(1/floats.Norm(r.Coef, 2), r.Coef)
	r.text = fmt.Sprintf(", responses of smoothness %v in %d terms with noise %v", o.Smoothness, terms, o.Noise)
	return r
}

// Responding is a data set whose points have responses; nil where they have none.
type Responding interface{ Response() *Response }

// Response is a known regression function f* = Σ_i Coef_i e_i, the e_i those of a series
// kernel, and the noise of responses. They are orthonormal in L² of the uniform law.
type Response struct {
	Coef   []float64
	Noise  float64 // standard deviation
	series *kernel.Series
	text   string
}

// String says what is added to a description of the points; empty for none.
func (r *Response) String() string {
	if r == nil {
		return ""
	}
	return r.text
}

// At are the values of f* at the rows of x (n×1): n cosines a term.
func (r *Response) At(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	values := make([]float64, n)
	const block = 256
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		e := r.series.Eigenfunctions(linalg.Rows(x, from, to), len(r.Coef))
		mat.NewVecDense(to-from, values[from:to]).MulVec(e, mat.NewVecDense(len(r.Coef), r.Coef))
	}
	return values
}

// Draw are responses of the rows of x, of rows that stand for c_i points their means: of
// all that a least-squares estimate depends on no more. Those of the first points of a
// sample are the first ones; means of counts are drawn anew for each n.
func (r *Response) Draw(x *mat.Dense, counts []float64, streams Streams) []float64 {
	y, rng := r.At(x), rand.New(streams("noise"))
	for i := range y {
		points := 1.0
		if counts != nil {
			points = counts[i]
		}
		y[i] += r.Noise / math.Sqrt(points) * rng.NormFloat64()
	}
	return y
}
