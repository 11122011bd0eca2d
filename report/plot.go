package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mercer/claims"
	"mercer/configs"
	"mercer/results"
)

// plotted is a plot of a spec with its numbers.
type plotted struct {
	configs.Plot
	panels       []plotPanel
	names        []string // of the series, which look the same in all panels
	theories     []string // labels of the curves of the theory
	xName, yName string   // of the axes, with units
	least, most  int      // values behind a mean or a box
	notes        []string
	trouble      string // why nothing can be drawn
}

// plotPanel is one data set, kernel and value of the facet.
type plotPanel struct {
	name  string
	at    []claims.Coordinate
	lines []plotLine
	rows  []string // of box and bar
	marks []plotMark
}

// plotLine is one series in a panel.
type plotLine struct {
	at     []claims.Coordinate
	series int
	points []plotPoint
	theory []plotCurve
	floor  []xy
}

// plotCurve is one of the plot's curves of the theory along a line.
type plotCurve struct {
	number int
	points []xy
}

// plotPoint is one cell of a line: means with their bands.
type plotPoint struct {
	x, y   estimate
	values []float64 // of y, by repeat
	row    int       // of box and bar
	cell   []claims.Coordinate
	front  bool // of pareto: no other point of the panel is as low in both
	record results.Record
}

// estimate is a mean with the ends of its band; NaN where there is none.
type estimate struct{ value, low, high float64 }

type xy struct{ x, y float64 }

// plotMark is a reference value with the rows that have it; nil for all.
type plotMark struct {
	configs.Mark
	rows []int
}

// maxSeries is how many lines are told apart by colour, shape and dashes.
const maxSeries = 12

// plotReader reads the numbers of one plot.
type plotReader struct {
	claims.Reader
	plotted
	x, y, floor claims.Quantity
	records     []results.Record // picked, but for skipped ones
	lost        []string         // readings that fail, with the reason
	readings    int
	dropped     []string // points without a place on a log axis
	cut         bool     // a band goes below 0 on a log axis
}

// readPlot averages over the repeats of each cell what a plot shows. It draws
// nothing, with the trouble that it found, where a line would mix different
// cells: their mean would be of no use.
func readPlot(p configs.Plot, reader claims.Reader) plotted {
	r := &plotReader{Reader: reader, plotted: plotted{Plot: p}}
	for _, record := range reader.Select(p.Where) {
		if record.Status != results.Skipped {
			r.records = append(r.records, record)
		}
	}
	if err := r.quantities(); err != nil {
		r.trouble = err.Error()
		return r.plotted
	}
	if len(r.records) == 0 {
		r.trouble = "no record of this run is picked by its where"
		return r.plotted
	}
	r.leaveOutUndefined()
	r.label()
	for _, g := range r.split(r.records, r.panelColumns()) {
		r.panel(g)
	}
	r.name()
	r.finish()
	return r.plotted
}

func (r *plotReader) quantities() (err error) {
	if r.y, err = r.Quantity(r.Y); err != nil {
		return err
	}
	if r.Kind == configs.PlotTrajectory || r.Kind == configs.PlotPareto {
		if r.x, err = r.Quantity(r.X); err != nil {
			return err
		}
	}
	if r.Floor != "" {
		r.floor, err = r.Quantity(r.Floor)
	}
	return err
}

// leaveOutUndefined drops the records of methods that end well and never have
// the metrics: these are not defined for the method.
func (r *plotReader) leaveOutUndefined() {
	ended, has := map[string]bool{}, map[string]bool{}
	for _, record := range r.records {
		if record.Status == results.OK {
			ended[record.Method] = true
			_, _, err := r.read(record)
			has[record.Method] = has[record.Method] || err == nil
		}
	}
	var without []string
	r.records = slices.DeleteFunc(r.records, func(record results.Record) bool {
		name := printable(record.Method)
		undefined := ended[record.Method] && !has[record.Method]
		if undefined && !slices.Contains(without, name) {
			without = append(without, name)
		}
		return undefined
	})
	if len(without) > 0 {
		r.note("Left out, since no record has what is drawn: %s.", strings.Join(without, ", "))
	}
}

// read is where a record lies on the axes; x is 0 where rows are in its place.
func (r *plotReader) read(record results.Record) (x, y float64, err error) {
	if y, err = r.y.Value(record); err != nil {
		return 0, 0, err
	}
	switch r.Kind {
	case configs.PlotTrajectory, configs.PlotPareto:
		x, err = r.x.Value(record)
	case configs.PlotLine:
		x, _ = r.Axis(record, r.X)
	}
	return x, y, err
}

