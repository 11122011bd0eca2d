package configs

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
	b, _ = jsontext.AppendQuote(b, text) // what is no UTF-8 is replaced
	return b
}

// FromJSON reads a tree that MarshalJSON has written; file names it in errors.
func FromJSON(file string, text []byte) (*Node, error) {
	r, at := jsontext.NewDecoder(bytes.NewReader(text)), Pos{File: file}
	n, err := readJSON(r, at)
	if err == nil {
		if _, more := r.ReadToken(); !errors.Is(more, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		return nil, Errorf(at, "not valid JSON: %v", err)
	}
	return n, nil
}

var jsonKinds = map[jsontext.Kind]Kind{'n': None, '0': Number, '"': Text, 't': Bool, 'f': Bool, '[': List, '{': Map}

func readJSON(r *jsontext.Decoder, at Pos) (*Node, error) {
	token, err := r.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &Node{Kind: jsonKinds[token.Kind()], Text: token.String(), Pos: at}
	if n.Kind != List && n.Kind != Map {
		return n, nil
	}
	for r.PeekKind() != ']' && r.PeekKind() != '}' {
		key := ""
		if n.Kind == Map {
			if token, err = r.ReadToken(); err != nil {
				return nil, err
			}
			key = token.String()
		}
		value, err := readJSON(r, at)
		switch {
		case err != nil:
			return nil, err
		case n.Kind == Map:
			n.Pairs = append(n.Pairs, Pair{key, at, value})
		default:
			n.Items = append(n.Items, value)
		}
	}
	_, err = r.ReadToken()
	return n, err
}
