package report

import (
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/results"
)

const (
	mostMetrics = 3  // columns of [MeansTable]
	mostMeans   = 12 // rows of [MeansTable]
)

// MainMetrics are the three metrics at most that matter in a run: those of claims, then those of
// plots, without what describes methods where others judge them; without either, the first metric of each measure.
func MainMetrics(run results.Run, spec *configs.Spec, verdicts []claims.Verdict) []string {
	var names []string
	for _, v := range verdicts {
		if !v.Check && v.Answers == 0 {
			names = append(names, configs.NewQuantity(v.Of).Names()...)
		}
	}
	for _, plot := range spec.Plots {
		for _, q := range plot.Quantities() {
			names = append(names, q.Names()...)
		}
	}
	describes := func(name string) bool { return run.Catalog.Metrics[name].Better == "" }
	if slices.ContainsFunc(names, func(name string) bool { return !describes(name) }) {
		names = slices.DeleteFunc(names, describes)
	}
	there := results.MetricNames(run.Rows)
	pick := func(names []string) (picked []string) {
		for _, name := range names {
			if slices.Contains(there, name) && !slices.Contains(picked, name) && len(picked) < mostMetrics {
				picked = append(picked, name)
			}
		}
		return picked
	}
	if picked := pick(names); len(picked) > 0 {
		return picked
	}
	names = nil
	for _, measure := range spec.Measure {
		outputs := run.Catalog.Measures[measure.Value]
		if first := slices.IndexFunc(outputs, func(name string) bool { return slices.Contains(there, name) }); first >= 0 {
			names = append(names, outputs[first])
		}
	}
	return pick(names)
}

// meansRow is a cell of a run.
type meansRow struct {
	results.Group
	where results.Key // the method first
}

