package budget

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"mercer/internal/claims"
)

// comparisons are the comparisons of a budget, each pair of cells once.
type comparisons struct {
	level float64
	index map[string]int
	p     []float64
	at    [][]*Pair // the pairs that each test is shown in
}

func newComparisons(level float64) *comparisons {
	return &comparisons{level: level, index: map[string]int{}}
}

// add compares each two methods of a cap.
func (t *comparisons) add(group string, c *Cap) {
	for i, a := range c.Methods {
		for _, b := range c.Methods[i+1:] {
			if a.Compared() && b.Compared() {
				c.Pairs = append(c.Pairs, Pair{Method: a.Method, To: b.Method})
			}
		}
	}
	at := 0
	for i, a := range c.Methods {
		for _, b := range c.Methods[i+1:] {
			if !a.Compared() || !b.Compared() {
				continue
			}
			p := &c.Pairs[at]
			at++
			raw, tested := p.test(a, b, t.level)
			if !tested {
				continue
			}
			key := strings.Join([]string{group, a.Method, a.id, b.Method, b.id}, "\x00")
			k, known := t.index[key]
			if !known {
				k = len(t.p)
				t.index[key] = k
				t.p, t.at = append(t.p, raw), append(t.at, nil)
			}
			t.at[k] = append(t.at[k], p)
		}
	}
}

// test fills in the ratio of a's error to b's; false where nothing is tested.
func (p *Pair) test(a, b Method, level float64) (raw float64, tested bool) {
	p.Ratio, p.Low, p.High, p.P = math.NaN(), math.NaN(), math.NaN(), 1
	var values []float64
	for _, repeat := range slices.Sorted(maps.Keys(a.logs)) {
		if other, ok := b.logs[repeat]; ok {
			values = append(values, a.logs[repeat]-other)
		}
	}
	p.Repeats = len(values)
	if len(values) == 0 {
		p.Reason = "no repeat gives both errors"
		return 1, false
	}
	lost := max(a.Repeats+a.Lost, b.Repeats+b.Lost) - len(values)
	mean, low, high, raw := claims.ZeroMean(values, lost, level)
	p.Ratio, p.Low, p.High = math.Exp(mean), math.Exp(low), math.Exp(high)
	if len(values) < claims.MinRepeats {
		p.Reason = fmt.Sprintf("%s, and a test needs %d", repeatsText(len(values)), claims.MinRepeats)
		return 1, false
	}
	return raw, true
}

// adjust puts the adjusted p into the pairs and returns the number of tests.
func (t *comparisons) adjust() int {
	for k, p := range claims.Holm(t.p) {
		for _, pair := range t.at[k] {
			pair.P = p
		}
	}
	return len(t.p)
}

// withdraw says of all pairs why they are not tested.
func (t *comparisons) withdraw(reason string) {
	for _, pairs := range t.at {
		for _, pair := range pairs {
			pair.P, pair.Reason = 1, reason
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
	var logs []float64
	for _, repeat := range slices.Sorted(maps.Keys(c.Methods[i].logs)) {
		if !slices.ContainsFunc(in, func(k int) bool { _, ok := c.Methods[k].logs[repeat]; return !ok }) {
			logs = append(logs, c.Methods[i].logs[repeat])
		}
	}
	if len(logs) == 0 {
		return math.NaN()
	}
	return stat.Mean(logs, nil)
}

func repeatsText(n int) string {
	if n == 1 {
		return "1 repeat"
	}
	return fmt.Sprintf("%d repeats", n)
}
