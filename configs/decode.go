package configs

import (
	"reflect"
	"strconv"

	"gopkg.in/yaml.v3"
)

// nodeDecoder is the hook of this package's own types.
type nodeDecoder interface {
	decodeNode(d *decoder, n *yaml.Node, at place)
}

var posType = reflect.TypeFor[Pos]()

// decodeFile decodes a file whose root is a mapping into a struct. The node is
// nil when the text could not be read as such.
func decodeFile(file string, text []byte, into any) (*yaml.Node, *decoder) {
	root, d := read(file, text)
	if root == nil || !d.isMapping(root, place{}, "a mapping of keys to values") {
		return nil, d
	}
	d.decodeStruct(root, reflect.ValueOf(into).Elem(), place{})
	return root, d
}

// decode sets v, which is addressable, from n.
func (d *decoder) decode(n *yaml.Node, v reflect.Value, at place) {
	if len(d.problems) >= maxProblems {
		return
	}
	defer d.mark(d.pos(n), len(d.problems))
	if isNull(n) {
		d.add(n, "%s has no value; fill it in or leave the key out", at.label)
		return
	}
	if done := d.decodeHook(n, v, at); done {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		target := reflect.New(v.Type().Elem())
		target.Elem().Set(settled(v)) // the default itself stays as it is
		d.decode(n, target.Elem(), at)
		v.Set(target)
	case reflect.Struct:
		d.decodeStruct(n, v, at)
	case reflect.Slice:
		d.decodeList(n, v, at)
	case reflect.Map:
		d.decodeMap(n, v, at)
	default:
		d.decodeScalar(n, v, at)
	}
}

// decodeHook lets types decode themselves.
func (d *decoder) decodeHook(n *yaml.Node, v reflect.Value, at place) bool {
	switch hook := v.Addr().Interface().(type) {
	case nodeDecoder:
		hook.decodeNode(d, n, at)
	case yaml.Unmarshaler:
		d.addAt(n, at, hook.UnmarshalYAML(n))
	default:
		return false
	}
	return true
}

// addAt adds the error of a hook; it gets the node's place when it has none.
func (d *decoder) addAt(n *yaml.Node, at place, err error) {
	var problems Problems
	problems.Add(err)
	for _, p := range problems {
		if p.Pos.Line == 0 {
			p = Problem{d.pos(n), at.label + ": " + p.Msg}
		}
		p.Pos.File = d.file
		d.problems = append(d.problems, p)
	}
}

// decodeStruct is strict. Struct tags say what is allowed:
//
//	yaml:"name"        key; ",inline" or an embedded struct takes over its keys; "-" is no key
//	required:"true"    the key must be there
//	min max above below numbers: inclusive and exclusive limits
//	minlen maxlen      lists: number of entries
//	unique:"true"      lists of scalars: no entry twice
//	enum:"a,b"         text: one of these
//	pattern:"^...$"    text: a regular expression; want:"..." says it in words
//	word:"key"         on a blank field: a word in place of the mapping is the value of that key
//	item:"claim"       lists: what an entry is called in messages
//	doc:"..."          description for the JSON Schema
//
// A Located field keeps the place of its value; a field `Pos Pos`, tagged yaml:"-", is
// set to the place of the mapping itself.
//
// What the defaults hold stays where a key is missing; lists and maps that are
// given replace the default, nested structs change it key by key.
func (d *decoder) decodeStruct(n *yaml.Node, v reflect.Value, at place) {
	fields := fieldsOf(v.Type())
	want := "a mapping"
	if word, ok := fields.byKey(wordKey(v.Type())); ok {
		if n.Kind == yaml.ScalarNode {
			d.locate(n, v)
			d.decode(n, v.FieldByIndex(word.index), place{label: at.label, tag: word.tag})
			return
		}
		if want = "a word or a mapping"; word.typ.Kind() == reflect.Int {
			want = "a number or a mapping"
		}
	}
	if !d.isMapping(n, at, want+fields.example(n)) {
		return
	}
	d.locate(n, v)
	given := map[string]bool{}
	for key, value := range pairs(n) {
		if len(d.problems) >= maxProblems {
			break
		}
		f, ok := fields.byKey(key.Value)
		if !ok {
			d.add(key, "%s", Unknown("key", key.Value, at.label, fields.keys()))
			continue
		}
		given[f.key] = true
		d.decode(value, v.FieldByIndex(f.index), at.under(f.key, f.tag))
	}
	for _, f := range fields {
		if f.tag.Get("required") == "true" && !given[f.key] {
			d.add(n, "missing key %q%s%s", f.key, in(at.label), f.choices())
		}
	}
}

// locate sets a struct's field Pos, where it has one, to the place of the node.
func (d *decoder) locate(n *yaml.Node, v reflect.Value) {
	if p := v.FieldByName("Pos"); p.IsValid() && p.Type() == posType {
		p.Set(reflect.ValueOf(d.pos(n)))
	}
}

func (d *decoder) decodeList(n *yaml.Node, v reflect.Value, at place) {
	if n.Kind != yaml.SequenceNode {
		d.wrong(n, at, "a list")
		return
	}
	d.checkLength(n, at)
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, entry := range n.Content {
		d.decode(entry, list.Index(i), at.entry(i, entry))
	}
	v.Set(list)
	if at.tag.Get("unique") == "true" {
		d.checkUnique(n, at)
	}
}

func (d *decoder) checkLength(n *yaml.Node, at place) {
	length := len(n.Content)
	if least, err := strconv.Atoi(at.tag.Get("minlen")); err == nil && length < least {
		if length == 0 {
			d.add(n, "%s is an empty list", at.label)
		} else {
			d.add(n, "%s needs at least %d entries, found %d", at.label, least, length)
		}
	}
	if most, err := strconv.Atoi(at.tag.Get("maxlen")); err == nil && length > most {
		d.add(n, "%s has at most %d entries, found %d", at.label, most, length)
	}
}

func (d *decoder) checkUnique(n *yaml.Node, at place) {
	seen := map[string]bool{}
	for _, entry := range n.Content {
		if entry.Kind == yaml.ScalarNode && seen[entry.Value] {
			d.add(entry, "%s lists %s twice", at.label, quote(entry.Value))
		}
		seen[entry.Value] = true
	}
}

func (d *decoder) decodeMap(n *yaml.Node, v reflect.Value, at place) {
	if !d.isMapping(n, at, "a mapping") {
		return
	}
	m := reflect.MakeMapWithSize(v.Type(), len(n.Content)/2)
	for key, value := range pairs(n) {
		before := len(d.problems)
		k := d.decoded(key, v.Type().Key(), place{label: "a key" + in(at.label)})
		x := d.decoded(value, v.Type().Elem(), at.under(key.Value, at.tag))
		if len(d.problems) == before {
			m.SetMapIndex(k, x)
		}
	}
	v.Set(m)
}

func (d *decoder) decoded(n *yaml.Node, t reflect.Type, at place) reflect.Value {
	v := reflect.New(t).Elem()
	d.decode(n, v, at)
	return v
}