// MeansTable is a row a cell: the mean of each metric over repeats and the half-width of
// its 95 % t interval. Of many cells it shows those with the largest sizes, of each data
// set and kernel, and says which they are; all are in the report. It is empty of no metrics.
func MeansTable(run results.Run, names []string, o TableOptions) string {
	cells, large, all := meansRows(run)
	if len(names) == 0 || len(cells) == 0 {
		return ""
	}
	o.Width = max(o.Width, minLine)
	groups := lists.Map(cells, func(c meansRow) results.Key { return c.where })
	shared := format.Common(groups).Without("method")
	o = o.For(run)
	most, fewer := 0, false
	for _, c := range cells {
		most = max(most, len(c.Rows))
	}
	rows := [][]string{append([]string{"method"}, units(run, names)...)}
	for _, c := range cells {
		row := []string{o.where(format.Without(c.where, shared))}
		for _, name := range names {
			text, count := c.mean(run, name)
			if count > 0 && count < most {
				text, fewer = text+fmt.Sprintf(" (%d)", count), true
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	var out strings.Builder
	writeWrapped(&out, "", o.meansTitle(run, most, fewer, shared), o.Width)
	if words := o.inWords(names); words != "" {
		writeWrapped(&out, "", words, o.Width)
	}
	out.WriteString(o.rows(rows))
	switch shown := len(cells); {
	case large > shown && all > large:
		writeWrapped(&out, "", fmt.Sprintf("the first %d of the %d cells with the largest sizes, of %d in all; the report has all", shown, large, all), o.Width)
	case all > large:
		writeWrapped(&out, "", fmt.Sprintf("%d of %d cells, those with the largest sizes; the report has all", shown, all), o.Width)
	case all > shown:
		writeWrapped(&out, "", fmt.Sprintf("the first %d of %d cells; the report has all", shown, all), o.Width)
	}
	return out.String()
}

// inWords says what metrics are called, of those that have a label.
func (o TableOptions) inWords(metrics []string) string {
	var words []string
	for _, name := range metrics {
		if label := o.labels.Of(name); label != "" {
			words = append(words, name+": "+plain.Text(label))
		}
	}
	return strings.Join(words, "; ")
}

// meansTitle says what the numbers are, over most repeats or fewer, and where all of them are
// from.
func (o TableOptions) meansTitle(run results.Run, most int, fewer bool, shared results.Key) string {
	repeats := plain.Count(most, "repeat")
	if profile := run.Manifest.Profile; profile != "" && profile != configs.DefaultProfile {
		repeats += " of profile " + profile
	}
	if fewer {
		repeats += ", or as many as a number in brackets says"
	}
	title := fmt.Sprintf("mean +/- half-width of its %s t interval, %s", format.Percent(results.DefaultLevel), repeats)
	if told := format.Told(shared, o.several); len(told.Names()) > 0 {
		title += "; " + plain.Text(format.PlainWhere(o.labels.Where(told)))
	}
	return title
}

// meansRows are the cells to show, by data set, kernel, point and method; of how many with
// the largest sizes they are the first; and the number of all cells that were not skipped.
func meansRows(run results.Run) (cells []meansRow, large, all int) {
	variables := format.Variables(run)
	for _, cell := range results.Cells(run.Present()) {
		if slices.ContainsFunc(cell.Rows, func(r *results.Row) bool { return r.Status != results.Skipped }) {
			where := cell.At.Only("method", "dataset", "kernel")
			for _, name := range variables {
				v := cell.At.Get(name)
				if v.Kind == configs.Number {
					v = configs.TextOf(format.Number(v.Number))
				}
				where = where.With(name, v)
			}
			cells = append(cells, meansRow{cell, where})
		}
	}
	all = len(cells)
	for _, name := range sizes.Names {
		if len(cells) > mostMeans {
			cells = largest(run, cells, name)
		}
	}
	order := run.Order()
	slices.SortStableFunc(cells, func(a, b meansRow) int {
		for _, name := range slices.Concat([]string{"dataset", "kernel"}, variables, []string{"method"}) {
			if c := order(name, a.At.Get(name), b.At.Get(name)); c != 0 {
				return c
			}
		}
		return 0
	})
	return cells[:min(len(cells), mostMeans)], len(cells), all
}

// largest keeps, of each data set and kernel, the cells whose value of a size is largest. Of those
// whose method does not take it from the grid it keeps those that stand beside one of these.
func largest(run results.Run, cells []meansRow, name string) []meansRow {
	at := func(c meansRow) (design results.Key, value float64, has bool) {
		value, has = c.At.Number(name)
		return c.At.Only("dataset", "kernel"), value, has && !slices.Contains(run.OwnSizes(c.At.Text("method")), name)
	}
	most := map[results.Key]float64{}
	for _, c := range cells {
		if d, value, has := at(c); has {
			most[d] = max(most[d], value)
		}
	}
	point := func(c meansRow) results.Key {
		method := c.At.Text("method")
		return c.At.Without(append(run.OwnSizes(method), "method")...)
	}
	beside := map[results.Key][]results.Key{}
	for _, c := range cells {
		if d, value, has := at(c); has && value == most[d] {
			beside[d] = append(beside[d], point(c))
		}
	}
	return slices.DeleteFunc(cells, func(c meansRow) bool {
		d, value, has := at(c)
		if has || beside[d] == nil {
			return value < most[d]
		}
		return !slices.ContainsFunc(beside[d], point(c).Meets)
	})
}

// mean writes the mean of a metric, and over how many repeats it is; what became of the cell
// where there are none.
func (c meansRow) mean(run results.Run, metric string) (text string, count int) {
	var values []float64
	for _, r := range c.Rows {
		if v, ok := r.Metrics.Get(metric); ok && r.Status == results.OK {
			values = append(values, v)
		}
	}
	if len(values) > 0 {
		s := results.Summarize(values, results.DefaultLevel)
		low, high := run.Catalog.Metrics[metric].Clip(s.Low, s.High)
		return strings.ReplaceAll(format.Mean(s.Mean, low, high), "±", "+/-"), s.Count
	}
	for _, r := range c.Rows {
		if r.Status != results.OK {
			return string(r.Status), 0
		}
	}
	return "-", 0
}

// units are the names of metrics with their units.
func units(run results.Run, names []string) []string {
	return lists.Map(names, func(name string) string {
		if unit := run.Catalog.Metrics[name].Unit; unit != "" {
			return name + " (" + unit + ")"
		}
		return name
	})
}
