package figure

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"mercer/internal/metrics"
)

// Labels are what methods, data sets, kernels, grid variables and metrics are called in
// figures and tables, by name.
type Labels map[string]string

// usual are the labels of names that mean the same in every spec.
var usual = Labels{"alpha": "α", "beta": "β", "delta": "δ", "ell": "ℓ", "gamma": "γ", "lambda": "λ", "sigma": "σ", "theta": "θ", "nystrom": "Nyström"}

// LabelsOf are the labels of a spec, above the usual ones.
func LabelsOf(given map[string]string) Labels {
	all := maps.Clone(usual)
	maps.Copy(all, given)
	return all
}

// Of is the label of one name; "" where it has none.
func (l Labels) Of(name string) string { return cmp.Or(l[name], metrics.Labels[name]) }

var (
	token    = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._-]*`)
	withUnit = regexp.MustCompile(`^([^ ()]+)( \([^()]*\))$`)
)

// in puts labels in place of the names in a text.
func (l Labels) in(text string) string {
	return token.ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(l[name], name) })
}

// axis is the title of an axis: that of a metric by itself is its label in words.
func (l Labels) axis(text string) string {
	if label := l.Of(text); label != "" {
		return label
	}
	if parts := withUnit.FindStringSubmatch(text); parts != nil && l.Of(parts[1]) != "" {
		return l.Of(parts[1]) + parts[2]
	}
	return l.in(text)
}

func (l Labels) all(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = l.in(text)
	}
	return out
}

func (l Labels) panel(p panel) panel {
	p.title = l.in(p.title)
	p.layers = slices.Clone(p.layers)
	for i := range p.layers {
		p.layers[i].names = l.all(p.layers[i].names)
	}
	for _, a := range []*axis{&p.x, &p.y} {
		a.label, a.ticks = l.axis(a.label), slices.Clone(a.ticks)
		for i := range a.ticks {
			a.ticks[i].Label = l.in(a.ticks[i].Label)
		}
	}
	return p
}

// Labelled is the chart with labels in place of names. Its description and the numbers of
// its marks keep the names, which specs and tables have.
func (c chart) Labelled(l Labels) chart {
	panels, blocks := slices.Clone(c.panels), slices.Clone(c.blocks)
	for i := range panels {
		panels[i] = l.panel(panels[i])
	}
	for i := range blocks {
		blocks[i] = slices.Clone(blocks[i])
		for j := range blocks[i] {
			blocks[i][j].text = l.in(blocks[i][j].text)
		}
	}
	extra := c.arrange()
	c.panels, c.blocks = panels, blocks
	c.height += c.arrange() - extra
	if c.bar != nil {
		bar := l.panel(*c.bar)
		c.bar = &bar
	}
	return c
}
