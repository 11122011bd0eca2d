package configs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/internal/lists"
)

// Under is the tree as a run profile makes it: the spec's own overlay of its name is applied,
// repeats are capped by its MaxRepeats where that says nothing of them, and `profiles` is left out.
func Under(tree *Node, profile RunProfile) (*Node, error) {
	out, err := under(tree, profile.Name)
	own := tree.Get("profiles").Get(profile.Name).Get("repeats")
	if repeats := out.Get("repeats"); repeats != nil && own == nil && profile.MaxRepeats > 0 {
		out = out.with(Pair{"repeats", repeats.Pos, capped(repeats, profile.MaxRepeats)})
	}
	return out, err
}

// capped are repeats whose numbers are at most so many.
func capped(n *Node, most int) *Node {
	c := *n
	if x, ok := parseNumber(n.Text); ok && n.Kind == Number && x > float64(most) {
		c.Text = fmt.Sprint(most)
	}
	c.Pairs = lists.Map(n.Pairs, func(p Pair) Pair { return Pair{p.Key, p.At, capped(p.Value, most)} })
	return &c
}

// Set is a copy of the tree with a value in the place of that at a path: repeats, grid.n,
// datasets.mix.sigma. Entries of lists are named by their ids. A key that is not there yet is
// added; Decode says whether it may be.
func Set(tree *Node, path string, value *Node) (*Node, error) {
	e := edit{newDecoder(""), tree}
	if name, variable := strings.CutPrefix(path, "grid."); variable && name != "zip" && name != "skip" {
		e.setVariable(Pair{name, value.Pos, value})
	} else {
		e.tree = e.set(tree, path, Pair{"", value.Pos, value})
	}
	return e.tree, e.problems.Err()
}

// edit is a tree that is changed, and what is wrong with the changes.
type edit struct {
	*Decoder
	tree *Node
}

// set is a copy of a value with another one at a path below it.
func (e *edit) set(n *Node, path string, to Pair) *Node {
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
		return n.with(Pair{path, to.At, to.Value})
	case at < 0 && n.Kind != Map && n.Kind != List:
		e.add(to.At, "%v has no key %q; give the value as a whole", n, name)
		return n
	case at < 0:
		e.add(to.At, "%s", Unknown("name", name, e.label, names))
		return n
	}
	rest := strings.TrimPrefix(path[len(names[at]):], ".")
	if n.Kind == Map {
		if rest != "" {
			to.Value = e.set(n.Pairs[at].Value, rest, to)
		}
		return n.with(Pair{names[at], to.At, to.Value})
	}
	items := slices.Clone(n.Items)
	if items[at] = to.Value; rest != "" {
		items[at] = e.set(n.Items[at], rest, to)
	}
	return n.withItems(items)
}

// setVariable replaces a grid variable, which may be in a zip group.
func (e *edit) setVariable(p Pair) {
	grid := e.tree.Get("grid")
	known := lists.Map(variables(grid), func(p Pair) string { return p.Key })
	switch {
	case !slices.Contains(known, p.Key):
		e.add(p.At, "%s", Unknown("grid variable", p.Key, e.label, known))
		return
	case grid.Get(p.Key) != nil:
		grid = grid.with(p)
	default:
		zip := grid.Get("zip")
		groups := lists.Map(zip.Items, func(group *Node) *Node {
			if group.Get(p.Key) != nil {
				group = group.with(p)
			}
			return group
		})
		grid = grid.with(Pair{"zip", zip.Pos, zip.withItems(groups)})
	}
	e.tree = e.tree.with(Pair{"grid", grid.Pos, grid})
}

// under applies the overlay of a name, whose form and names the decoder checks. The result notes
// which ids it has left out, so that what names them in passing (a label, a mark, a sentence of the answer)
// is no mistake.
func under(tree *Node, name string) (*Node, error) {
	e := edit{newDecoder("profile " + quote(name)), tree.with(Pair{Key: "profiles"})}
	n := tree.Get("profiles").Get(name)
	if n == nil {
		return e.tree, nil
	}
	e.readNames(tree)
	e.problems = nil // they are those of the tree
	if e.Decode(n, &Overlay{}); len(e.problems) > 0 {
		return e.tree, e.problems.Err()
	}
	for _, p := range n.Pairs {
		switch p.Key {
		case "repeats", "measure":
			e.tree = e.tree.with(p)
		case "grid":
			for _, v := range p.Value.Pairs {
				e.setVariable(v)
			}
		case "parameters":
			for _, change := range p.Value.Pairs {
				for _, inner := range change.Value.Pairs {
					e.tree = e.set(e.tree, "datasets."+change.Key+"."+inner.Key, inner)
				}
			}
		}
	}
	out := map[string][]*Node{}
	for _, section := range sections {
		ids, list := n.Get(section.keep), e.tree.Get(section.key)
		if ids == nil || list == nil {
			continue
		}
		kept := func(item *Node) bool {
			return slices.ContainsFunc(ids.Items, func(id *Node) bool { return id.Text == item.id() })
		}
		e.tree = e.tree.with(Pair{section.key, list.Pos, list.withItems(lists.Where(list.Items, kept))})
		for _, item := range list.Items {
			if id := item.Get("id"); id != nil && !kept(item) {
				out[section.what] = append(out[section.what], id)
			}
		}
	}
	left := &Node{Kind: Map, Pos: n.Pos}
	for _, what := range slices.Sorted(maps.Keys(out)) {
		left = left.with(Pair{what, n.Pos, &Node{Kind: List, Items: out[what], Pos: n.Pos}})
	}
	return e.tree.with(Pair{leftOutKey, n.Pos, left}), e.problems.Err()
}
