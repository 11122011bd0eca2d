package configs

import (
	"fmt"
	"reflect"

	"gopkg.in/yaml.v3"
)

// decoder decodes the values of one file and collects every mistake.
type decoder struct {
	file     string
	problems Problems
	broken   map[Pos]bool // places of the values with a mistake inside; nil where nobody asks
}

func (d *decoder) pos(n *yaml.Node) Pos { return Pos{d.file, n.Line, n.Column} }

func (d *decoder) add(n *yaml.Node, format string, args ...any) {
	d.problems = append(d.problems, Problem{d.pos(n), fmt.Sprintf(format, args...)})
}

// mark notes that a value is broken if problems were added since there were so many.
func (d *decoder) mark(at Pos, before int) {
	if d.broken != nil && len(d.problems) > before {
		d.broken[at] = true
	}
}

// sound says whether a value is there and has no mistake inside.
func (d *decoder) sound(n *yaml.Node) bool { return n != nil && !d.broken[d.pos(n)] }

// place says how a value is called in messages and which limits it has.
type place struct {
	label string // `"repeats"`, `item 2 of "measure"`, `method "nystrom"`; empty for the file
	tag   reflect.StructTag
}

// under names the value of a key.
func (at place) under(key string, tag reflect.StructTag) place {
	label := quote(key)
	if at.label != "" {
		label += " of " + at.label
	}
	return place{label: label, tag: tag}
}

// entry names the i-th entry of a list, by its id where it has one.
func (at place) entry(i int, n *yaml.Node) place {
	p := place{label: fmt.Sprintf("entry %d of %s", i+1, at.label), tag: at.tag}
	if kind := at.tag.Get("item"); kind != "" {
		if id := child(n, "id"); id != nil && id.Kind == yaml.ScalarNode {
			p.label = kind + " " + quote(id.Value)
		}
	}
	return p
}

func in(label string) string {
	if label == "" {
		return ""
	}
	return " in " + label
}

// wrong reports a value of the wrong type.
func (d *decoder) wrong(n *yaml.Node, at place, want string) {
	label := at.label
	if label == "" {
		label = "the file"
	}
	d.add(n, "%s must be %s, found %s", label, want, describe(n))
}

// isMapping reports what is no mapping.
func (d *decoder) isMapping(n *yaml.Node, at place, want string) bool {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, at, want)
	}
	return n.Kind == yaml.MappingNode
}
