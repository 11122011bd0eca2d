package configs

import (
	"fmt"
	"math"
	"reflect"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
)

// Component is a dataset, a kernel or a method: an id that names it in
// results, the registered name it uses, and that entry's own parameters.
type Component struct {
	ID    string           `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64, the first a letter or digit)" doc:"Names the entry in results; unique in its list."`
	Use   Word             `yaml:"use" required:"true"`
	Sizes map[string]Value `yaml:"-"` // methods only: n, m, d, ell in place of the grid's

	// An optional data set that is absent is skipped, and the rest is run.
	Optional bool `yaml:"optional" doc:"Where the data are absent, skip this data set and run the rest (default false)."`

	Params Params `yaml:"-"` // all further keys
	Kind   string `yaml:"-"` // dataset, kernel or method
	Pos    Pos    `yaml:"-"`
}

// String names the component in messages: method "nystrom".
func (c Component) String() string { return fmt.Sprintf("%s %q", c.Kind, c.ID) }

// IDs lists the ids of components in their order.
func IDs(components []Component) []string {
	return lists.Map(components, func(c Component) string { return c.ID })
}

// SizesAt are the sizes of the method at a grid point: the point's own, or
// the method's override, whose expression sees the grid's values of all variables
// (not other overrides) and the data set's constants. A size that neither gives is 0.
//
// An override that is no size is an error with its
// place, the value and what it was computed from.
func (c Component) SizesAt(point Env, constants map[string]float64) (at sizes.Sizes, err error) {
	for _, name := range sizes.Names {
		at.Set(name, int(point[name].Number))
	}
	if len(c.Sizes) == 0 {
		return at, nil
	}
	env := Numbers(constants).With(point)
	var p Problems
	for name, v := range c.Sizes {
		x, err := v.eval(env)
		x = nearWhole(x)
		if err == nil {
			err = checkSize(name, v, x, env)
		}
		p.Add(err)
		at.Set(name, int(x))
	}
	return at, p.Err()
}

// DecodeNode splits the keys of a component into id, use, sizes and the rest,
// which stays undecoded.
func (c *Component) DecodeNode(n *Node, d *Decoder) {
	if !d.isMapping(n, "a mapping with id and use") {
		return
	}
	c.Kind = d.tag.Get("item")
	own, rest := Node{Kind: Map, Pos: n.Pos}, Node{Kind: Map, Pos: n.Pos}
	for _, p := range n.Pairs {
		switch {
		case p.Key == "id" || p.Key == "use" || p.Key == "optional" && c.Kind == "dataset":
			own.Pairs = append(own.Pairs, p)
		case c.Kind == "method" && sizes.Is(p.Key):
			if c.Sizes == nil {
				c.Sizes = map[string]Value{}
			}
			c.Sizes[p.Key] = d.under(p.Key, "").size(p.Key, p.Value)
		default:
			rest.Pairs = append(rest.Pairs, p)
		}
	}
	d.decodeStruct(&own, reflect.ValueOf(c).Elem())
	c.Params.DecodeNode(&rest, d)
}

// Takes says so in words.
func (*Component) Takes(reflect.StructTag) string { return "a mapping" }

// The largest sizes that are taken for honest: MaxPoints for samples that are points of their
// own, and for all but n. Samples of counts have no more memory for more points: maxCounted is what
// float64 counts exactly.
const (
	MaxPoints  = 1e9
	maxCounted = 1 << 53
)

// size decodes a value of a grid variable or a size. A plain number that cannot be a
// size is refused; expressions are checked at each grid point.
func (d *Decoder) size(name string, n *Node) (v Value) {
	d.Decode(n, &v)
	if x, number := v.Number(); number {
		d.problems.Add(checkSize(name, v, x, nil))
	}
	return v
}

// checkSize refuses a value of a variable that is no size, where it has to be one.
func checkSize(name string, v Value, x float64, env Env) error {
	wrong, limit, text := "", float64(MaxPoints), plain.Number(MaxPoints)
	if name == "n" {
		limit, text = maxCounted, "2^53"
	}
	switch {
	case !sizes.Is(name):
	case x < 1:
		wrong = "a size is at least 1; use max(1, ...) or skip such points"
	case x > limit:
		wrong = name + " is at most " + text
	case x != math.Trunc(x):
		wrong = "a size is a whole number; use ceil, floor or round"
	}
	if wrong == "" {
		return nil
	}
	value := ""
	if _, number := v.Number(); !number {
		value = " is " + plain.Number(x) + v.at(env)
	}
	return Errorf(v.Pos, "%s = %s%s; %s", name, v.Text, value, wrong)
}
