package methods_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

func embeddingShape(s Subject, c sample, e *methods.Embedding) error {
	n, _ := c.x.Dims()
	z := e.Eval(c.x)
	rows, columns := z.Dims()
	switch {
	case methods.ShapeOf(e) != s.Shape:
		return fmt.Errorf("the model is a %s, want a %s", methods.ShapeOf(e), s.Shape)
	case e.Isometric != s.Isometric:
		return fmt.Errorf("isometric: %v, want %v", e.Isometric, s.Isometric)
	case rows != n || columns != e.Dim() || columns < 1:
		return fmt.Errorf("images of %d points are %d×%d, of dimension %d", n, rows, columns, e.Dim())
	case e.Offset != nil && len(e.Offset) != columns:
		return fmt.Errorf("an offset of length %d in dimension %d", len(e.Offset), columns)
	case e.Isometric && e.Offset != nil:
		return errors.New("an isometric embedding with an offset is not one of k(·,x)")
	}
	return nil
}

// imagesOfPoints compares the images of all points at once, and by Map, with
// those of one point at a time, to the rounding of another order of summation.
func imagesOfPoints(_ Subject, c sample, e *methods.Embedding) error {
	n, d := c.x.Dims()
	all := e.Eval(c.x)
	mapped, err := e.Map(context.Background(), c.x)
	if err != nil || !mat.Equal(all, mapped) {
		return fmt.Errorf("method Map differs from Eval: %v", err)
	}
	for i := range n {
		one := e.Eval(c.x.Slice(i, i+1, 0, d).(*mat.Dense)).RawRowView(0)
		if !floats.EqualApprox(one, all.RawRowView(i), imageTolerance*largest(all)) {
			return fmt.Errorf("point %d alone is mapped to %v, among others to %v", i, one, all.RawRowView(i))
		}
	}
	return nil
}

// projection holds an isometric embedding to what a projection P of H does:
// ‖P k(·,x)‖² ≤ k(x,x), and no distance grows.
func projection(s Subject, c sample, e *methods.Embedding) error {
	if !e.Isometric {
		return nil
	}
	z := e.Eval(c.x)
	n, _ := z.Dims()
	for i := range n {
		x := c.x.RawRowView(i)
		for j := range i {
			y := c.x.RawRowView(j)
			inH := c.kernel.At(x, x) + c.kernel.At(y, y) - 2*c.kernel.At(x, y)
			if d := floats.Distance(z.RawRowView(i), z.RawRowView(j), 2); !(d*d <= inH+imageTolerance) {
				return fmt.Errorf("points %d and %d are %.15g apart, squared, and %.15g in H", i, j, d*d, inH)
			}
		}
		if norm := floats.Dot(z.RawRowView(i), z.RawRowView(i)); !(norm <= c.kernel.At(x, x)+imageTolerance) {
			return fmt.Errorf("‖z‖² of point %d is %.15g, k(x,x) is %.15g", i, norm, c.kernel.At(x, x))
		}
	}
	return nil
}

// imageTolerance is of images of size 1. Coordinates along directions of small
// λ are rounding over √λ, and λ is above rounding: 1e-8 = √ε·n at worst.
const imageTolerance = 1e-6

// sameImages compares inner products, relative to the largest.
func sameImages(one, other *methods.Embedding, c sample) error {
	var a, b mat.Dense
	za, zb := one.Eval(c.x), other.Eval(c.x)
	a.Mul(za, za.T())
	b.Mul(zb, zb.T())
	size := mat.Max(&a)
	a.Sub(&a, &b)
	if off := max(mat.Max(&a), -mat.Min(&a)); !(off <= imageTolerance*size) {
		return fmt.Errorf("inner products of images differ by %.2g of %.2g", off, size)
	}
	return nil
}

// doubled is a sample of 30 points, each twice.
func (s Subject) doubled() sample {
	return sample{"each point twice", twice(uniform(4, 30, 1)), s.kernelOr(kernel.NewGaussian(12.5)), sizes(60, 45, 4), ordinary}
}

func checkEqualImages(s Subject) error {
	c := s.doubled()
	model, err := s.fit(c, 1)
	if err != nil {
		return err
	}
	z := model.(*methods.Embedding).Eval(c.x)
	for i := range 30 {
		if one, other := z.RawRowView(2*i), z.RawRowView(2*i+1); !floats.EqualApprox(one, other, imageTolerance*largest(z)) {
			return fmt.Errorf("point %d has the images %v and %v", i, one, other)
		}
	}
	return nil
}

func largest(z *mat.Dense) float64 { return max(mat.Max(z), -mat.Min(z)) }

// oneImage wants equal images of equal points, or an error that says that
// nothing is left once they are centred.
func oneImage(_ Subject, c sample, model methods.Model, err error) error {
	if err != nil {
		return looksTheSame(err)
	}
	z := model.(*methods.Embedding).Eval(c.x)
	n, _ := z.Dims()
	for i := range n {
		if !floats.EqualApprox(z.RawRowView(i), z.RawRowView(0), ordinary*largest(z)) {
			return fmt.Errorf("images %v and %v", z.RawRowView(i), z.RawRowView(0))
		}
	}
	return nil
}

// checkDimensionCut asks for more dimensions than the sample has different
// points: an embedding that keeps fewer must say so.
func checkDimensionCut(s Subject) error {
	x := mat.NewDense(30, 1, nil)
	for i := range 30 {
		x.Set(i, 0, []float64{0.1, 0.35, 0.8}[i%3])
	}
	c := sample{"three points, ten times each", x, s.kernelOr(kernel.NewGaussian(8)), sizes(30, 20, 6), ordinary}
	c.sizes.D = 6
	model, err := s.fit(c, 1)
	if err != nil {
		return err
	}
	e := model.(*methods.Embedding)
	warned := slices.ContainsFunc(e.Caveats(0), func(w string) bool { return strings.Contains(w, "dimensions kept") })
	if s.Isometric && e.Dim() != 3 {
		return fmt.Errorf("%d dimensions of a span of 3", e.Dim())
	}
	if cut := e.Dim() < 6; cut != warned {
		return fmt.Errorf("%d dimensions, and the warnings %q", e.Dim(), e.Caveats(0))
	}
	return embeddingShape(s, c, e)
}

// staysNaN says that an embedding that never saw the NaN of row 3 must not give
// it an image.
func staysNaN(e *methods.Embedding, c sample) error {
	for _, v := range e.Eval(c.x).RawRowView(3) {
		if math.IsNaN(v) {
			return nil
		}
	}
	return errors.New("a NaN in the sample has an image")
}
