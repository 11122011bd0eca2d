package configs

import (
	"fmt"
	"reflect"
	"regexp"

	"gopkg.in/yaml.v3"

	"mercer/internal/sizes"
)

// maxSize is the largest n, m, d or ell that is taken for honest.
const maxSize = 1e9

var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// decodeNode splits the keys of a component into id, use, sizes and the rest,
// which stays undecoded.
func (c *Component) decodeNode(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, at, "a mapping with id and use")
		return
	}
	c.Kind, c.Pos = at.tag.Get("item"), d.pos(n)
	c.Params = Params{owner: at.label, file: d.file, pos: c.Pos}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		inner := place{label: fmt.Sprintf("%s of %s", quote(key.Value), at.label)}
		switch {
		case key.Value == "id":
			d.decode(value, reflect.ValueOf(&c.ID).Elem(), inner)
			d.checkID(value, c.ID, inner)
		case key.Value == "use":
			d.decode(value, reflect.ValueOf(&c.Use).Elem(), inner)
			c.UsePos = d.pos(value)
		case c.Kind == "dataset" && key.Value == "optional":
			d.decode(value, reflect.ValueOf(&c.Optional).Elem(), inner)
		case c.Kind == "method" && sizes.Is(key.Value):
			c.addSize(d, key.Value, value, inner)
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

func (d *decoder) checkID(n *yaml.Node, id string, at place) {
	if id != "" && !idPattern.MatchString(id) {
		d.add(n, "%s may have letters, digits, dots, hyphens and underscores (at most 64, the first a letter or digit), found %s", at.label, quote(id))
	}
}

func (c *Component) addSize(d *decoder, name string, n *yaml.Node, at place) {
	var v Value
	before := len(d.problems)
	d.decode(n, reflect.ValueOf(&v).Elem(), at)
	if len(d.problems) > before {
		return
	}
	d.problems.Add(checkSizeLiteral(name, v))
	if c.Sizes == nil {
		c.Sizes = map[string]Value{}
	}
	c.Sizes[name] = v
}

// checkSizeLiteral refuses a plain number that cannot be a size; expressions
// are checked at each grid point.
func checkSizeLiteral(name string, v Value) error {
	x, ok := v.Number()
	if !ok || !sizes.Is(name) {
		return nil
	}
	if !isSize(x) {
		return Errorf(v.Pos, "%s = %s is not a size; it must be a whole number from 1 to %s", name, v.Text, FormatNumber(maxSize))
	}
	return nil
}
