package kernel

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/configs"
)

// Sum is the kernel Σ_i k_i(x,y).
type Sum struct{ Of []Kernel }

func (s Sum) String() string { return named("sum", s.Of) }

// Bound is the sum of the bounds, at least sup k(x,x).
func (s Sum) Bound() float64 { return floats.Sum(each(s.Of, Kernel.Bound)) }

// At is the formula above.
func (s Sum) At(x, y []float64) float64 {
	return floats.Sum(each(s.Of, func(k Kernel) float64 { return k.At(x, y) }))
}

func (s Sum) against(y *mat.Dense) filler { return folded(y, s.Of, floats.Add) }

// Product is the kernel Π_i k_i(x,y).
type Product struct{ Of []Kernel }

func (p Product) String() string { return named("product", p.Of) }

// Bound is the product of the bounds, at least sup k(x,x).
func (p Product) Bound() float64 { return floats.Prod(each(p.Of, Kernel.Bound)) }

// At is the formula above.
func (p Product) At(x, y []float64) float64 {
	return floats.Prod(each(p.Of, func(k Kernel) float64 { return k.At(x, y) }))
}

func (p Product) against(y *mat.Dense) filler { return folded(y, p.Of, floats.Mul) }

// Scaled is the kernel Factor·k(x,y).
type Scaled struct {
	Factor float64
	Of     Kernel
}

func (s Scaled) String() string { return fmt.Sprintf("scale(%.17g, %s)", s.Factor, s.Of) }

// Bound is Factor times that of the kernel.
func (s Scaled) Bound() float64 { return s.Factor * s.Of.Bound() }

// At is the formula above.
func (s Scaled) At(x, y []float64) float64 { return s.Factor * s.Of.At(x, y) }

func (s Scaled) against(y *mat.Dense) filler {
	return mapped(against(s.Of, y), func(v float64) float64 { return s.Factor * v })
}

// mapped fills a block with a function of each value.
func mapped(fill filler, of func(v float64) float64) filler {
	return func(dst, x *mat.Dense, from int) {
		fill(dst, x, from)
		eachRow(dst, eachValue(of))
	}
}

// Power is the kernel k(x,y)^Exponent, a whole number of 1 or more.
type Power struct {
	Exponent int
	Of       Kernel
}

func (p Power) String() string { return fmt.Sprintf("power(%d, %s)", p.Exponent, p.Of) }

// Bound is that of the kernel to the power.
func (p Power) Bound() float64 { return p.of(p.Of.Bound()) }

// At is the formula above.
func (p Power) At(x, y []float64) float64 { return p.of(p.Of.At(x, y)) }

func (p Power) of(v float64) float64 { return math.Pow(v, float64(p.Exponent)) }

func (p Power) against(y *mat.Dense) filler { return mapped(against(p.Of, y), p.of) }

// Normalised is the kernel k(x,y)/√(k(x,x)·k(y,y)), 0 where one of these is 0: the cosine
// of the angle between x and y in the kernel's space.
type Normalised struct{ Of Kernel }

func (n Normalised) String() string { return named("normalise", []Kernel{n.Of}) }

// Bound is 1.
func (n Normalised) Bound() float64 { return 1 }

// At is the formula above, three values of the kernel.
func (n Normalised) At(x, y []float64) float64 {
	return cosineOf(n.Of.At(x, y), n.Of.At(x, x), n.Of.At(y, y))
}

func (n Normalised) against(y *mat.Dense) filler {
	fill, squares := against(n.Of, y), Diagonal(n.Of, y)
	return func(dst, x *mat.Dense, from int) {
		fill(dst, x, from)
		for i, xx := range Diagonal(n.Of, x) {
			row := dst.RawRowView(i)
			for j, yy := range squares[from:] {
				row[j] = cosineOf(row[j], xx, yy)
			}
		}
	}
}

// parts are the kernels that a kernel is made of, nil where there are none.
func parts(k Kernel) []Kernel {
	switch k := k.(type) {
	case Sum:
		return k.Of
	case Product:
		return k.Of
	case Scaled:
		return []Kernel{k.Of}
	case Power:
		return []Kernel{k.Of}
	case Normalised:
		return []Kernel{k.Of}
	case ARD:
		return []Kernel{k.Of}
	}
	return nil
}

