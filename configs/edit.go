package configs

import (
	"fmt"
	"reflect"
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
		e.tree = e.set(tree, path, value)
	}
	return e.tree, e.problems.Err()
}

// edit is a tree that is changed, and what is wrong with the changes.
type edit struct {
	*Decoder
	tree *Node
}

func (e *edit) set(n *Node, path string, value *Node) *Node {
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
	case n.Kind != Map && n.Kind != List:
		e.add(value.Pos, "%v has no key %q; give the value as a whole", n, name)
		return n
	case at < 0 && n.Kind == Map && !inside:
		return n.with(Pair{path, value.Pos, value})
	case at < 0:
		e.add(value.Pos, "%s", Unknown(map[Kind]string{Map: "key", List: "id"}[n.Kind], name, "", names))
		return n
	}
	if rest := strings.TrimPrefix(path[len(names[at]):], "."); rest != "" && n.Kind == Map {
		value = e.set(n.Pairs[at].Value, rest, value)
	} else if rest != "" {
		value = e.set(n.Items[at], rest, value)
	}
	if n.Kind == Map {
		return n.with(Pair{names[at], value.Pos, value})
	}
	items := slices.Clone(n.Items)
	items[at] = value
	return n.withItems(items)
}

// setVariable replaces a grid variable, which may be in a zip group.
func (e *edit) setVariable(p Pair) {
	grid := e.tree.Get("grid")
	if grid == nil || grid.Kind != Map {
		return // Decode says so
	}
	known := lists.Where(grid.keys(), func(key string) bool { return key != "zip" && key != "skip" })
	if slices.Contains(known, p.Key) {
		grid = grid.with(p)
	} else if zip := grid.Get("zip"); zip != nil {
		for i, group := range zip.Items {
			known = append(known, group.keys()...)
			if group.Get(p.Key) != nil {
				items := slices.Clone(zip.Items)
				items[i] = group.with(p)
				grid = grid.with(Pair{"zip", zip.Pos, zip.withItems(items)})
			}
		}
	}
	if !slices.Contains(known, p.Key) {
		e.add(p.At, "%s", Unknown("grid variable", p.Key, e.label, known))
	}
	e.tree = e.tree.with(Pair{"grid", grid.Pos, grid})
}

// under applies the overlay of a name.
func under(tree *Node, name string) (*Node, error) {
	e := edit{newDecoder("profile " + quote(name)), tree.with(Pair{Key: "profiles"})}
	n := tree.Get("profiles").Get(name)
	if n == nil {
		return e.tree, nil
	}
	e.texts = textColumns(tree)
	var o Overlay
	if e.decode(n, reflect.ValueOf(&o).Elem()); len(e.problems) > 0 {
		return e.tree, e.problems.Err()
	}
	for _, p := range n.Pairs {
		switch p.Key {
		case "repeats", "measure":
			e.tree = e.tree.with(p)
		case "parameters":
			e.change(p.Value.Pairs)
		case "grid":
			for _, v := range p.Value.Pairs {
				e.setVariable(v)
			}
		}
	}
	e.keep(o.Datasets, "dataset", "datasets")
	e.keep(o.Methods, "method", "methods")
	e.keep(o.Claims, "claim", "claims", "checks")
	e.keep(o.Plots, "plot", "plots")
	e.keep(o.Budgets, "budget", "budgets")
	e.keep(o.Targets, "target", "targets")
	return e.tree, e.problems.Err()
}

// change replaces parameters of data sets.
func (e *edit) change(changes []Pair) {
	var known []string
	if datasets := e.tree.Get("datasets"); datasets != nil {
		known = lists.Map(datasets.Items, (*Node).id)
	}
	for _, change := range changes {
		if !slices.Contains(known, change.Key) {
			e.add(change.At, "%s", Unknown("dataset", change.Key, e.label, known))
			continue
		}
		for _, p := range change.Value.Pairs {
			e.tree = e.set(e.tree, "datasets."+change.Key+"."+p.Key, p.Value)
		}
	}
}

// keep leaves of sections the entries of some ids, each of which is in one of them.
func (e *edit) keep(ids Words, what string, sections ...string) {
	if ids == nil {
		return
	}
	var known []string
	for _, section := range sections {
		if list := e.tree.Get(section); list != nil {
			known = append(known, lists.Map(list.Items, (*Node).id)...)
			kept := lists.Where(list.Items, func(n *Node) bool { return ids.Has(n.id()) })
			e.tree = e.tree.with(Pair{section, list.Pos, list.withItems(kept)})
		}
	}
	for _, id := range ids {
		if !slices.Contains(known, id.Value) {
			e.add(id.Pos, "%s", Unknown(what, id.Value, e.label, known))
		}
	}
	e.forget(lists.Where(known, func(id string) bool { return !ids.Has(id) }))
}

// forget takes ids that are left out from where they do no harm: labels, sentences of the answer,
// marks and curves of data sets, and data sets under where of which others are left.
func (e *edit) forget(ids []string) {
	gone := func(text string) bool { return slices.Contains(ids, text) }
	e.tree = e.tree.edited(func(p Pair) Pair {
		switch p.Key {
		case "labels":
			p.Value = p.Value.withPairs(lists.Where(p.Value.Pairs, func(label Pair) bool { return !gone(label.Key) }))
		case "answer":
			p.Value = p.Value.withPairs(lists.Where(p.Value.Pairs, func(sentence Pair) bool {
				return !slices.ContainsFunc(Placeholder.FindAllString(sentence.Value.Text, -1), func(in string) bool {
					id, _ := Placed(in)
					return gone(id)
				})
			}))
		case "marks", "theory":
			left := lists.Where(p.Value.Items, func(n *Node) bool {
				datasets := n.Get("where").Get("dataset")
				return datasets == nil || slices.ContainsFunc(datasets.entries(), func(n *Node) bool { return !gone(n.Text) })
			})
			if p.Value = p.Value.withItems(left); p.Value.Kind == List && len(left) == 0 {
				p.Value = nil
			}
		case "where":
			if datasets := p.Value.Get("dataset"); datasets != nil {
				left := lists.Where(datasets.Items, func(n *Node) bool { return !gone(n.Text) })
				if len(left) > 0 {
					p.Value = p.Value.with(Pair{"dataset", datasets.Pos, datasets.withItems(left)})
				}
			}
		}
		return p
	})
}
