package kernel

import (
	"errors"
	"fmt"
	"math"
)

// Chi2 is the exponential χ² kernel of histograms, points with coordinates of 0 or more,
//
//	k(x,y) = exp(−Gamma·Σ_j (x_j−y_j)²/(x_j+y_j)),
//
// where a term of two zeros is 0. At and matrices panic at a negative coordinate.
//
// Reference: Zhang, Marszałek, Lazebnik and Schmid (2007), Local features and kernels for
// classification of texture and object categories; scikit-learn's chi2_kernel.
type Chi2 struct{ Gamma float64 }

func (c Chi2) String() string { return fmt.Sprintf("chi2 exp(-%.17g*sum d_j^2/(x_j+y_j))", c.Gamma) }

// Bound is 1.
func (c Chi2) Bound() float64 { return 1 }

// At is the formula above.
func (c Chi2) At(x, y []float64) float64 {
	return math.Exp(-c.Gamma * overBins(x, y, func(u, v float64) float64 {
		if u == v {
			return 0
		}
		return (u - v) / (u + v) * (u - v)
	}))
}

// Intersection is the kernel Σ_j min(x_j, y_j) of histograms, points with coordinates of 0 or
// more. At and matrices panic at a negative coordinate.
//
// Reference: Barla, Odone and Verri (2003), Histogram intersection kernel for image
// classification.
type Intersection struct{}

func (Intersection) String() string { return "intersection sum min(x_j,y_j)" }

// Bound is +Inf.
func (Intersection) Bound() float64 { return math.Inf(1) }

// At is the formula above.
func (Intersection) At(x, y []float64) float64 {
	return overBins(x, y, func(u, v float64) float64 { return min(u, v) })
}

// overBins sums a term over the coordinates of two histograms.
func overBins(x, y []float64, term func(u, v float64) float64) float64 {
	sum := 0.0
	for j, u := range x {
		v := y[j]
		if u < 0 || v < 0 {
			panic(negative(min(u, v)).Error())
		}
		sum += term(u, v)
	}
	return sum
}

func negative(v float64) error {
	return fmt.Errorf("kernels chi2 and intersection compare histograms, of coordinates of 0 or more, and the data have %v: take a kernel of distances, such as gaussian, or data that are not standardised", v)
}

// checkHistograms refuses data with a negative coordinate.
func checkHistograms(d Distances) error {
	if d == nil {
		return nil
	}
	least, err := d.Least()
	if err == nil && least < 0 {
		err = negative(least)
	}
	return err
}

// Chi2Options are the parameters of an exponential χ² kernel.
type Chi2Options struct {
	Gamma float64 `yaml:"gamma" doc:"factor of the χ² distance, positive (default 1)"`
}

// Build returns the exponential χ² kernel.
func (o *Chi2Options) Build(d Distances) (Kernel, error) {
	return Chi2{o.Gamma}, errors.Join(positive("gamma", o.Gamma), checkHistograms(d))
}

// IntersectionOptions has no parameters.
type IntersectionOptions struct{}

// Build returns the histogram intersection kernel.
func (*IntersectionOptions) Build(d Distances) (Kernel, error) {
	return Intersection{}, checkHistograms(d)
}