func named(name string, of []Kernel) string {
	parts := make([]string, len(of))
	for i, k := range of {
		parts[i] = k.String()
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

func each(of []Kernel, value func(Kernel) float64) []float64 {
	values := make([]float64, len(of))
	for i, k := range of {
		values[i] = value(k)
	}
	return values
}

// folded fills a block with the values of the first kernel, and folds those of the others in.
func folded(y *mat.Dense, of []Kernel, fold func(dst, values []float64)) filler {
	fills := make([]filler, len(of))
	for i, k := range of {
		fills[i] = against(k, y)
	}
	var free buffers
	return func(dst, x *mat.Dense, from int) {
		fills[0](dst, x, from)
		n, m := dst.Dims()
		buffer, release := free.take(n, m)
		defer release()
		for _, fill := range fills[1:] {
			fill(buffer, x, from)
			for i := range n {
				fold(dst.RawRowView(i), buffer.RawRowView(i))
			}
		}
	}
}

// Part is a kernel that another is made of: in a spec, {use: laplace, sigma: 2}.
type Part struct{ Options }

// DecodeNode reads the registered name under use, and the kernel's own keys.
func (p *Part) DecodeNode(n *configs.Node, d *configs.Decoder) {
	use := n.Get("use")
	if use == nil {
		d.Wrong(n, "a kernel with its keys, such as {use: laplace, sigma: 2}")
		return
	}
	name, ok := d.Text(use)
	entry, known := Registry[name]
	if ok && !known {
		d.Errorf(use, "has an %s", configs.Unknown("kernel", name, "", slices.Sorted(maps.Keys(Registry))))
	}
	if !known {
		return
	}
	keys := configs.Node{Kind: configs.Map, Pos: n.Pos}
	for _, pair := range n.Pairs {
		if pair.Key != "use" {
			keys.Pairs = append(keys.Pairs, pair)
		}
	}
	p.Options = entry.New()
	d.Decode(&keys, p.Options)
}

// Takes says so in words.
func (*Part) Takes(reflect.StructTag) string { return "a kernel with its keys" }

func buildAll(parts []Part, d Distances) (of []Kernel, err error) {
	for i, p := range parts {
		k, err := p.Build(d)
		if err != nil {
			return nil, fmt.Errorf("kernel %d of the list: %w", i+1, err)
		}
		of = append(of, k)
	}
	return of, nil
}

// SumOptions are the parameters of a sum of kernels.
type SumOptions struct {
	Of []Part `yaml:"of" required:"true" minlen:"1" doc:"the kernels, such as {use: laplace, sigma: 2}; bandwidth rules look at the same data"`
}

// Build returns the sum.
func (o *SumOptions) Build(d Distances) (Kernel, error) {
	of, err := buildAll(o.Of, d)
	return Sum{of}, err
}

// ProductOptions are the parameters of a product of kernels.
type ProductOptions struct{ SumOptions }

// Build returns the product.
func (o *ProductOptions) Build(d Distances) (Kernel, error) {
	of, err := buildAll(o.Of, d)
	return Product{of}, err
}

// ScaleOptions are the parameters of a multiple of a kernel.
type ScaleOptions struct {
	Factor float64 `yaml:"factor" required:"true" doc:"factor of the kernel, positive"`
	Of     Part    `yaml:"of" required:"true" doc:"the kernel, such as {use: laplace, sigma: 2}"`
}

// Build returns the multiple.
func (o *ScaleOptions) Build(d Distances) (Kernel, error) {
	if err := positive("factor", o.Factor); err != nil {
		return nil, err
	}
	k, err := o.Of.Build(d)
	return Scaled{o.Factor, k}, err
}

// PowerOptions are the parameters of a power of a kernel.
type PowerOptions struct {
	Exponent int  `yaml:"exponent" required:"true" min:"1" max:"64" doc:"whole number from 1 to 64"`
	Of       Part `yaml:"of" required:"true" doc:"the kernel, such as {use: laplace, sigma: 2}"`
}

// Build returns the power.
func (o *PowerOptions) Build(d Distances) (Kernel, error) {
	k, err := o.Of.Build(d)
	return Power{o.Exponent, k}, err
}

// NormaliseOptions are the parameters of a normalised kernel.
type NormaliseOptions struct {
	Of Part `yaml:"of" required:"true" doc:"the kernel, such as {use: polynomial, degree: 3}"`
}

// Build returns the normalised kernel.
func (o *NormaliseOptions) Build(d Distances) (Kernel, error) {
	k, err := o.Of.Build(d)
	return Normalised{k}, err
}
