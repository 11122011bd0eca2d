package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/internal/plain"
	"mercer/internal/selection"
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
	if slices.ContainsFunc(names, func(name string) bool { return !describes(name) }) {
		names = slices.DeleteFunc(names, describes)
	}
	there := results.MetricNames(run.Records)
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
		outputs := metrics.Registry[measure.Value].Outputs
		if first := slices.IndexFunc(outputs, func(name string) bool { return slices.Contains(there, name) }); first >= 0 {
			names = append(names, outputs[first])
		}
	}
	return pick(names)
}

// describes says that no value of a metric is better, as of a floor.
func describes(metric string) bool { return metrics.BetterOf(metric) == metrics.Neither }

// meansRow is a cell of a run.
type meansRow struct {
	records []results.Record
	where   []format.Coordinate
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
	groups := lists.Map(cells, func(c meansRow) []format.Coordinate { return c.where })
	shared := format.Common(groups)
	o = o.For(run)
	shared = slices.DeleteFunc(shared, func(c format.Coordinate) bool { return c.Name == "method" })
	most, fewer := 0, false
	for _, c := range cells {
		most = max(most, len(c.records))
	}
	rows := [][]string{append([]string{"method"}, units(run, names)...)}
	for _, c := range cells {
		row := []string{o.where(format.Without(c.where, shared))}
		for _, name := range names {
			text, count := c.mean(name)
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
func (o TableOptions) meansTitle(run results.Run, most int, fewer bool, shared []format.Coordinate) string {
	repeats := plain.Count(most, "repeat")
	if profile := run.Manifest.Profile; profile != "" && profile != configs.DefaultProfile {
		repeats += " of profile " + profile
	}
	if fewer {
		repeats += ", or as many as a number in brackets says"
	}
	title := fmt.Sprintf("mean +/- half-width of its %s t interval, %s", format.Percent(results.DefaultLevel), repeats)
	if told := format.Told(shared, o.several); len(told) > 0 {
		title += "; " + plain.Text(format.PlainWhere(o.labels.Where(told)))
	}
	return title
}

// meansRows are the cells to show, by data set, kernel, point and method; of how many with
// the largest sizes they are the first; and the number of all cells that were not skipped.
func meansRows(run results.Run) (cells []meansRow, large, all int) {
	order := selection.OrderOf(run.Manifest)
	variables := slices.Concat(run.Manifest.Variables, results.PointNames(run.Records), sizes.Names)
	for part := range results.ByCell(run.Records) {
		if slices.ContainsFunc(part, func(r results.Record) bool { return r.Status != results.Skipped }) {
			cells = append(cells, meansRow{part, coordinates(part[0], variables)})
		}
	}
	all = len(distinct(cells))
	for _, name := range sizes.Names {
		if len(distinct(cells)) > mostMeans {
			cells = largest(cells, name)
		}
	}
	cells = distinct(cells)
	slices.SortStableFunc(cells, func(a, b meansRow) int { return comparePlaces(a.records[0], b.records[0], variables, order) })
	return cells[:min(len(cells), mostMeans)], len(cells), all
}

// distinct leaves out cells that differ from an earlier one only in what their method does
// not use, and takes that out of the earlier one's coordinates.
func distinct(cells []meansRow) []meansRow {
	var kept []meansRow
	at := map[string]int{}
	for _, c := range cells {
		r := c.records[0]
		work := fmt.Sprint(c.where)
		if r.Work != "" {
			work = fmt.Sprintf("%q %q %q %d %s", r.Dataset, r.Kernel, r.Method, r.Repeat, r.Work)
		}
		if i, known := at[work]; known {
			kept[i].where = format.Common([][]format.Coordinate{kept[i].where, c.where})
			continue
		}
		at[work] = len(kept)
		kept = append(kept, c)
	}
	return kept
}

// largest keeps, of each data set and kernel, the cells whose value of a variable is largest.
func largest(cells []meansRow, name string) []meansRow {
	type design struct{ dataset, kernel string }
	at := func(c meansRow) (design, float64) {
		r := c.records[0]
		return design{r.Dataset, r.Kernel}, r.Point[name]
	}
	most := map[design]float64{}
	for _, c := range cells {
		d, value := at(c)
		most[d] = max(most[d], value)
	}
	return slices.DeleteFunc(cells, func(c meansRow) bool {
		d, value := at(c)
		return value < most[d]
	})
}

func comparePlaces(a, b results.Record, variables []string, order selection.Order) int {
	if c := cmp.Or(order.Compare("dataset", a.Dataset, b.Dataset), cmp.Compare(a.Dataset, b.Dataset),
		order.Compare("kernel", a.Kernel, b.Kernel), cmp.Compare(a.Kernel, b.Kernel)); c != 0 {
		return c
	}
	for _, name := range variables {
		if c := cmp.Compare(a.Point[name], b.Point[name]); c != 0 {
			return c
		}
	}
	return order.Compare("method", a.Method, b.Method)
}

// coordinates say which cell a record is of, the method first, with the sizes that the method has.
func coordinates(r results.Record, variables []string) []format.Coordinate {
	where := []format.Coordinate{{Name: "method", Value: r.Method}}
	for _, c := range []format.Coordinate{{Name: "dataset", Value: r.Dataset}, {Name: "kernel", Value: r.Kernel}} {
		if c.Value != "" {
			where = append(where, c)
		}
	}
	for i, name := range variables {
		v, ok := r.Point[name]
		if sizes.Is(name) {
			v, ok = float64(r.Sizes.Get(name)), r.Sizes.Get(name) != 0
		}
		if ok && !slices.Contains(variables[:i], name) {
			where = append(where, format.Coordinate{Name: name, Value: format.Number(v)})
		}
	}
	return where
}

// mean writes the mean of a metric, and over how many repeats it is; what became of the cell
// where there are none.
func (c meansRow) mean(metric string) (text string, count int) {
	s := results.Summaries(c.records, metric)
	if len(s) > 0 {
		low, high := metrics.Clip(metric, s[0].Low, s[0].High)
		return strings.ReplaceAll(format.Mean(s[0].Mean, low, high), "±", "+/-"), s[0].Count
	}
	for _, r := range c.records {
		if r.Status != results.OK {
			return string(r.Status), 0
		}
	}
	return "-", 0
}

// units are the names of metrics with their units.
func units(run results.Run, names []string) []string {
	titles := slices.Clone(names)
	for i, name := range names {
		for _, r := range run.Records {
			if m, ok := r.Metrics.Get(name); ok {
				if m.Unit != "" {
					titles[i] += " (" + m.Unit + ")"
				}
				break
			}
		}
	}
	return titles
}
