package claims

import (
	"fmt"
	"math"

	"mercer/internal/inference"
	"mercer/internal/theory"
)

// smallest is the verdict on a theorem with one parameter that nothing gives:
// nothing is claimed then, but the least value that would do can be told.
func smallest(v Verdict, cells []boundCell, t theory.Theorem, name string, evaluate func([]boundCell) error) Verdict {
	enough := func(value float64) (bool, error) {
		setParameter(cells, name, value)
		if err := evaluate(cells); err != nil {
			return false, err
		}
		for _, c := range cells {
			count := c.coverage()
			if len(c.failing()) > 0 || float64(count.Inside) < v.Target*float64(count.Inside+count.Outside)-inference.RoundingSlack {
				return false, nil
			}
		}
		return true, nil
	}
	open := doubt("open_parameter", "theorem", t.Reference, "name", name, "meaning", t.Open[name], "covered", 100*v.Target, "cells", len(cells))
	value, err := leastValue(enough)
	if err != nil {
		return inconclusive(v, open.with("why", err.Error()))
	}
	v.Parameter = &Parameter{Name: name, Smallest: value}
	return inconclusive(v, open.with("smallest", value))
}

// leastValue is the least positive number for which enough says yes, found by
// bisection and rounded up to three digits. It takes for granted that enough
// stays yes above it, and fails where no number from 1e-12 to 1e12 is the least.
func leastValue(enough func(float64) (bool, error)) (float64, error) {
	const limit = 1e12
	low, high := 1/limit, limit
	if yes, err := enough(low); err != nil {
		return 0, err
	} else if yes {
		return 0, fmt.Errorf("even %g is enough for it", low)
	}
	if yes, err := enough(high); err != nil {
		return 0, err
	} else if !yes {
		return 0, fmt.Errorf("not even %g is enough for it", high)
	}
	for high/low > 1+1e-6 {
		middle := math.Sqrt(low * high)
		yes, err := enough(middle)
		if err != nil {
			return 0, err
		}
		if yes {
			high = middle
		} else {
			low = middle
		}
	}
	unit := math.Pow(10, math.Floor(math.Log10(high))-2)
	rounded := math.Ceil(high/unit*(1-1e-6)) * unit
	if yes, err := enough(rounded); err != nil || !yes {
		return high, err
	}
	return rounded, nil
}
