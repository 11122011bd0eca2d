package figure

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// Labels are what methods, data sets, kernels, grid variables and metrics are called in
// figures and tables, by name.
type Labels map[string]string

// usual are the labels of names that mean the same in every spec.
var usual = Labels{"alpha": "α", "beta": "β", "delta": "δ", "ell": "ℓ", "gamma": "γ", "lambda": "λ", "sigma": "σ", "theta": "θ"}

// sizes are what axes call sizes.
var sizes = Labels{"n": "points n", "m": "landmarks or features m", "d": "dimension d", "ell": "components ℓ", "k": "clusters k"}

// LabelsOf are the labels that the spec of a run gives, above those of its methods, above the
// usual ones. A method whose id is not what it uses, but begins with it, keeps it in brackets;
// one that has the name of another method has the label of what it uses.
func LabelsOf(run results.Run) Labels {
	all := maps.Clone(usual)
	for size, words := range sizes {
		all[axisOf+size] = words
	}
	for name, metric := range run.Catalog.Metrics {
		all[metricOf+name] = metric.Label
	}
	for _, method := range run.Catalog.Methods {
		all[method.Use] = method.Label
	}
	for id, method := range run.Catalog.Methods {
		switch {
		case method.Label == "" || id == method.Use:
		case method.Another:
			all[id] = method.Label
		case strings.HasPrefix(id, method.Use):
			all[id] = method.Label + " (" + id + ")"
		}
	}
	for name, label := range run.Spec.Labels {
		all[name] = label.Value
	}
	return all
}

// axisOf begins the name of what only an axis is called, metricOf that of a metric. No name
// has a space.
const axisOf, metricOf = "axis ", "metric "

// exactUses are the methods that others approximate, at full cost.
var exactUses = []string{"kpca", "ekpca", "kernel-kmeans", "krr"}

// References are the ids of the methods of a run that others approximate.
func References(run results.Run) []string {
	var ids []string
	for _, method := range run.Spec.Methods {
		if slices.Contains(exactUses, method.Use.Value) {
			ids = append(ids, method.ID)
		}
	}
	return ids
}

// Variable is the label of a grid variable before a value: one in words is for axes alone.
func (l Labels) Variable(name string) string {
	if label := l[name]; label != "" && !strings.Contains(label, " ") {
		return label
	}
	return name
}

// Of is the label of one name; "" where it has none.
func (l Labels) Of(name string) string { return cmp.Or(l[name], l[metricOf+name]) }

// Where is a group with labels in place of names.
func (l Labels) Where(group results.Key) results.Key {
	var names []string
	var values []results.Value
	for name, v := range group.All() {
		if slices.Contains([]string{"dataset", "kernel", "method"}, name) { // or two methods, as in "nystrom/ekpca"
			parts := lists.Map(strings.Split(v.String(), "/"), func(part string) string { return cmp.Or(l[part], part) })
			v = configs.TextOf(strings.Join(parts, " / "))
		}
		names, values = append(names, l.Variable(name)), append(values, v)
	}
	return results.NewKey(names, values)
}

// named is what an axis is called but for the words of sizes.
func (l Labels) named(text string) string {
	if text = plain.Text(text); l[axisOf+text] != "" {
		return l.in(text)
	}
	return l.Axis(text)
}

var (
	token    = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._-]*`)
	withUnit = regexp.MustCompile(`^([^ ()]+)( \([^()]*\))$`)
)

// in puts labels in place of the names in a text.
func (l Labels) in(text string) string {
	return token.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(l[name], name) })
}

// Letters puts the letters of names such as "ell" in their place.
func (l Labels) Letters(text string) string {
	return token.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(usual[name], name) })
}

// Axis is the title of an axis: that of a metric or a size by itself is its label in words.
func (l Labels) Axis(text string) string {
	if words := l[axisOf+text]; words != "" && l[text] == usual[text] {
		return words
	}
	if label := l.Of(text); label != "" {
		return label
	}
	if parts := withUnit.FindStringSubmatch(text); parts != nil && l.Of(parts[1]) != "" {
		return l.Of(parts[1]) + parts[2]
	}
	return token.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(l[name], symbol(l[metricOf+name]), name) })
}

// symbol is the letter at the end of a label, as in "reconstruction error R", which stands
// for it in an expression; else the label.
func symbol(label string) string {
	if end := label[strings.LastIndex(label, " ")+1:]; len(end) == 1 && strings.ToUpper(end) == end && !strings.HasSuffix(label, "of "+end) {
		return end
	}
	return label
}

// Sentence is a text with a capital first letter, unless it begins with a name that has a label.
func (l Labels) Sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if l[first] != "" {
		return text
	}
	return plain.Capital(text)
}

// labelled is the chart with labels in place of names. The numbers of its marks keep the
// names, which specs and tables have.
func (c Chart) labelled(l Labels) Chart {
	for i := range c.Panels {
		p := &c.Panels[i]
		p.Title = l.in(p.Title)
		for j := range p.Series {
			p.Series[j].Name = l.in(p.Series[j].Name)
		}
		for _, a := range []*Axis{&p.X, &p.Y} {
			a.Label, a.Names = l.Axis(a.Label), lists.Map(a.Names, l.in)
		}
	}
	return c
}
