package configs

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"

	"gopkg.in/yaml.v3"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
)

var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Component is a dataset, a kernel or a method: an id that names it in
// results, the registered name it uses, and that entry's own parameters.
type Component struct {
	ID    string           // unique within its list
	Use   Word             // registry name
	Sizes map[string]Value // methods only: n, m, d, ell in place of the grid's
	// An optional data set (optional: true) that is absent is skipped, and the rest is
	// run.
	Optional bool
	Params   Params // all further keys
	Kind     string // dataset, kernel or method
	Pos      Pos
}

// String names the component in messages: method "nystrom".
func (c Component) String() string { return fmt.Sprintf("%s %q", c.Kind, c.ID) }

func (c Component) id() string { return c.ID }

// IDs lists the ids of components in their order.
func IDs(components []Component) []string {
	return lists.Map(components, func(c Component) string { return c.ID })
}

// SizesAt are the sizes of the method at a grid point: the point's own, or
// the method's override, whose expression sees the grid's values of all variables
// (not other overrides) and the data set's constants. A size that neither gives is 0.
//
// An override that is no size is an error with its
// place, the value and the point.
func (c Component) SizesAt(point, constants map[string]float64) (at sizes.Sizes, err error) {
	for _, name := range sizes.Names {
		if x, ok := point[name]; ok {
			at.Set(name, int(x))
		}
	}
	if len(c.Sizes) == 0 {
		return at, nil
	}
	env := make(map[string]float64, len(point)+len(constants))
	maps.Copy(env, constants)
	maps.Copy(env, point)
	var p Problems
	for name, v := range c.Sizes {
		x, err := v.Eval(env)
		x = nearWhole(name, x)
		switch {
		case err != nil:
			p.Add(err)
		case !isSize(name, x):
			p.Add(Errorf(v.Pos, "%s: %s = %s is %s at %s; %s", c, name, v.Text, plain.Number(x),
				formatPoint(slices.Sorted(maps.Keys(point)), point), sizeAdvice(name, x)))
		default:
			at.Set(name, int(x))
		}
	}
	return at, p.Err()
}

// decodeNode splits the keys of a component into id, use, sizes and the rest,
// which stays undecoded.
func (c *Component) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping with id and use") {
		return
	}
	c.Kind, c.Pos = at.tag.Get("item"), d.pos(n)
	c.Params = Params{owner: at.label, pos: c.Pos}
	for key, value := range pairs(n) {
		inner := place{label: fmt.Sprintf("%s of %s", quote(key.Value), at.label)}
		switch {
		case key.Value == "id":
			d.decode(value, reflect.ValueOf(&c.ID).Elem(), inner)
			if c.ID != "" && !idPattern.MatchString(c.ID) {
				d.add(value, "%s may have letters, digits, dots, hyphens and underscores (at most 64, the first a letter or digit), found %s", inner.label, quote(c.ID))
			}
		case key.Value == "use":
			d.decode(value, reflect.ValueOf(&c.Use).Elem(), inner)
		case c.Kind == "dataset" && key.Value == "optional":
			d.decode(value, reflect.ValueOf(&c.Optional).Elem(), inner)
		case c.Kind == "method" && sizes.Is(key.Value):
			if c.Sizes == nil {
				c.Sizes = map[string]Value{}
			}
			c.Sizes[key.Value] = d.size(key.Value, value, inner)
		default:
			c.Params.pairs = append(c.Params.pairs, key, value)
		}
	}
	for _, required := range []string{"id", "use"} {
		if child(n, required) == nil {
			d.add(n, "missing key %q in %s", required, at.label)
		}
	}
}

func (*Component) schema(tag reflect.StructTag) *JSONSchema {
	return ref(tag.Get("item"))
}
