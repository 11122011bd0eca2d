package results

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"mercer/configs"
)

// Value is one value of a column: a number, a text, or none.
type Value = configs.Scalar

// Key is the values of some columns, such as dataset=poly2 method=nystrom n=1000. It says
// where rows stand: a row's own key has all its columns but the repeat, so that rows with
// one key are repeats of each other; the key of a group has the columns that split it off.
//
// Keys with the same columns and values in the same order are ==, and so serve in maps. A
// column without a value is not in a key. The zero Key has no columns.
type Key struct{ of *columns }

type columns struct {
	names  []string
	values []Value
}

// keys holds each different key once, by its text.
var keys = struct {
	sync.Mutex
	known map[string]*columns
}{known: map[string]*columns{}}

// NewKey is the key of columns, in their order. Those whose value is none are left out.
func NewKey(names []string, values []Value) Key {
	var id strings.Builder
	for i, v := range values {
		if v.Kind != configs.None {
			id.WriteString(names[i])
			id.WriteByte(byte(v.Kind))
			id.WriteString(v.String())
			id.WriteByte(0)
		}
	}
	if id.Len() == 0 {
		return Key{}
	}

	keys.Lock()
	defer keys.Unlock()
	if known := keys.known[id.String()]; known != nil {
		return Key{known}
	}
	of := &columns{}
	for i, v := range values {
		if v.Kind != configs.None {
			of.names, of.values = append(of.names, names[i]), append(of.values, v)
		}
	}
	keys.known[id.String()] = of
	return Key{of}
}

// Equal is ==, for packages that compare by reflection.
func (k Key) Equal(other Key) bool { return k == other }

// Get is the value of a column; none where the key has no such column.
func (k Key) Get(name string) Value {
	for column, v := range k.All() {
		if column == name {
			return v
		}
	}
	return Value{}
}

// Number is the number of a column; false where the key has none.
func (k Key) Number(name string) (float64, bool) {
	v := k.Get(name)
	return v.Number, v.Kind == configs.Number
}

// Text is the value of a column as text, "" for none.
func (k Key) Text(name string) string { return k.Get(name).String() }

// All are the columns and their values, in order.
func (k Key) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if k.of == nil {
			return
		}
		for i, name := range k.of.names {
			if !yield(name, k.of.values[i]) {
				return
			}
		}
	}
}

// Names are the columns, in order; not to be changed.
func (k Key) Names() []string {
	if k.of == nil {
		return nil
	}
	return k.of.names
}

// Only is the key of these columns, in the order given, as far as k has them.
func (k Key) Only(names ...string) Key {
	values := make([]Value, len(names))
	for i, name := range names {
		values[i] = k.Get(name)
	}
	return NewKey(names, values)
}

// Without is the key of all other columns.
func (k Key) Without(names ...string) Key {
	var rest []string
	for name := range k.All() {
		if !slices.Contains(names, name) {
			rest = append(rest, name)
		}
	}
	return k.Only(rest...)
}

// With is k with a column set, in its place or at the end.
func (k Key) With(name string, v Value) Key {
	names, values := slices.Clone(k.Names()), []Value(nil)
	if k.of != nil {
		values = slices.Clone(k.of.values)
	}
	if i := slices.Index(names, name); i >= 0 {
		values[i] = v
	} else {
		names, values = append(names, name), append(values, v)
	}
	return NewKey(names, values)
}

// Meets says whether two keys agree in every column that both have: a method that has no m
// stands beside every m.
func (k Key) Meets(other Key) bool {
	for name, v := range k.All() {
		if w := other.Get(name); w.Kind != configs.None && v != w {
			return false
		}
	}
	return true
}

// String writes the columns as "dataset=poly2 method=nystrom n=1000".
func (k Key) String() string {
	var parts []string
	for name, v := range k.All() {
		parts = append(parts, name+"="+v.String())
	}
	return strings.Join(parts, " ")
}