// label names the axes, with the units of plain metrics.
func (r *plotReader) label() {
	name := func(text string, unit func(results.Record) string) string {
		text = printable(text)
		for _, record := range r.records {
			if u := unit(record); u != "" {
				return text + " (" + printable(u) + ")"
			}
		}
		return text
	}
	r.yName, r.xName = name(r.Y, r.y.Unit), printable(r.X)
	if r.Kind == configs.PlotTrajectory || r.Kind == configs.PlotPareto {
		r.xName = name(r.X, r.x.Unit)
	}
	for _, c := range r.Theory {
		r.theories = append(r.theories, printable(cmp.Or(c.Label, c.Curve.Text)))
	}
}

// recordGroup is records with the coordinates that they have in common.
type recordGroup struct {
	at      []claims.Coordinate
	records []results.Record
}

// split groups records by columns. Groups come in the order of the values under
// where, else in that of numbers or names.
func (r *plotReader) split(records []results.Record, columns []string) []recordGroup {
	var groups []recordGroup
	index := map[string]int{}
	for _, record := range records {
		var at []claims.Coordinate
		for _, name := range columns {
			if text, ok := r.Column(record, name); ok && text != "" {
				at = append(at, claims.Coordinate{Name: name, Value: text})
			}
		}
		id := fmt.Sprintf("%q", at)
		i, known := index[id]
		if !known {
			i = len(groups)
			index[id] = i
			groups = append(groups, recordGroup{at: at})
		}
		groups[i].records = append(groups[i].records, record)
	}
	slices.SortStableFunc(groups, func(a, b recordGroup) int { return r.compare(a.at, b.at) })
	return groups
}

func (r *plotReader) compare(a, b []claims.Coordinate) int {
	for i := range min(len(a), len(b)) {
		order := r.Where[a[i].Name]
		if x, y := slices.Index(order, a[i].Value), slices.Index(order, b[i].Value); x >= 0 && y >= 0 && x != y {
			return x - y
		}
		x, errX := strconv.ParseFloat(a[i].Value, 64)
		y, errY := strconv.ParseFloat(b[i].Value, 64)
		if c := cmp.Compare(x, y); errX == nil && errY == nil && c != 0 {
			return c
		}
		if c := cmp.Compare(a[i].Value, b[i].Value); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// panelColumns tell panels apart, seriesColumns the lines in one.
func (r *plotReader) panelColumns() []string {
	columns := []string{"dataset", "kernel"}
	if r.Facet != "" && !slices.Contains(columns, r.Facet) {
		columns = append(columns, r.Facet)
	}
	return slices.DeleteFunc(columns, func(name string) bool {
		return slices.Contains(r.By, name) || r.Rows() && r.X == name
	})
}

func (r *plotReader) seriesColumns() []string {
	columns := []string{"method"}
	for _, name := range r.By {
		if name != "method" {
			columns = append(columns, name)
		}
	}
	return slices.DeleteFunc(columns, func(name string) bool { return name == r.Facet || r.Rows() && r.X == name })
}

// panel reads one panel.
func (r *plotReader) panel(g recordGroup) {
	p := plotPanel{at: g.at}
	if r.Rows() {
		for _, row := range r.split(g.records, []string{r.X}) {
			if len(row.at) > 0 {
				p.rows = append(p.rows, row.at[0].Value)
			}
		}
	}
	for _, line := range r.split(g.records, r.seriesColumns()) {
		l := plotLine{at: line.at, points: r.points(line.records, p.rows)}
		if len(l.points) > 0 {
			r.curves(&l)
			p.lines = append(p.lines, l)
		}
	}
	if r.Kind == configs.PlotPareto {
		markFront(p.lines)
	}
	for _, m := range r.Marks {
		r.mark(&p, g.records, m)
	}
	if len(p.lines) > 0 {
		r.panels = append(r.panels, p)
	}
}

// mark adds a reference value to a panel that it is about.
func (r *plotReader) mark(p *plotPanel, records []results.Record, m configs.Mark) {
	mark := plotMark{Mark: m}
	all := true
	for i, row := range p.rows {
		about := slices.ContainsFunc(records, func(record results.Record) bool {
			have, _ := r.Column(record, r.X)
			return have == row && r.Matches(record, m.Where)
		})
		all = all && about
		if about {
			mark.rows = append(mark.rows, i)
		}
	}
	if all {
		mark.rows = nil
	}
	if slices.ContainsFunc(records, func(record results.Record) bool { return r.Matches(record, m.Where) }) {
		p.marks = append(p.marks, mark)
	}
}

// points reads the cells of one line, in the order in which they are joined.
func (r *plotReader) points(records []results.Record, rows []string) []plotPoint {
	var points []plotPoint
	for _, cell := range r.cells(records) {
		if !r.oneCell(cell) {
			continue
		}
		p, ok := r.point(cell)
		if !ok {
			continue
		}
		p.cell = r.Coordinates(p.record, records)
		if r.Rows() {
			row, _ := r.Column(p.record, r.X)
			if p.row = slices.Index(rows, row); p.row < 0 {
				continue
			}
		}
		if r.place(&p) {
			points = append(points, p)
		}
	}
	return points
}

// along is the column that goes along a line, or down the rows.
func (r *plotReader) along() string {
	if r.Kind == configs.PlotTrajectory {
		return r.Plot.Along
	}
	return r.X
}

// cells groups the records of a line into what each point is about, by what is
// along the line: a number, a row, or for pareto the cell itself.
func (r *plotReader) cells(records []results.Record) [][]results.Record {
	along := r.along()
	type group struct {
		at      float64
		records []results.Record
	}
	var groups []group
	index := map[string]int{}
	if r.Kind == configs.PlotPareto {
		records = r.Distinct(records)
	}
	for _, record := range records {
		id, at := "", 0.0
		switch {
		case r.Kind == configs.PlotPareto:
			id = r.Cell(record)
		case r.Rows():
			id, _ = r.Column(record, r.X)
		default:
			var ok bool
			if at, ok = r.Axis(record, along); !ok {
				continue // the method does not have the variable
			}
			id = results.FormatFloat(at)
		}
		i, known := index[id]
		if !known {
			i = len(groups)
			index[id] = i
			groups = append(groups, group{at: at})
		}
		groups[i].records = append(groups[i].records, record)
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.at, b.at) })
	cells := make([][]results.Record, len(groups))
	for i, g := range groups {
		cells[i] = r.Distinct(g.records)
	}
	return cells
}

