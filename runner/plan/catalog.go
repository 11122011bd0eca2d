package plan

import (
	"encoding/hex"
	"fmt"
	"maps"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/results"
)

// setPopulations names the population of each group.
func (p *Plan) setPopulations() {
	for _, g := range p.Groups {
		if p.Absent[g.Dataset.ID] == nil {
			hash := hashOf([]string{results.Measuring, fmt.Sprint(p.Spec.Seed), g.Dataset.ID, g.Dataset.Params, g.Dataset.Fingerprint(), g.Kernel.String()})
			g.Population = hex.EncodeToString(hash[:6])
		}
	}
}

// Catalog is what the registries know of the names in the plan.
func (p *Plan) Catalog() results.Catalog {
	c := results.Catalog{
		Methods: map[string]results.MethodInfo{}, Metrics: map[string]results.MetricInfo{}, Measures: map[string][]string{},
		Populations: map[string]results.Population{}, Absent: map[string]string{},
	}
	for _, name := range []string{"dataset", "kernel", "method"} {
		c.Columns = append(c.Columns, results.Column{Name: name})
	}
	for _, name := range p.Spec.Columns() {
		column := results.Column{Name: name}
		if v, ok := p.Spec.Grid.Variable(name); ok {
			column.Free = !v.Derived
			if v.Text {
				for _, value := range v.Values {
					column.Texts = append(column.Texts, value.Text)
				}
			}
		}
		c.Columns = append(c.Columns, column)
	}
	for _, m := range p.Spec.Methods {
		method := p.Methods[m.ID]
		_, registered := methods.Registry[m.ID]
		c.Methods[m.ID] = results.MethodInfo{Use: m.Use.Value, Label: method.Label, Uses: method.Uses, Version: method.Version, Another: registered && m.ID != m.Use.Value}
	}
	for _, name := range p.Spec.Measure.Texts() {
		c.Measures[name] = p.addMetrics(c.Metrics, name)
	}
	used := map[string]bool{}
	for cell := range p.Cells {
		for name := range cell.At.All() {
			used[name] = true
		}
	}
	for _, g := range p.Groups {
		if g.Population == "" {
			continue
		}
		constants := maps.Clone(g.Dataset.common) // what claims may use, though no row does
		maps.DeleteFunc(constants, func(name string, _ float64) bool { return used[name] })
		maps.Copy(constants, g.Dataset.Constants())
		c.Populations[g.Population] = results.Population{
			Dataset: g.Dataset.ID, Describe: g.Dataset.Describe(), Kernel: g.Kernel.String(),
			Constants: constants, Fingerprint: g.Dataset.Fingerprint(), Resampled: g.Dataset.Support().Resampled,
		}
	}
	if len(p.Spec.Targets) > 0 {
		for cell := range p.Cells {
			c.Cells = append(c.Cells, cell.At)
		}
	}
	for id, err := range p.Absent {
		c.Absent[id] = err.Error()
	}
	return c
}

// addMetrics adds the metrics that a measure yields, and names them: of eigenvalues those up
// to the largest ℓ, of times those of phases too.
func (p *Plan) addMetrics(into map[string]results.MetricInfo, name string) []string {
	if own := p.Own[name]; own != nil {
		for metric, o := range own.Outputs {
			into[metric] = results.MetricInfo{Label: o.Label, Better: strings.TrimPrefix(o.Better, "none")}
		}
		return own.Metrics()
	}
	measure := metrics.Registry[name]
	outputs := measure.Outputs
	if name == "eigenvalues" {
		most := 0
		for c := range p.Cells {
			most = max(most, c.Sizes.Ell)
		}
		outputs = metrics.Eigenvalues(most)
	}
	for _, o := range outputs {
		info := results.MetricInfo{
			Label: o.Label, Better: string(o.Better), Unit: measure.Unit,
			Cancels: measure.Cancels, Steps: measure.Steps, Part: metrics.IsPart(o.Name),
		}
		info.Least, info.Most = metrics.Range(o.Name)
		into[o.Name] = info
	}
	return lists.Map(outputs, func(o metrics.Output) string { return o.Name })
}

// Kinds are the kinds of the table's columns, for conditions.
func Kinds(spec *configs.Spec) map[string]configs.Kind {
	kinds := spec.Grid.Kinds()
	for _, name := range spec.Columns() {
		if kinds[name] == configs.None {
			kinds[name] = configs.Number
		}
	}
	return kinds
}
