package configs

import (
	"math"
	"slices"
	"strings"
)

// Constants are the values of a variable in rising order, each once; false where the
// grid has no such variable, or one of its values depends on another variable or on a
// dataset.
func (g Grid) Constants(variable string) ([]float64, bool) {
	values := valuesOf(g.all(), variable)
	if len(values) == 0 {
		return nil, false
	}
	return constants(variable, values)
}

func valuesOf(variables []Variable, name string) []Value {
	var values []Value
	for _, v := range variables {
		if v.Name == name {
			values = append(values, v.Values...)
		}
	}
	return values
}

func constants(column string, values []Value) ([]float64, bool) {
	numbers := make([]float64, len(values))
	for i, v := range values {
		x, err := v.Eval(nil)
		if err != nil {
			return nil, false
		}
		numbers[i] = nearWhole(column, x)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), true
}

// numbers are the values that a numeric column has in the grid, in the grids of the
// profiles or as a size that a method sets; nil where not all are known.
func (c *checker) numbers(column string) []float64 {
	if known, ok := c.columnValues[column]; ok {
		return known
	}
	values := valuesOf(c.spec.Grid.all(), column)
	for _, o := range c.spec.Profiles {
		values = append(values, valuesOf(o.Grid, column)...)
	}
	for _, m := range c.spec.Methods {
		if size, sets := m.Sizes[column]; sets {
			values = append(values, size)
		}
	}
	c.columnValues[column], _ = constants(column, values)
	return c.columnValues[column]
}

// checkPossible notes a number under where that no cell has in its column: a grid may
// have been cut for a shorter run.
func (c *checker) checkPossible(column string, x float64, pos Pos, where string) {
	if !c.whole {
		return
	}
	values, near := c.numbers(column), 1e-9*math.Abs(x)
	at, _ := slices.BinarySearch(values, x-near)
	if len(values) == 0 || at < len(values) && values[at] <= x+near {
		return
	}
	const limit = 20
	var texts []string
	for _, v := range values[:min(limit, len(values))] {
		texts = append(texts, FormatNumber(v))
	}
	if len(values) > limit {
		texts = append(texts, "...")
	}
	c.spec.Warnings = append(c.spec.Warnings, Errorf(pos, "\"where\" of %s: no cell has %s = %s; %s is %s", where, column, FormatNumber(x), column, strings.Join(texts, ", ")))
}

// checkConstants reports expressions without a variable that have no value, such as
// 1/0.
func (c *checker) checkConstants(values []Value) {
	for _, v := range values {
		if _, plain := v.Number(); plain || len(Names(v)) > 0 {
			continue
		}
		_, err := v.Eval(nil)
		c.problems.Add(err)
	}
}
