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
	"mercer/report/format"
	"mercer/results"
)

// Labels are what methods, data sets, kernels, grid variables and metrics are called in
// figures and tables, by name.
type Labels map[string]string

// usual are the labels of names that mean the same in every spec.
var usual = Labels{"alpha": "α", "beta": "β", "delta": "δ", "ell": "ℓ", "gamma": "γ", "lambda": "λ", "sigma": "σ", "theta": "θ"}

// sizeWords say on an axis what a size counts, before its letter.
var sizeWords = map[string]string{"n": "points", "d": "dimension", "ell": "components", "k": "clusters"}

// LabelsOf are the labels that the spec of a run gives, above those of its methods, above the
// usual ones. A method whose id is not what it uses, but begins with it, keeps it in brackets;
// one that has the name of another method has the label of what it uses.
func LabelsOf(run results.Run) Labels {
	all := maps.Clone(usual)
	for name, metric := range run.Catalog.Metrics {
		all[metricOf+name] = metric.Label
	}
	landmarks, others := false, false // that m counts
	own := run.Catalog.Methods
	for _, method := range own {
		all[method.Use] = method.Label
		all[kernelOf+method.Use] = kernelOf + method.Use
	}
	for id, method := range own {
		switch {
		case method.Label == "" || id == method.Use:
		case method.Another:
			all[id] = method.Label
		case strings.HasPrefix(id, method.Use):
			all[id] = method.Label + " (" + id + ")"
		}
		isLandmarks := strings.HasPrefix(method.Use, "nystrom")
		landmarks, others = landmarks || isLandmarks, others || !isLandmarks && !slices.Contains(exactUses, method.Use)
	}
	for size, word := range sizeWords {
		all[axisOf+size] = word + " " + cmp.Or(all[size], size)
	}
	all[axisOf+"m"] = map[bool]string{true: "landmarks m", false: "landmarks or features m"}[landmarks && !others]
	for name, label := range run.Spec.Labels {
		all[name] = label.Value
	}
	for id := range own {
		all[kernelOf+id] = kernelOf + id
	}
	return all
}

// axisOf begins the name of what only an axis is called, metricOf that of a metric. No name
// has a space.
const axisOf, metricOf = "axis ", "metric "

// kernelOf stands before the name of a kernel.
const kernelOf = "kernel "

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
		switch text := v.String(); name {
		case "dataset":
			v = configs.TextOf(cmp.Or(l[text], text))
		case "kernel":
			v = configs.TextOf(strings.TrimPrefix(l.replaced(kernelOf+text), kernelOf))
		case "method": // or two, as in "nystrom/ekpca"
			v = configs.TextOf(strings.ReplaceAll(l.in(text), "/", " / "))
		}
		names, values = append(names, l.Variable(name)), append(values, v)
	}
	return results.NewKey(names, values)
}

// short writes a group in few columns, a kernel as one.
func short(group results.Key) string {
	if kernel := group.Text("kernel"); kernel != "" {
		group = group.With("kernel", configs.TextOf(kernelOf+kernel))
	}
	return format.ShortWhere(group)
}

// named is what an axis is called but for the words of sizes.
func (l Labels) named(text string) string {
	if text = plain.Text(text); l[axisOf+text] != "" {
		return l.in(text)
	}
	return l.Axis(text)
}

var (
	token    = regexp.MustCompile(`(?:` + kernelOf + `)?[A-Za-z0-9][A-Za-z0-9._-]*`)
	withUnit = regexp.MustCompile(`^([^ ()]+)( \([^()]*\))$`)
)

// in puts labels in place of the names in a text.
func (l Labels) in(text string) string { return token.ReplaceAllStringFunc(text, l.replaced) }

// replaced is a token with a label in place of its name. The label of a method is not that of
// a kernel of the same name.
func (l Labels) replaced(name string) string {
	kernel, is := strings.CutPrefix(name, kernelOf)
	if !is || l[name] != "" {
		return cmp.Or(l[name], name)
	}
	return kernelOf + cmp.Or(l[kernel], kernel)
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
	label := token.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(l[name], symbol(l[metricOf+name]), l.replaced(name)) })
	if strings.Contains(label, " ") && !strings.Contains(text, " ") { // words, which a slash alone does not part
		label = strings.ReplaceAll(label, "/", " / ")
	}
	return label
}

// symbol is the letter at the end of a label, as in "reconstruction error R", which stands
// for it in an expression; else the label.
func symbol(label string) string {
	if end := label[strings.LastIndex(label, " ")+1:]; len(end) == 1 && strings.ToUpper(end) == end && !strings.HasSuffix(label, "of "+end) {
		return end
	}
	return label
}

// shown is what a figure shows of a text: labels, with powers raised and indices sunk.
func (l Labels) shown(text string) string { return raised(l.in(text)) }

// power is a "^" with what it raises: a number, a word, braces, or brackets with brackets in
// them.
var power = regexp.MustCompile(`\^(?:\{([^{}]*)\}|\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)|([-−]?[\pL\pN.]*[\pL\pN]))`)

var product = strings.NewReplacer("*", "", "-", "−", " ", "")

// index is a single letter with "_" and an index, a word or braces; names of several letters
// keep their "_".
var index = regexp.MustCompile(`(^|[^\pL\pN_])(\pL)_(?:\{([^{}]*)\}|([\pL\pN]+))`)

// raised draws the powers of an expression above its line, and indices below it.
func raised(text string) string {
	text = index.ReplaceAllString(text, "${1}${2}"+sink+"${3}${4}"+lower)
	return power.ReplaceAllStringFunc(text, func(p string) string {
		parts := power.FindStringSubmatch(p)
		return raise + product.Replace(parts[1]+parts[2]+parts[3]) + lower
	})
}

// Scripts writes the powers and indices of a text, which figures raise and sink, by functions.
func Scripts(text string, power, index func(string) string) string {
	return shifted.ReplaceAllStringFunc(raised(text), func(s string) string {
		inside := strings.Trim(s, raise+sink+lower)
		if strings.HasPrefix(s, raise) {
			return power(inside)
		}
		return index(inside)
	})
}

// Sentence is a text with a capital first letter, unless it begins with a symbol or the name of
// a method.
func (l Labels) Sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if l[kernelOf+first] != "" {
		return text
	}
	return plain.Capital(text)
}

// labelled is the chart with labels in place of names. The numbers of its marks keep the
// names, which specs and tables have.
func (c Chart) labelled(l Labels) Chart {
	for i := range c.Panels {
		p := &c.Panels[i]
		p.Title = l.shown(p.Title)
		for j := range p.Series {
			p.Series[j].Name = l.shown(p.Series[j].Name)
		}
		for _, a := range []*Axis{&p.X, &p.Y} {
			a.Label, a.Names = raised(l.Axis(a.Label)), lists.Map(a.Names, l.in)
		}
	}
	if c.Bar != nil {
		c.Bar.Label = raised(l.Axis(c.Bar.Label))
	}
	return c
}
