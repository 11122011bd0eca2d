package configs

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// MaxDepth is how deep values may be nested.
const MaxDepth = 32

// MarshalJSON writes the value with its keys in the order written and its numbers in
// canonical form. A number that is none in JSON, such as .nan, is an error.
func (n *Node) MarshalJSON() ([]byte, error) { return n.json(nil, false), nil }

// Canonical is a text that depends on the content alone, not on the order of keys,
// quotes, comments or the way a number is written (1000, 1e3, 1000.0). It is JSON.
func (n *Node) Canonical() string { return string(n.json(nil, true)) }

func (n *Node) json(b []byte, sorted bool) []byte {
	switch n.Kind {
	case List:
		b = append(b, '[')
		for i, item := range n.Items {
			b = item.json(separate(b, i), sorted)
		}
		return append(b, ']')
	case Map:
		pairs := n.Pairs
		if sorted {
			pairs = slices.SortedFunc(slices.Values(pairs), func(p, q Pair) int { return strings.Compare(p.Key, q.Key) })
		}
		b = append(b, '{')
		for i, p := range pairs {
			b = p.Value.json(append(appendText(separate(b, i), p.Key), ": "...), sorted)
		}
		return append(b, '}')
	case Text:
		return appendText(b, n.Text)
	case Number:
		return append(b, canonicalNumber(n.Text)...)
	case Bool:
		return append(b, strings.ToLower(n.Text)...)
	}
	return append(b, "null"...)
}

func separate(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ", "...)
	}
	return b
}

func appendText(b []byte, text string) []byte {
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // of a text it cannot fail
	return append(b, bytes.TrimRight(quoted.Bytes(), "\n")...)
}

// FromJSON reads a tree that MarshalJSON has written; file names it in errors.
func FromJSON(file string, text []byte) (*Node, error) {
	r := jsonReader{json.NewDecoder(bytes.NewReader(text)), Pos{File: file}}
	r.UseNumber()
	n, err := r.value(0)
	if err == nil {
		if _, more := r.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		return nil, Errorf(r.pos, "not valid JSON: %v", err)
	}
	return n, nil
}

// jsonReader makes nodes of tokens. All have the file as their place.
type jsonReader struct {
	*json.Decoder
	pos Pos
}

func (r jsonReader) value(depth int) (*Node, error) {
	token, err := r.Token()
	switch {
	case err != nil:
		return nil, err
	case depth > MaxDepth:
		return nil, errors.New("nested too deep")
	}
	n := &Node{Pos: r.pos}
	switch t := token.(type) {
	case json.Number:
		n.Kind, n.Text = Number, t.String()
	case string:
		n.Kind, n.Text = Text, t
	case bool:
		n.Kind, n.Text = Bool, map[bool]string{true: "true", false: "false"}[t]
	case json.Delim:
		return r.inside(n, t, depth)
	}
	return n, nil
}

// inside reads the entries of a list or the pairs of a mapping, and what closes it.
func (r jsonReader) inside(n *Node, open json.Delim, depth int) (*Node, error) {
	n.Kind = List
	if open == '{' {
		n.Kind = Map
	}
	for r.More() {
		var key string
		if n.Kind == Map {
			token, err := r.Token()
			if err != nil {
				return nil, err
			}
			key = token.(string) // the decoder sees to it
			if n.Get(key) != nil {
				return nil, errors.New("key " + quote(key) + " is given twice")
			}
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if n.Kind == Map {
			n.Pairs = append(n.Pairs, Pair{key, r.pos, value})
		} else {
			n.Items = append(n.Items, value)
		}
	}
	_, err := r.Token()
	return n, err
}
