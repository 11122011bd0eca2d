package configs

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"mercer/internal/plain"
)

// Params are the undecoded parameters of a dataset, a kernel or a method: all
// its keys but id and use (and, for methods, n, m, d and ell). The zero value
// has no parameters.
type Params struct {
	owner string // for messages: method "nystrom"
	node  Node   // a mapping
	at    string // at which values of names they are bound: " at lam = 0"
}

// DecodeNode keeps the keys of a mapping.
func (p *Params) DecodeNode(n *Node, d *Decoder) {
	if d.isMapping(n, "a mapping of parameters") {
		*p = Params{owner: d.label, node: *n}
	}
}

// Uses decodes parameters before anything has a value, into a struct as that of [Params.Bind]:
// structure, plain values and the syntax of expressions are checked, and a parameter with an
// expression keeps its default. The names are those that expressions and "=name" use, in
// alphabetical order.
func (p Params) Uses(into any) (names []string, err error) {
	b, _, err := p.decode(into, nil)
	return slices.Sorted(maps.Keys(b.uses)), err
}

// Bind sets the options struct that into points to, which already holds the defaults: only keys
// that are present are overwritten, and zero is a value. Every unknown key, wrong type
// and value out of range is reported in one Problems, with its place. Struct tags are those of
// the spec itself, see decodeStruct; time.Duration and NodeDecoder decode themselves.
//
// Every number may be an expression over the names of env, and every text "=name" for
// one that is a text there ("==x" writes =x). A whole number is one within 1e-9. The result
// are the parameters with values in the place of these, whose Canonical text says what is computed.
//
// It panics when into is not a pointer to a struct.
func (p Params) Bind(into any, env Env) (Params, error) {
	if env == nil {
		env = Env{}
	}
	b, n, err := p.decode(into, env)
	return Params{p.owner, *n, env.at(slices.Sorted(maps.Keys(b.uses)))}, err
}

// Wrong gives what is wrong with the options that parameters were bound to the place of their
// component, with the values of the names that they use.
func (p Params) Wrong(err error) error {
	var problems Problems
	problems.Add(err)
	for i, problem := range problems {
		problems[i] = Problem{p.node.Pos, p.owner + p.at + ": " + problem.Msg}
	}
	return problems.Err()
}

// decode decodes a copy of the parameters, in which expressions give way to their values.
func (p Params) decode(into any, env Env) (*binding, *Node, error) {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("configs: parameters need a pointer to a struct, got %T", into))
	}
	d := newDecoder(p.owner)
	d.bind = &binding{env: env, uses: map[string]bool{}}
	n := p.node.clone()
	n.Kind = Map
	d.decodeStruct(n, v.Elem())
	return d.bind, n, d.problems.Err()
}

// Pos is the place of a key's value, or that of the component when the key is
// not given, for errors that show only when the values are put to use.
func (p Params) Pos(key string) Pos {
	if value := p.node.Get(key); value != nil {
		return value.Pos
	}
	return p.node.Pos
}

// Text is the value of a key as it was written; "" where it is not given or no scalar.
func (p Params) Text(key string) string {
	if value := p.node.Get(key); value != nil {
		return value.Text
	}
	return ""
}

// Equal says whether two Params have the same content, wherever it stands.
func (p Params) Equal(q Params) bool { return p.Canonical() == q.Canonical() }

// Canonical is the canonical text of the parameters, see [Node.Canonical]. It serves for hashing.
func (p Params) Canonical() string {
	n := p.node
	n.Kind = Map
	return n.Canonical()
}

// binding is what decoders of parameters share.
type binding struct {
	env  Env             // nil while names have no values
	uses map[string]bool // names
}

// free says whether a value may be an expression or a "=name".
func (d *Decoder) free() bool { return d.bind != nil && d.tag.Get("fixed") == "" }

// evaluate gives the value of an expression.
func (d *Decoder) evaluate(n *Node) (x float64, found string, ok bool) {
	v := newValue(n, Number, d.bind.env.kinds())
	if strings.HasPrefix(v.Text, "=") {
		d.Errorf(n, "is a number: write %s in place of %s", strings.TrimLeft(v.Text, "= "), quote(v.Text))
		return 0, "", false
	}
	for _, name := range v.Names() {
		d.bind.uses[name] = true
	}
	err := v.Err()
	if err == nil && d.bind.env != nil {
		x, err = v.eval(d.bind.env)
	}
	var wrong Problems
	wrong.Add(err)
	for _, p := range wrong {
		d.add(p.Pos, "%s: %s", d.label, p.Msg)
	}
	if err != nil || d.bind.env == nil {
		return 0, "", false
	}
	n.Kind, n.Text = Number, exactly(x)
	found = plain.Number(x) + v.at(d.bind.env)
	return x, found, true
}

// column is the text of a grid variable; the text behind a second = is taken literally.
func (d *Decoder) column(n *Node, name string) (text string, ok bool) {
	if literal := strings.HasPrefix(name, "="); literal {
		n.Text = name
		return name, true
	}
	d.bind.uses[name] = true
	value := d.bind.env[name]
	switch {
	case d.bind.env == nil:
		return "", false
	case value.Kind == None:
		d.add(n.Pos, "%s: %s", d.label, Unknown("name", name, "", d.bind.env.names()))
		return "", false
	case value.Kind == Number:
		d.Errorf(n, "takes a text, and %s is a number", name)
		return "", false
	}
	n.Text = value.Text
	d.label += " at " + name + " = " + value.Text
	return value.Text, true
}
