package configs

import (
	"reflect"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

var posType = reflect.TypeFor[Pos]()

// decode sets v, which is addressable, from n.
func (d *Decoder) decode(n *Node, v reflect.Value) {
	if d.full() {
		return
	}
	if n.Kind == None {
		d.add(n.Pos, "%s has no value; fill it in or leave the key out", d.label)
		return
	}
	if hook, ok := v.Addr().Interface().(NodeDecoder); ok {
		hook.DecodeNode(n, d)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		target := reflect.New(v.Type().Elem())
		target.Elem().Set(settled(v)) // the default itself stays as it is
		d.decode(n, target.Elem())
		v.Set(target)
	case reflect.Struct:
		d.decodeStruct(n, v)
	case reflect.Slice:
		d.decodeList(n, v)
	case reflect.Map:
		d.decodeMap(n, v)
	default:
		d.decodeScalar(n, v)
	}
}

// mostKeys is how many keys of a mapping are named where it is missing.
const mostKeys = 8

// decodeStruct is strict. Struct tags say what is allowed:
//
//	yaml:"name"        key; ",inline" or an embedded struct takes over its keys; "-" is no key
//	required:"true"    the key must be there
//	min max above below numbers: inclusive and exclusive limits
//	minlen maxlen      lists: number of entries
//	unique:"true"      lists of scalars: no entry twice
//	enum:"a,b"         text: one of these
//	pattern:"^...$"    text: a regular expression; want:"..." says it in words
//	fixed:"true"       of parameters: no expression and no "=name"; a leading = is part of the text
//	names:"method"     a Word, or the keys of a map: they name such, see names
//	word:"key"         on a blank field: a word in place of the mapping is the value of that key
//	oneof:"a,b"        on a blank field: exactly one of these keys is there
//	metrics:"true"     a Value over metrics, which is a text; metrics:"too" also over columns and constants
//	item:"claim"       lists and maps: what an entry is called in messages
//	doc:"..."          description for the JSON Schema
//
// A Located field keeps the place of its value; a field `Pos Pos`, tagged yaml:"-", is
// set to the place of the mapping itself.
//
// What the defaults hold stays where a key is missing; lists and maps that are
// given replace the default, nested structs change it key by key.
func (d *Decoder) decodeStruct(n *Node, v reflect.Value) {
	fields := fieldsOf(v.Type())
	want := "a mapping"
	if word, ok := fields.byKey(blankTag(v.Type(), "word")); ok {
		if n.Kind != Map && n.Kind != List {
			d.locate(n, v)
			(&Decoder{d.label, word.tag, d.decoding}).decode(n, v.FieldByIndex(word.index))
			return
		}
		if want = "a word or a mapping"; word.typ.Kind() == reflect.Int {
			want = "a number or a mapping"
		}
	}
	if !d.isMapping(n, want+" with "+plain.Some(fields.keys(), mostKeys)) {
		return
	}
	d.locate(n, v)
	unknown := false
	for _, p := range n.Pairs {
		if d.full() {
			break
		}
		f, ok := fields.byKey(p.Key)
		if !ok {
			problem := Unknown("key", p.Key, d.label, fields.keys())
			if instead := dropped[v.Type().Name()+"."+p.Key]; instead != "" {
				problem = "key " + quote(p.Key) + " of " + d.label + " is no longer there: " + instead
			}
			d.add(p.At, "%s", problem)
			unknown = true
			continue
		}
		before := len(d.problems)
		d.under(f.key, f.tag).decode(p.Value, v.FieldByIndex(f.index))
		d.mark(f.key, len(d.problems) > before)
	}
	for _, f := range fields {
		if f.tag.Get("required") == "true" && n.Get(f.key) == nil {
			d.add(n.Pos, "missing key %q%s%s", f.key, in(d.label), f.choices())
			d.mark(f.key, true)
		}
	}
	if choice := blankTag(v.Type(), "oneof"); choice != "" {
		count := len(lists.Where(strings.Split(choice, ","), func(key string) bool { return n.Get(key) != nil }))
		if count > 1 || count == 0 && !unknown {
			d.add(n.Pos, "%s needs exactly one of %s, found %d", d.label, strings.ReplaceAll(choice, ",", ", "), count)
		}
	}
	if c, ok := v.Addr().Interface().(checked); ok {
		c.check(d)
	}
}

// mark notes that a key of the file has a mistake.
func (d *Decoder) mark(key string, wrong bool) {
	if d.label == "" && wrong {
		d.wrong[key] = true
	}
}

// locate sets a struct's field Pos, where it has one, to the place of the node.
func (d *Decoder) locate(n *Node, v reflect.Value) {
	if p := v.FieldByName("Pos"); p.IsValid() && p.Type() == posType {
		p.Set(reflect.ValueOf(n.Pos))
	}
}

// decodeList leaves out the entries that have a mistake.
func (d *Decoder) decodeList(n *Node, v reflect.Value) {
	if n.Kind != List {
		d.Wrong(n, "a list")
		return
	}
	d.checkLength(n)
	list := reflect.MakeSlice(v.Type(), 0, len(n.Items))
	seen := map[string]bool{}
	for i, item := range n.Items {
		before := len(d.problems)
		entry := reflect.New(v.Type().Elem()).Elem()
		d.entry(i, item).decode(item, entry)
		if len(d.problems) == before {
			list = reflect.Append(list, entry)
		}
		name := item.Text
		if id := item.Get("id"); item.Kind == Map && id != nil {
			name = id.Text
		}
		if d.tag.Get("unique") == "true" && seen[name] && name != "" {
			d.add(item.Pos, "%s lists %s twice", d.label, quote(name))
		}
		seen[name] = true
	}
	v.Set(list)
}

func (d *Decoder) checkLength(n *Node) {
	length := len(n.Items)
	least, _ := strconv.Atoi(d.tag.Get("minlen"))
	most, limited := strconv.Atoi(d.tag.Get("maxlen"))
	switch {
	case length < least:
		d.add(n.Pos, "%s has %d entries; it needs at least %d", d.label, length, least)
	case limited == nil && length > most:
		d.add(n.Pos, "%s has %d entries; it may have at most %d", d.label, length, most)
	}
}

func (d *Decoder) decodeMap(n *Node, v reflect.Value) {
	if !d.isMapping(n, "a mapping") {
		return
	}
	m := reflect.MakeMapWithSize(v.Type(), len(n.Pairs))
	for _, p := range n.Pairs {
		before := len(d.problems)
		d.lookup(d.tag.Get("names"), Word{p.Key, p.At})
		x := reflect.New(v.Type().Elem()).Elem()
		inner := d.under(p.Key, d.tag)
		if kind := d.tag.Get("item"); kind != "" {
			inner = d.as(kind + " " + quote(p.Key))
		}
		inner.decode(p.Value, x)
		if len(d.problems) == before {
			m.SetMapIndex(reflect.ValueOf(p.Key), x)
		}
	}
	v.Set(m)
}