// oneCell says whether records are repeats of one cell; where they are not, that
// is the plot's trouble.
func (r *plotReader) oneCell(records []results.Record) bool {
	along := r.along()
	reason, advice := r.Clash(records, along)
	if reason == "" {
		return true
	}
	first := records[0]
	where := printable(first.Method)
	if x, ok := r.Column(first, along); ok && along != "method" {
		where += " at " + printable(along) + " = " + x
	}
	r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%s has %s; %s, or make it the facet", where, reason, advice))
	return false
}

// point averages over repeats; false where no repeat has a value.
func (r *plotReader) point(records []results.Record) (plotPoint, bool) {
	var xs, ys []float64
	p := plotPoint{record: records[0]}
	for _, record := range records {
		r.readings++
		x, y, err := r.read(record)
		if err != nil {
			r.lost = append(r.lost, fmt.Sprintf("%s, repeat %d (%v)", record.Method, record.Repeat, err))
			continue
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	if len(ys) == 0 {
		return p, false
	}
	p.values, p.x, p.y = ys, r.estimate(xs), r.estimate(ys)
	if r.least == 0 || len(ys) < r.least {
		r.least = len(ys)
	}
	r.most = max(r.most, len(ys))
	return p, true
}

// estimate is the mean of values with the band that the plot asks for.
func (r *plotReader) estimate(values []float64) estimate {
	s := results.Summarize(values, results.DefaultLevel)
	e := estimate{s.Mean, math.NaN(), math.NaN()}
	switch r.Band {
	case "t":
		e.low, e.high = s.Low, s.High
	case "sd":
		e.low, e.high = s.Mean-s.SD, s.Mean+s.SD
	}
	return e
}

// place says whether the axes have a place for a point.
func (r *plotReader) place(p *plotPoint) bool {
	lowest := p.y.value
	if r.Kind == configs.PlotBox {
		lowest = slices.Min(p.values)
	}
	logX, logY := r.Axes.X == "log", r.Axes.Y == "log"
	if logX && p.x.value <= 0 || logY && lowest <= 0 {
		what := fmt.Sprintf("%s = %s", printable(r.Y), number(lowest))
		if logX && p.x.value <= 0 {
			what = fmt.Sprintf("%s = %s", printable(r.X), number(p.x.value))
		}
		where := plainWhere(p.cell)
		r.dropped = append(r.dropped, strings.TrimSpace(fmt.Sprintf("%s %s (%s)", printable(p.record.Method), where, what)))
		return false
	}
	r.cut = r.cut || logX && p.x.low <= 0 || logY && p.y.low <= 0
	return true
}

// curves adds the curves of the theory and the floor along a line.
func (r *plotReader) curves(l *plotLine) {
	for k, c := range r.Theory {
		var points []plotPoint
		for _, p := range l.points {
			if r.Matches(p.record, c.Where) {
				points = append(points, p)
			}
		}
		if curve, err := r.theory(c, points); err != nil {
			r.note("The curve %s is left out: %v.", r.theories[k], err)
		} else if len(curve) > 0 {
			l.theory = append(l.theory, plotCurve{k, curve})
		}
	}
	if r.Floor == "" {
		return
	}
	for _, p := range l.points {
		var values []float64
		for _, record := range r.repeatsOf(p) {
			if v, err := r.floor.Value(record); err == nil {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			if mean := results.Summarize(values, results.DefaultLevel).Mean; r.Axes.Y != "log" || mean > 0 {
				l.floor = append(l.floor, xy{p.x.value, mean})
			}
		}
	}
}

// repeatsOf are the records of a point.
func (r *plotReader) repeatsOf(p plotPoint) []results.Record {
	var repeats []results.Record
	id := r.Cell(p.record)
	for _, record := range r.records {
		if record.Method == p.record.Method && record.Dataset == p.record.Dataset && record.Kernel == p.record.Kernel && r.Cell(record) == id {
			repeats = append(repeats, record)
		}
	}
	return repeats
}

// theory evaluates a curve at the points of a line, through one of them unless
// it is not anchored.
func (r *plotReader) theory(c configs.TheoryCurve, points []plotPoint) ([]xy, error) {
	if len(points) == 0 {
		return nil, nil
	}
	curve := make([]xy, len(points))
	for i, p := range points {
		y, err := r.Evaluate(c.Curve, p.record)
		if err != nil {
			return nil, err
		}
		curve[i] = xy{p.x.value, y}
	}
	anchor := len(points) - 1
	switch c.Anchor {
	case "first":
		anchor = 0
	case "none":
		anchor = -1
	}
	factor := 1.0
	if anchor >= 0 {
		if curve[anchor].y == 0 {
			return nil, fmt.Errorf("it is 0 at %s = %s, where it should meet the line", printable(r.X), number(curve[anchor].x))
		}
		factor = points[anchor].y.value / curve[anchor].y
	}
	for i := range curve {
		curve[i].y *= factor
		if r.Axes.Y == "log" && curve[i].y <= 0 {
			return nil, fmt.Errorf("it is %s at %s = %s, which has no place on a log axis", number(curve[i].y), printable(r.X), number(curve[i].x))
		}
	}
	return curve, nil
}

// markFront finds the points of a panel that no other one is as low as in both
// coordinates and lower in one.
func markFront(lines []plotLine) {
	for i := range lines {
		for j := range lines[i].points {
			p := &lines[i].points[j]
			p.front = true
			for _, other := range lines {
				p.front = p.front && !slices.ContainsFunc(other.points, func(q plotPoint) bool {
					return q.x.value <= p.x.value && q.y.value <= p.y.value && (q.x.value < p.x.value || q.y.value < p.y.value)
				})
			}
		}
	}
}

// name gives series and panels their names: what tells them apart.
func (r *plotReader) name() {
	var series, panels [][]claims.Coordinate
	for _, p := range r.panels {
		panels = append(panels, p.at)
		for _, l := range p.lines {
			if !slices.ContainsFunc(series, func(at []claims.Coordinate) bool { return slices.Equal(at, l.at) }) {
				series = append(series, l.at)
			}
		}
	}
	slices.SortStableFunc(series, r.compare)
	for i := range r.panels {
		p := &r.panels[i]
		if len(r.panels) > 1 {
			p.name = printable(plainWhere(without(p.at, commonTo(panels))))
		}
		for j := range p.lines {
			at := p.lines[j].at
			p.lines[j].series = slices.IndexFunc(series, func(s []claims.Coordinate) bool { return slices.Equal(s, at) })
		}
	}
	common := commonTo(series)
	for _, at := range series {
		if len(series) == 1 {
			common = nil
		}
		r.names = append(r.names, shortWhere(without(at, common)))
	}
}

// commonTo are the coordinates that all groups have.
func commonTo(groups [][]claims.Coordinate) []claims.Coordinate {
	if len(groups) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(groups[0]), func(c claims.Coordinate) bool {
		return slices.ContainsFunc(groups, func(at []claims.Coordinate) bool { return !slices.Contains(at, c) })
	})
}

func (r *plotReader) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

// finish adds what a reader should know.
func (r *plotReader) finish() {
	if len(r.names) > maxSeries && r.trouble == "" {
		r.trouble = fmt.Sprintf("%d lines cannot be told apart; pick up to %d under where, or make a column the facet", len(r.names), maxSeries)
	}
	if len(r.dropped) > 0 {
		r.note("Not in the figure, since log axes have no place for it: %s.", some(r.dropped))
	}
	if r.cut {
		r.note("Bands that reach 0 or below end at the edge of the log axis.")
	}
	if len(r.lost) > 0 {
		r.note("%d of %d records give no value, and the figure is of the others; the first is %s.", len(r.lost), r.readings, r.lost[0])
	}
	if len(r.panels) == 0 && r.trouble == "" {
		r.trouble = "no point can be drawn"
	}
}
