package configs

import (
	"cmp"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/sizes"
)

// sections are the lists of a spec whose entries have ids: their keys, what the ids name, and the
// key under which a profile lists those that it keeps.
var sections = []struct{ key, what, keep string }{
	{"datasets", "dataset", "datasets"}, {"kernels", "kernel", ""}, {"methods", "method", "methods"},
	{"claims", "claim", "claims"}, {"checks", "claim", "claims"},
	{"plots", "plot", "plots"}, {"budgets", "budget", "budgets"}, {"targets", "target", "targets"},
}

// names are what a spec names. They are read off its tree before anything is decoded, so that each
// word is looked up where it is decoded, and a mistake in one entry spoils no other.
type names struct {
	ids     map[string][]string // by what they name: dataset, method, variable, column …
	leftOut map[string][]string // ids that a profile has left out, see Under
	texts   map[string]Kind     // Text for grid variables whose values are texts: a component takes them by "=name"
	values  map[string][]Scalar // the values of columns, each once; nil where one is an expression
}

// leftOutKey is where Under notes in a tree what it has left out.
const leftOutKey = "left_out"

func (d *decoding) readNames(tree *Node) {
	d.names = names{map[string][]string{"profile": ProfileNames()}, map[string][]string{}, textColumns(tree), map[string][]Scalar{}}
	d.readIDs(tree)
	for _, p := range tree.Get(leftOutKey).pairs() {
		d.leftOut[p.Key] = lists.Map(p.Value.Items, func(id *Node) string { return id.Text })
	}
	d.readColumns(tree)
	for name := range maps.Clone(d.texts) {
		// Of a misspelt name only the name is reported, not each text of the variable that is meant.
		if near := Nearest(name, d.ids["variable"]); near != "" && d.values[near] == nil && !slices.Contains(d.ids["variable"], name) {
			d.texts[near] = Text
		}
	}
}

// textKey is where an edit notes under leftOutKey which columns nothing takes any more by "=name".
const textKey = "text"

// textColumns are the variables that components take by "=name", or took before an edit.
func textColumns(tree *Node) map[string]Kind {
	texts := map[string]Kind{}
	for _, section := range []string{"datasets", "kernels", "methods"} {
		tree.Get(section).all(func(n *Node) {
			if name, column := strings.CutPrefix(n.Text, "="); column && n.Kind == Text && variablePattern.MatchString(name) {
				texts[name] = Text
			}
		})
	}
	for _, name := range tree.Get(leftOutKey).Get(textKey).items() {
		texts[name.Text] = Text
	}
	return texts
}

// readIDs notes the ids of entries, and reports those that are taken.
func (d *decoding) readIDs(tree *Node) {
	lines := map[string]int{}
	for _, section := range sections {
		for _, item := range tree.Get(section.key).items() {
			id := item.Get("id")
			if id == nil || id.Kind != Text {
				continue
			}
			if first, again := lines[section.what+id.Text]; again {
				d.add(id.Pos, "%s id %q is taken, by the one in line %d", section.what, id.Text, first)
				d.wrong[section.key] = true
			}
			lines[section.what+id.Text] = id.Pos.Line
			d.ids[section.what] = append(d.ids[section.what], id.Text)
			if item.Get("bound") != nil {
				d.ids["bound"] = append(d.ids["bound"], id.Text)
			}
		}
	}
}

// readColumns notes the variables of the grid, the sizes that methods set, and their values, with
// those that profiles give them.
func (d *decoding) readColumns(tree *Node) {
	values := map[string][]*Node{}
	for _, v := range variables(tree.Get("grid")) {
		d.ids["variable"] = append(d.ids["variable"], v.Key)
		values[v.Key] = append(values[v.Key], v.Value.entries()...)
	}
	axes := slices.Clone(d.ids["variable"])
	for _, method := range tree.Get("methods").items() {
		for _, p := range method.Pairs {
			if sizes.Is(p.Key) {
				axes = union(axes, []string{p.Key})
				values[p.Key] = append(values[p.Key], p.Value)
			}
		}
	}
	for _, profile := range tree.Get("profiles").pairs() {
		for _, v := range variables(profile.Value.Get("grid")) {
			values[v.Key] = append(values[v.Key], v.Value.entries()...)
		}
	}
	d.ids["grid variable"], d.ids["column"] = axes, append([]string{"dataset", "kernel", "method"}, axes...)
	for column, nodes := range values {
		d.values[column] = d.plainValues(column, nodes)
	}
}

