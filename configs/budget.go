package configs

import ()

// Budget compares methods at equal cost: within each amount of At, every method
// takes its costliest cell that fits, whatever its error, and the errors of these
// cells are compared in pairs over repeats, on each dataset and kernel and at each
// value of the columns By.
type Budget struct {
	ID        string    `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the comparison and its table; unique among the budgets of the spec."`
	Title     string    `yaml:"title" doc:"What is compared, for the table; such as: equal time."`
	Of        string    `yaml:"of" required:"true" doc:"The error, less being better: a metric, or an expression over metrics."`
	Cost      string    `yaml:"cost" required:"true" doc:"What is spent: a metric, such as time_total or storage_fit, or an expression over metrics."`
	At        []float64 `yaml:"at" above:"0" minlen:"1" maxlen:"20" unique:"true" doc:"The budgets, in the unit of cost. Left out, three geometric steps on each dataset, from where two methods have a cell to where two can spend no more."`
	Selection `yaml:",inline"`

	IDPos   Pos `yaml:"-"`
	OfPos   Pos `yaml:"-"`
	CostPos Pos `yaml:"-"`
	Pos     Pos `yaml:"-"`
}

// Quantities lists what a budget reads from records.
func (b Budget) Quantities() []Quantity { return []Quantity{{b.Of, b.OfPos}, {b.Cost, b.CostPos}} }

// methodIDs lists the ids of methods that the budget names, each with its place.
func (b Budget) methodIDs() []placed {
	var ids []placed
	for _, id := range b.Where["method"] {
		ids = append(ids, placed{id, b.WherePos["method"]})
	}
	return ids
}

// checkBudgets checks every budget that decoded; ids are known when all did.
func (c *checker) checkBudgets(allSound bool) {
	c.budgets = checkEntries(c, "budget", c.spec.Budgets, func(b Budget) entry { return entry{b.ID, b.IDPos, b.Pos} }, c.checkBudget, allSound)
}

func (c *checker) checkBudget(b Budget) {
	where := "budget " + quote(b.ID)
	c.checkSelection(b.Selection, where)
	for _, id := range b.methodIDs() {
		c.lookup("method", id.word, id.pos, where, c.methods)
	}
	for _, q := range b.Quantities() {
		_, err := parseExpression(Value(q))
		c.problems.Add(err)
	}
	if b.Of == b.Cost {
		c.problems.Add(Errorf(b.CostPos, "%s has %q as the error and as the cost; what is spent must be another quantity", where, b.Cost))
	}
	for i, column := range b.By {
		if column == "method" {
			c.problems.Add(Errorf(b.ByPos[i], "\"by\" of %s lists method, but methods are what a budget compares; fix them in where", where))
		}
	}
	switch named := b.Where["method"]; {
	case len(named) == 1:
		c.problems.Add(Errorf(b.WherePos["method"], "%s compares method %q with none; name two at least", where, named[0]))
	case len(named) == 0 && c.methods != nil && len(c.methods) < 2:
		c.problems.Add(Errorf(b.Pos, "%s has nothing to compare: the spec has one method", where))
	}
}
