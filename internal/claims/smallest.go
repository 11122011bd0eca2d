package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/inference"
	"mercer/internal/theory"
)

// smallest is the verdict on a theorem with one parameter that nothing gives:
// nothing is claimed then, but the least value that would do can be told.
func smallest(v Verdict, cells []boundCell, t theory.Theorem, name string, evaluate func([]boundCell) error) Verdict {
	var problem error
	value, why := leastValue(func(value float64) bool {
		setParameter(cells, name, value)
		problem = cmp.Or(problem, evaluate(cells))
		return problem == nil && !slices.ContainsFunc(cells, func(c boundCell) bool {
			values, _ := c.covered()
			return len(c.failing()) > 0 || floats.Sum(values) < v.Target*float64(len(values))-inference.RoundingSlack
		})
	})

	open := doubt("open_parameter", "theorem", t.Reference, "name", name, "meaning", t.Open[name], "covered", 100*v.Target, "cells", len(cells))
	if problem = cmp.Or(problem, why); problem != nil {
		return inconclusive(v, open.with("why", problem.Error()))
	}
	v.Parameter = &Parameter{Name: name, Smallest: value}
	return inconclusive(v, open.with("smallest", value))
}

// leastValue is the least positive number for which enough says yes, rounded up to three
// digits. It takes for granted that enough stays yes above it, and fails where no number
// from 1e-12 to 1e12 is the least.
func leastValue(enough func(float64) bool) (float64, error) {
	const limit = 1e12
	switch {
	case enough(1 / limit):
		return 0, fmt.Errorf("even %g is enough for it", 1/limit)
	case !enough(limit):
		return 0, fmt.Errorf("not even %g is enough for it", limit)
	}
	exponent := inference.Bisect(-12, 12, func(x float64) bool { return enough(math.Pow(10, x)) })
	unit := math.Pow(10, math.Floor(exponent)-2)
	return math.Ceil(math.Pow(10, exponent)/unit*(1-inference.RoundingSlack)) * unit, nil
}
