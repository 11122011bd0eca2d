package configs

import (
	"slices"

	"mercer/internal/lists"
)

// Kind is the kind of a value in a spec, and of a value of a column.
type Kind uint8

// The kinds of values. Those of a column are None, Number and Text.
const (
	None   Kind = iota // null in a file; in a column: the record does not use the variable
	Number             // also one that no decoder accepts, such as .nan
	Text
	Bool
	List
	Map
)

// Node is a value of a spec as it was written, with its place. Trees are read by package
// source or by FromJSON, and are not changed afterwards: an edit makes a copy.
type Node struct {
	Kind  Kind
	Text  string  // of a scalar, as written
	Items []*Node // of a list
	Pairs []Pair  // of a mapping: keys in the order written, each once
	Pos   Pos
}

// Pair is a key of a mapping with its value.
type Pair struct {
	Key   string
	At    Pos // of the key
	Value *Node
}

// Get is the value of a mapping's key, nil where there is none.
func (n *Node) Get(key string) *Node {
	if i := n.find(key); i >= 0 {
		return n.Pairs[i].Value
	}
	return nil
}

func (n *Node) find(key string) int {
	return slices.IndexFunc(n.pairs(), func(p Pair) bool { return p.Key == key })
}

// pairs are those of a mapping; a node that is not there has none.
func (n *Node) pairs() []Pair {
	if n == nil {
		return nil
	}
	return n.Pairs
}

// items are those of a list; a node that is not there has none.
func (n *Node) items() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// keys are the keys of a mapping in their order.
func (n *Node) keys() []string {
	return lists.Map(n.pairs(), func(p Pair) string { return p.Key })
}

// id is the text under the key id, "" where there is none.
func (n *Node) id() string {
	if id := n.Get("id"); id != nil {
		return id.Text
	}
	return ""
}

// put sets the value of a mapping's key, which comes last if it is new.
func (n *Node) put(p Pair) {
	if i := n.find(p.Key); i >= 0 {
		n.Pairs[i] = p
		return
	}
	n.Pairs = append(n.Pairs, p)
}

// without is a copy of a mapping that lacks a key.
func (n *Node) without(key string) *Node {
	c := *n
	c.Pairs = lists.Where(n.Pairs, func(p Pair) bool { return p.Key != key })
	return &c
}

// clone is a copy of a tree, which may be changed.
func (n *Node) clone() *Node {
	c := *n
	c.Items = lists.Map(n.Items, (*Node).clone)
	c.Pairs = lists.Map(n.Pairs, func(p Pair) Pair { return Pair{p.Key, p.At, p.Value.clone()} })
	return &c
}

// At is a copy of a tree in which everything has one place.
func (n *Node) At(at Pos) *Node {
	c := n.clone()
	c.all(func(n *Node) {
		n.Pos = at
		for i := range n.Pairs {
			n.Pairs[i].At = at
		}
	})
	return c
}

// entries are those of a list, or the one value in place of a list.
func (n *Node) entries() []*Node {
	if n.Kind == List {
		return n.Items
	}
	return []*Node{n}
}

// all calls f with a node and all nodes below it.
func (n *Node) all(f func(*Node)) {
	if n != nil {
		f(n)
	}
	for _, item := range n.items() {
		item.all(f)
	}
	for _, p := range n.pairs() {
		p.Value.all(f)
	}
}

// String says what a node is, for "must be a list, found ...".
func (n *Node) String() string {
	switch n.Kind {
	case None:
		return "nothing"
	case Number:
		return "the number " + n.Text
	case Text:
		return "the text " + quote(n.Text)
	case Bool:
		return n.Text
	case List:
		return "a list"
	}
	return "a mapping"
}
