package configs

import "slices"

// Budget compares methods at equal cost: within each amount of At, every method
// takes its costliest cell that fits, whatever its error, and the errors of these
// cells are compared in pairs over repeats, on each dataset and kernel and at each
// value of the columns By.
type Budget struct {
	ID        string    `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the comparison and its table; unique among the budgets of the spec."`
	Title     string    `yaml:"title" doc:"What is compared, for the table; such as: equal time."`
	Of        Quantity  `yaml:"of" metrics:"true" required:"true" doc:"The error, less being better: a metric, or an expression over metrics."`
	Cost      Quantity  `yaml:"cost" metrics:"true" required:"true" doc:"What is spent: a metric, such as time_total or storage_fit, or an expression over metrics."`
	At        []float64 `yaml:"at" above:"0" minlen:"1" maxlen:"20" unique:"true" doc:"The budgets, in the unit of cost. Left out, three geometric steps on each dataset, from where two methods have a cell to where two can spend no more."`
	Selection `yaml:",inline"`

	Pos Pos `yaml:"-"`
}

// Quantities lists what a budget reads from records.
func (b Budget) Quantities() []Quantity { return []Quantity{b.Of, b.Cost} }

func (b *Budget) check(d *Decoder) {
	if i := slices.Index(b.By.Texts(), "method"); i >= 0 {
		d.add(b.By[i].Pos, "\"by\" of %s lists method, but methods are what a budget compares; fix them in where", d.label)
	}
	switch named := b.Where["method"]; {
	case len(named.Value) == 1:
		d.add(named.Pos, "%s compares method %q with none; name two at least", d.label, named.Value[0])
	case len(named.Value) == 0 && len(d.ids["method"]) == 1:
		d.add(b.Pos, "%s has nothing to compare: the spec has one method", d.label)
	}
}
