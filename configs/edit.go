package configs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/internal/lists"
)

// Set is a copy of the tree with a value in the place of that at a path: repeats, grid.n,
// datasets.mix.sigma. Entries of lists are named by their ids. A key that is not there yet is
// added; Decode says whether it may be.
func Set(tree *Node, path string, value *Node) (*Node, error) {
	e := edit{newDecoder(""), tree.clone()}
	if name, variable := strings.CutPrefix(path, "grid."); variable && name != "skip" {
		e.setVariable(Pair{name, value.Pos, value})
	} else {
		e.set(e.tree, path, Pair{"", value.Pos, value})
	}
	e.keepTexts(tree)
	return e.tree, e.problems.Err()
}

// edit is a tree that is changed, and what is wrong with the changes.
type edit struct {
	*Decoder
	tree *Node
}

// set puts a value at a path below a node.
func (e *edit) set(n *Node, path string, to Pair) {
	names := n.keys()
	if n.Kind == List {
		names = lists.Map(n.Items, (*Node).id)
	}
	at := -1 // of the longest name, which may have dots
	for i, name := range names {
		if (path == name || strings.HasPrefix(path, name+".")) && (at < 0 || len(name) > len(names[at])) {
			at = i
		}
	}
	name, _, inside := strings.Cut(path, ".")
	switch {
	case at < 0 && n.Kind == Map && !inside:
		n.put(Pair{path, to.At, to.Value})
	case at < 0 && n.Kind != Map && n.Kind != List:
		e.add(to.At, "%v has no key %q; give the value as a whole", n, name)
	case at < 0:
		e.add(to.At, "%s", Unknown("name", name, "", names))
	case path == names[at] && n.Kind == Map:
		n.Pairs[at] = Pair{path, to.At, to.Value}
	case path == names[at]:
		n.Items[at] = to.Value
	default:
		below := append(n.Items, lists.Map(n.Pairs, func(p Pair) *Node { return p.Value })...)
		e.set(below[at], path[len(names[at])+1:], to)
	}
}

// setVariable replaces a grid variable.
func (e *edit) setVariable(p Pair) {
	grid := e.tree.Get("grid")
	if grid.Get(p.Key) == nil {
		e.add(p.At, "%s", Unknown("grid variable", p.Key, "", lists.Map(variables(grid), func(p Pair) string { return p.Key })))
		return
	}
	grid.put(p)
}

// Under is the tree as a run profile makes it: the spec's own overlay of its name is applied,
// repeats are capped by its MaxRepeats where that says nothing of them, and `profiles` is left out.
// The result notes which ids the overlay has left out, so that what names them
// in passing (a label, a mark, a sentence of the answer) is no mistake.
func Under(tree *Node, profile RunProfile) *Node {
	e := edit{newDecoder(""), tree.without("profiles").clone()}
	n := tree.Get("profiles").Get(profile.Name)
	if n.Get("repeats") == nil && profile.MaxRepeats > 0 {
		e.tree.Get("repeats").all(func(n *Node) {
			if x, ok := parseNumber(n.Text); ok && n.Kind == Number && x > float64(profile.MaxRepeats) {
				n.Text = fmt.Sprint(profile.MaxRepeats)
			}
		})
	}
	if n == nil {
		return e.tree
	}

	for _, key := range []string{"repeats", "measure"} {
		if i := n.find(key); i >= 0 {
			e.tree.put(n.Pairs[i])
		}
	}
	for _, v := range n.Get("grid").pairs() {
		e.setVariable(v)
	}
	for _, change := range n.Get("parameters").pairs() {
		for _, p := range change.Value.Pairs {
			e.set(e.tree, "datasets."+change.Key+"."+p.Key, p)
		}
	}
	out := &Node{Kind: Map, Pos: n.Pos}
	for _, section := range sections {
		ids, list := n.Get(section.keep), e.tree.Get(section.key)
		if ids == nil || list == nil {
			continue
		}
		left := &Node{Kind: List, Pos: n.Pos, Items: out.Get(section.what).items()}
		list.Items = slices.DeleteFunc(list.Items, func(item *Node) bool {
			gone := !slices.ContainsFunc(ids.Items, func(id *Node) bool { return id.Text == item.id() })
			if id := item.Get("id"); id != nil && gone {
				left.Items = append(left.Items, id)
			}
			return gone
		})
		out.put(Pair{section.what, n.Pos, left})
	}
	e.tree.put(Pair{leftOutKey, n.Pos, out})
	e.keepTexts(tree)
	return e.tree
}

// keepTexts notes the text columns of the tree before: they still have texts, which claims may name, where
// nothing takes them any more.
func (e *edit) keepTexts(before *Node) {
	texts := &Node{Kind: List}
	for _, name := range slices.Sorted(maps.Keys(textColumns(before))) {
		texts.Items = append(texts.Items, &Node{Kind: Text, Text: name})
	}
	out := e.tree.Get(leftOutKey)
	if out == nil {
		out = &Node{Kind: Map}
		e.tree.put(Pair{leftOutKey, Pos{}, out})
	}
	if len(texts.Items) > 0 {
		out.put(Pair{textKey, Pos{}, texts})
	}
}
