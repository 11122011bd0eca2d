package budget

import (
	"fmt"
	"math"
	"slices"

	"mercer/internal/inference"
	"mercer/internal/plain"
	"mercer/results"
)

// comparisons are the tests of a budget: a pair of cells counts once, in however many
// caps it is chosen.
type comparisons struct {
	confidence float64
	index      map[comparison]int
	p          []float64
}

// comparison tells two cells of a group apart from others.
type comparison struct {
	group, a, b results.Key
}

// add compares each two methods of a cap.
func (t *comparisons) add(group results.Key, c *Cap) {
	for i, a := range c.Methods {
		for _, b := range c.Methods[i+1:] {
			if !a.Compared() || !b.Compared() {
				continue
			}
			pair := pairOf(a, b, t.confidence)
			if pair.Reason == "" {
				key := comparison{group, a.Cell, b.Cell}
				if t.index[key] == 0 {
					t.p = append(t.p, pair.P)
					t.index[key] = len(t.p)
				}
				pair.test = t.index[key]
			}
			c.Pairs = append(c.Pairs, pair)
		}
	}
}

// pairOf is the ratio of a's error to b's; with a Reason where nothing is tested.
func pairOf(a, b Method, confidence float64) Pair {
	d := inference.Comparison{Level: confidence}.Of(b.errors, a.errors)
	p := Pair{Method: a.Method, To: b.Method, Ratio: math.Exp(d.Mean), Low: math.Exp(d.Low), High: math.Exp(d.High), P: d.P, Repeats: len(d.Values)}
	lost := max(a.Repeats+a.Lost, b.Repeats+b.Lost) - p.Repeats
	switch {
	case p.Repeats == 0:
		p.Reason = "no repeat gives both errors"
	case p.Repeats < inference.MinRepeats:
		p.Reason = fmt.Sprintf("%s, and a test needs %d", plain.Count(p.Repeats, "repeat"), inference.MinRepeats)
	case lost > 0:
		p.P, p.Reason = 1, fmt.Sprintf("%d of %d repeats do not give both errors, and failure may depend on the draw", lost, lost+p.Repeats)
	}
	return p
}

// finish puts the adjusted p into the pairs that were tested, or why none counts.
func (t *comparisons) finish(groups []Group, problem string) {
	adjusted := inference.Holm(t.p)
	for _, g := range groups {
		for _, c := range g.Caps {
			for i := range c.Pairs {
				switch p := &c.Pairs[i]; {
				case p.test == 0:
				case problem != "":
					p.P, p.Reason = 1, problem
				default:
					p.P = adjusted[p.test-1]
				}
			}
		}
	}
}

// decide finds the method of least error, and which differ from it significantly.
func (c *Cap) decide(level float64) {
	var in []int
	for i, m := range c.Methods {
		if m.Compared() {
			in = append(in, i)
		}
	}
	if len(in) < 2 {
		return
	}
	least := math.Inf(1)
	for _, i := range in {
		if mean := c.commonMean(in, i); mean < least {
			least, c.Best = mean, i
		}
	}
	if c.Best < 0 {
		return
	}
	c.Clear = !slices.ContainsFunc(c.Methods, func(m Method) bool { return m.Unranked })
	for _, i := range in {
		if i == c.Best {
			continue
		}
		p, _ := c.Against(c.Methods[c.Best].Method, c.Methods[i].Method)
		c.Methods[i].Significant = p.significant(level) && p.Ratio < 1
		c.Clear = c.Clear && c.Methods[i].Significant
	}
}

// commonMean is the mean log error of method i over the repeats that all of in
// have; NaN where they have none in common.
func (c *Cap) commonMean(in []int, i int) float64 {
	return meanLog(c.Methods[i].errors, func(repeat int) bool {
		return !slices.ContainsFunc(in, func(k int) bool { _, ok := c.Methods[k].errors[repeat]; return !ok })
	})
}
