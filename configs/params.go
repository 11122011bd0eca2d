package configs

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// Params are the undecoded parameters of a dataset, a kernel or a method: all
// its keys but id and use (and, for methods, n, m, d and ell). The zero value
// has no parameters.
type Params struct {
	owner string // for messages: method "nystrom"
	pos   Pos
	pairs []*yaml.Node // key, value, key, value, ...
}

func (p Params) node() *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: p.pairs, Line: p.pos.Line, Column: p.pos.Col}
}

// ParamsFrom reads parameters from YAML text, for tests and for callers that
// have no spec; kind and owner name them in messages: method "nystrom".
func ParamsFrom(kind, owner string, yamlText string) (Params, error) {
	p := Params{owner: fmt.Sprintf("%s %q", kind, owner)}
	if strings.TrimSpace(yamlText) == "" {
		return p, nil
	}
	node, d := read("", []byte(yamlText))
	if node != nil && d.isMapping(node, place{label: p.owner}, "a mapping") {
		p.pos, p.pairs = d.pos(node), node.Content
	}
	return p, d.problems.Err()
}

// Decode sets the options struct that into points to, which already holds the
// defaults: only keys that are present are overwritten, and zero is a value.
// Every unknown key, wrong type and value out of range is reported in one
// Problems, with its place. The struct's tags are those of the spec itself:
// yaml, required, min, max, above, below, minlen, maxlen, unique, enum,
// pattern and doc; a blank field tagged word:"key" lets a word stand for the mapping
// {key: word}. Value, time.Duration and yaml.Unmarshaler decode themselves.
//
// It panics when into is not a pointer to a struct.
func (p Params) Decode(into any) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("configs: Params.Decode needs a pointer to a struct, got %T", into))
	}
	d := decoder{file: p.pos.File}
	d.decodeStruct(p.node(), v.Elem(), place{label: p.owner})
	return d.problems.Err()
}

// DecodeNode decodes one node with the strictness of Params.Decode, for an
// UnmarshalYAML that has to look at a node before it knows the type. The label
// names the value in messages; places come without a file, which the caller's
// caller fills in.
func DecodeNode(n *yaml.Node, label string, into any) error {
	d := decoder{}
	d.decode(n, reflect.ValueOf(into).Elem(), place{label: label})
	return d.problems.Err()
}

// With is p with the keys of changes in place of its own; keys that p has not
// come last. Values are replaced whole, mappings too.
func (p Params) With(changes Params) Params {
	p.pairs = slices.Clone(p.pairs)
	for key, value := range pairs(changes.node()) {
		if at := slices.Index(p.Keys(), key.Value); at >= 0 {
			p.pairs[2*at], p.pairs[2*at+1] = key, value
		} else {
			p.pairs = append(p.pairs, key, value)
		}
	}
	return p
}

// Keys lists the keys in the order written.
func (p Params) Keys() []string {
	var keys []string
	for key := range pairs(p.node()) {
		keys = append(keys, key.Value)
	}
	return keys
}

// Pos is the place of a key's value, or that of the component when the key is
// not given, for errors that show only when the values are put to use.
func (p Params) Pos(key string) Pos {
	if value := child(p.node(), key); value != nil {
		return Pos{p.pos.File, value.Line, value.Column}
	}
	return p.pos
}

// String names the owner: method "nystrom".
func (p Params) String() string { return p.owner }

// Equal says whether two Params have the same content, wherever it stands.
func (p Params) Equal(q Params) bool { return p.Canonical() == q.Canonical() }

// Canonical is a text that depends on the content alone, not on the order of
// keys, quotes, comments or the way a number is written (1000, 1e3, 1000.0).
// It is YAML, reads back to equal Params, and serves for hashing.
func (p Params) Canonical() string {
	var b strings.Builder
	writeCanonical(&b, p.node())
	return b.String()
}

func writeCanonical(b *strings.Builder, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		values := map[string]*yaml.Node{}
		for key, value := range pairs(n) {
			values[key.Value] = value
		}
		writeList(b, "{}", slices.Sorted(maps.Keys(values)), func(key string) {
			b.WriteString(quoteYAML(key) + ": ")
			writeCanonical(b, values[key])
		})
	case yaml.SequenceNode:
		writeList(b, "[]", n.Content, func(entry *yaml.Node) { writeCanonical(b, entry) })
	default:
		b.WriteString(canonicalScalar(n))
	}
}

func writeList[T any](b *strings.Builder, brackets string, list []T, write func(T)) {
	b.WriteByte(brackets[0])
	for i, one := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		write(one)
	}
	b.WriteByte(brackets[1])
}

func canonicalScalar(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!null":
		return "null"
	case "!!bool":
		return strings.ToLower(n.Value)
	case "!!int", "!!float":
		return canonicalNumber(n.Value)
	}
	return quoteYAML(n.Value)
}

// canonicalNumber writes integers exactly and other numbers shortest.
func canonicalNumber(text string) string {
	if decimal.MatchString(text) {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(i, 10)
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return strconv.FormatUint(u, 10)
		}
	}
	x, ok := parseNumber(text)
	switch {
	case !ok:
		return text
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// quoteYAML is a double-quoted YAML scalar in printable ASCII or letters.
func quoteYAML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == ' ' || unicode.IsPrint(r) && r != '\u00a0':
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
