package configs

import (
	"fmt"
	"reflect"
)

// Decoder decodes a value: it knows what the value is called in messages and which limits it
// has. The decoders of a spec add to one list of problems.
type Decoder struct {
	label string            // `"repeats"`, `entry 2 of "measure"`, `method "nystrom"`; "" for the file
	tag   reflect.StructTag // of the value's field
	*decoding
}

// decoding is what the decoders of a spec share.
type decoding struct {
	names
	problems Problems
	warnings []error
	// expressions are all of the spec but those over metrics.
	expressions []Value
	targets     []Target        // of the spec, which are decoded before its claims
	wrong       map[string]bool // keys of the file with a mistake in their value, or missing
	bind        *binding        // of parameters; nil elsewhere
}

// checked is a struct that has checks beside those of its tags. They fill in what it leaves out.
// What failed to decode has its zero value, which they have nothing against.
type checked interface{ check(d *Decoder) }

func newDecoder(label string) *Decoder {
	return &Decoder{label, "", &decoding{wrong: map[string]bool{}}}
}

// DecodeAs sets what into points to, strictly, by struct tags; label is what messages call
// the value.
func DecodeAs(n *Node, label string, into any) error {
	d := newDecoder(label)
	d.Decode(n, into)
	return d.problems.Err()
}

// NodeDecoder is a type that has a form of its own in a spec. What is wrong it reports to
// the decoder.
type NodeDecoder interface {
	DecodeNode(n *Node, d *Decoder)
}

// Decode sets what into points to, strictly, by struct tags.
func (d *Decoder) Decode(n *Node, into any) { d.decode(n, reflect.ValueOf(into).Elem()) }

// Errorf adds a problem with a value, which the message names.
func (d *Decoder) Errorf(n *Node, format string, args ...any) {
	d.add(n.Pos, "%s %s", d.label, fmt.Sprintf(format, args...))
}

// Wrong reports a value of the wrong type.
func (d *Decoder) Wrong(n *Node, want string) {
	label := d.label
	if label == "" {
		label = "the file"
	}
	d.add(n.Pos, "%s must be %s, found %v", label, want, n)
}

// isMapping reports what is no mapping.
func (d *Decoder) isMapping(n *Node, want string) bool {
	if n.Kind != Map {
		d.Wrong(n, want)
	}
	return n.Kind == Map
}

func (d *decoding) add(at Pos, format string, args ...any) {
	d.problems = append(d.problems, Problem{at, fmt.Sprintf(format, args...)})
}

// full says that there are so many problems that nothing more is looked at.
func (d *decoding) full() bool { return len(d.problems) >= maxProblems }

// under is the decoder of the value of a key.
func (d *Decoder) under(key string, tag reflect.StructTag) *Decoder {
	label := quote(key)
	if d.label != "" {
		label += " of " + d.label
	}
	return &Decoder{label, tag, d.decoding}
}

// as is the decoder of a value that has a name of its own.
func (d *Decoder) as(label string) *Decoder { return &Decoder{label, d.tag, d.decoding} }

// entry is the decoder of the i-th entry of a list, named by its id where it has one.
func (d *Decoder) entry(i int, n *Node) *Decoder {
	if kind, id := d.tag.Get("item"), n.id(); kind != "" && id != "" {
		return d.as(kind + " " + quote(id))
	}
	return d.as(fmt.Sprintf("entry %d of %s", i+1, d.label))
}

func in(label string) string {
	if label == "" {
		return ""
	}
	return " in " + label
}
