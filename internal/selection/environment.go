package selection

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/sizes"
	"mercer/results"
)

// Environment is what a target's expression can use in records of one dataset:
// the dataset's constants and the variables that are constant in the records.
type Environment struct {
	Values  map[string]float64
	varying []string
	dataset string
}

// Environment looks through records, of which there must be one at least.
func (r *Records) Environment(dataset string, records []*results.Record) Environment {
	e := Environment{Values: maps.Clone(r.constants[dataset]), dataset: dataset}
	if e.Values == nil {
		e.Values = map[string]float64{}
	}
	for _, name := range slices.Concat(r.VariablesOf(records), sizes.Names) {
		first, ok := Axis(records[0], name)
		same := ok
		for i := 1; i < len(records) && same; i++ {
			v, has := Axis(records[i], name)
			same = has && v == first
		}
		if same {
			e.Values[name] = first
		} else if ok {
			e.varying = append(e.varying, name)
		}
	}
	return e
}

// EnvironmentAt is Environment for points of the grid in place of records, of which there
// must be one at least.
func (r *Records) EnvironmentAt(dataset string, points []map[string]float64) Environment {
	e := Environment{Values: maps.Clone(r.constants[dataset]), dataset: dataset}
	if e.Values == nil {
		e.Values = map[string]float64{}
	}
	for name, first := range points[0] {
		if slices.ContainsFunc(points, func(p map[string]float64) bool { x, has := p[name]; return !has || x != first }) {
			e.varying = append(e.varying, name)
		} else {
			e.Values[name] = first
		}
	}
	return e
}

// Eval evaluates a target; nil is 0. Its error is meant as the reason of a verdict.
func (e Environment) Eval(v *configs.Value) (float64, error) {
	if v == nil {
		return 0, nil
	}
	if x, ok := v.Number(); ok {
		return x, nil
	}
	for _, name := range v.Names() {
		if _, ok := e.Values[name]; ok {
			continue
		}
		if slices.Contains(e.varying, name) {
			return 0, fmt.Errorf("the target %q uses %s, which varies in the group; add it to by, or fix it in where", v.Text, name)
		}
		return 0, fmt.Errorf("the target %q uses %s, which is neither a constant of dataset %s nor a grid variable; known are %s",
			v.Text, name, e.dataset, strings.Join(slices.Sorted(maps.Keys(e.Values)), ", "))
	}
	return v.Eval(e.Values)
}

// Evaluate evaluates an expression over the constants of a record's dataset and its
// grid variables and sizes.
func (r *Records) Evaluate(v configs.Value, record *results.Record) (float64, error) {
	y, err := v.Eval(r.Environment(record.Dataset, []*results.Record{record}).Values)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", cmp.Or(record.Method, record.Dataset), err)
	}
	return y, nil
}
