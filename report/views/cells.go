package views

import (
	"maps"
	"slices"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/report/format"
	"mercer/results"
)

// cell is what the rows at a key give of a quantity, e.g. of recon_h at n=1000, m=50, method
// nystrom.
type cell struct {
	at     results.Key
	values inference.Sample // by repeat
	lost   bool             // some row should have a value and has none
}

// cellOf reads a quantity of rows.
func cellOf(rows results.Group, of func(*results.Row) (float64, bool)) cell {
	c := cell{at: rows.At, values: inference.Sample{}}
	for _, r := range rows.Rows {
		if v, ok := of(r); ok {
			c.values[r.Repeat] = v
		} else {
			c.lost = c.lost || r.Status != results.Skipped
		}
	}
	return c
}

// ofMetric reads a metric of a row, ofQuantity a quantity.
func ofMetric(name string) func(*results.Row) (float64, bool) {
	return func(r *results.Row) (float64, bool) {
		v, ok := r.Metrics[name]
		return v, ok && r.Status == results.OK
	}
}

func ofQuantity(q *results.Quantity) func(*results.Row) (float64, bool) {
	return func(r *results.Row) (float64, bool) {
		v, err := q.Value(r)
		return v, err == nil
	}
}

// inOrder are the values by repeat.
func (c cell) inOrder() []float64 {
	return lists.Map(slices.Sorted(maps.Keys(c.values)), func(repeat int) float64 { return c.values[repeat] })
}

// summary of the values of a metric, the interval within the range of the metric.
func (c cell) summary(of results.MetricInfo) results.Summary {
	s := results.Summarize(c.inOrder())
	s.Low, s.High = of.Clip(s.Low, s.Mean, s.High)
	return s
}

// cells are the cells of the run that were not skipped, in the order of tables: by data set,
// kernel and variables, then by method, so that methods at one place follow each other.
func (r *Report) cells() []results.Group {
	if r.known == nil {
		r.known = lists.Where(results.Cells(r.Run.Present()), func(c results.Group) bool {
			return slices.ContainsFunc(c.Rows, func(row *results.Row) bool { return row.Status != results.Skipped })
		})
		order, columns := r.Run.Order(), r.places()
		slices.SortStableFunc(r.known, func(a, b results.Group) int {
			for _, name := range columns {
				if c := order(name, a.At.Get(name), b.At.Get(name)); c != 0 {
					return c
				}
			}
			return 0
		})
	}
	return r.known
}

// places are the columns of a table of means that say where a cell is.
func (r *Report) places() []string {
	return slices.Concat([]string{"dataset", "kernel"}, r.Names.Variables, []string{"method"})
}

// rounded is a key whose numbers have few digits.
func rounded(at results.Key) results.Key {
	for name, v := range at.All() {
		if v.Kind == configs.Number {
			at = at.With(name, configs.TextOf(format.Number(v.Number)))
		}
	}
	return at
}