// plainValues are the values of a column, each once in the order of the numbers; nil where one is an expression.
func (d *decoding) plainValues(column string, nodes []*Node) (values []Scalar) {
	for _, n := range nodes {
		x, number := parseNumber(n.Text)
		switch {
		case d.texts[column] == Text:
			values = append(values, TextOf(n.Text))
		case number:
			values = append(values, NumberOf(x))
		default:
			return nil
		}
	}
	slices.SortStableFunc(values, func(a, b Scalar) int { return cmp.Compare(a.Number, b.Number) })
	return lists.Once(values)
}

// variables are the variables of a grid with their value or values.
func variables(grid *Node) []Pair {
	return lists.Where(grid.pairs(), func(p Pair) bool { return p.Key != "skip" && p.Key != "zip" })
}

// isTarget says whether the spec has a target of this id, in this profile or not.
func (d *Decoder) isTarget(id string) bool {
	return slices.Contains(d.ids["target"], id) || slices.Contains(d.leftOut["target"], id)
}

// lookup reports a word that is not the name of a …; outside of a spec nothing is known.
func (d *Decoder) lookup(what string, word Word) {
	known := d.ids[what]
	switch {
	case d.ids == nil || what == "" || word.Value == "" || slices.Contains(known, word.Value):
	case slices.Contains(d.leftOut[what], word.Value):
		d.add(word.Pos, "%s names %s %q, which the profile leaves out; keep both, or neither", d.label, what, word.Value)
	default:
		d.add(word.Pos, "%s", Unknown(what, word.Value, d.label, known))
	}
}

// CheckNames looks up the names in every expression of the spec (grid, sizes of methods, targets of claims,
// curves and marks of plots), so that a misspelt name is found before a run. A name is known if it is a
// grid variable, a size, or a constant of a data set, of which constants has the names by the id. Where
// it is the constant of another data set shows when the expression is evaluated.
func (s *Spec) CheckNames(constants map[string][]string) error {
	known := s.Columns()
	for _, dataset := range s.Datasets {
		own, ok := constants[dataset.ID]
		if !ok {
			return nil
		}
		known = union(known, own)
	}
	var problems Problems
	for _, v := range s.Expressions {
		if namePattern.MatchString(v.Text) && !slices.Contains(known, v.Text) {
			problems.Add(v.wrong(errors.New(Unknown("name", v.Text, "", known)+`; if it is a text, have a component take its variable by "=name"`), nil))
			continue
		}
		problems.Add(v.Check(known))
	}
	return problems.Err()
}

// sizing are the values of the grid and of the sizes of methods.
func (s *Spec) sizing() []Value {
	all := s.Grid.expressions()
	for _, m := range s.Methods {
		all = slices.AppendSeq(all, maps.Values(m.Sizes))
	}
	return all
}

// Named are the words in the spec's lists and in skip, names of grid variables among them.
func (s *Spec) Named() (words []string) {
	note := func(n *Node) {
		words = slices.Concat(words, namesInText.FindAllString(n.Text, -1), n.Get("where").keys())
	}
	for _, section := range sections {
		s.Tree.Get(section.key).all(note)
	}
	s.Tree.Get("grid").Get("skip").all(note)
	return words
}

var namesInText = regexp.MustCompile(`[A-Za-z]\w*`)

// ForeignNames are the names that the grid and the sizes of methods use beside the
// grid's own variables: constants of data sets.
func (s *Spec) ForeignNames() []string {
	var names []string
	for _, v := range s.sizing() {
		names = union(names, v.Names())
	}
	own := s.Grid.Names()
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(own, name) })
}

// Columns are the columns of the table beside dataset, kernel, method and repeat: grid
// variables, then sizes that methods set and the grid has not.
func (s *Spec) Columns() []string {
	columns := s.Grid.Names()
	for _, size := range sizes.Names {
		set := func(c Component) bool { _, ok := c.Sizes[size]; return ok }
		if !slices.Contains(columns, size) && slices.ContainsFunc(s.Methods, set) {
			columns = append(columns, size)
		}
	}
	return columns
}
