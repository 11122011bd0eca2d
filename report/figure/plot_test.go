package figure

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/report/reporttest"
	"mercer/results"
)

func plotOf(t *testing.T, id string) configs.Plot {
	t.Helper()
	for _, p := range reporttest.FixedPlots() {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("no plot %s", id)
	return configs.Plot{}
}

// plotted is a plot that was read.
type plotted struct {
	*reader
	Chart
	says []string // its caption
}

// read draws a plot of a run with the fixed verdicts.
func read(p configs.Plot, run results.Run) plotted {
	r := newReader(p, run, LabelsOf(run))
	c, says := r.draw(reporttest.FixedVerdicts())
	return plotted{r, c, says}
}

// seriesOf are the series of a role.
func (p Panel) seriesOf(what role) []Series {
	return lists.Where(p.Series, func(s Series) bool { return s.role == what })
}

// names are those of the measured series, in order.
func (d plotted) names() []string {
	var series []Series
	for _, p := range d.Panels {
		series = append(series, p.seriesOf(measured)...)
	}
	slices.SortStableFunc(series, func(a, b Series) int { return d.compare(a.at, b.at) })
	return lists.Once(lists.Map(series, func(s Series) string { return s.Name }))
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) { // rounding of sums of a few numbers
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestLinePlot(t *testing.T) {
	run := reporttest.FixedRun()
	d := read(plotOf(t, "rates"), run)
	lines := []string{"ekpca, theta=0.5", "ekpca, theta=0.75", "nystrom, theta=0.5", "nystrom, theta=0.75", "rff, theta=0.5", "rff, theta=0.75"}
	if d.trouble != "" || len(d.Panels) != 1 || !slices.Equal(d.names(), lines) {
		t.Fatalf("%q: %d panels of %v", d.trouble, len(d.Panels), d.names())
	}
	// Student's t, 0.975 quantile with 3 and 2 degrees of freedom, from printed tables.
	quantile := map[int]float64{4: 3.182446305, 3: 4.302652730}
	panel := d.Panels[0]
	if len(panel.seriesOf(mark)) != 2 || len(panel.seriesOf(theory)) != 2 {
		t.Fatalf("%+v", panel.Series)
	}
	for _, s := range panel.Series {
		last, theta := len(s.Points)-1, 0.0
		if s.role != mark {
			theta, _ = s.at.Number("theta")
		}
		for _, p := range s.Points {
			switch n := int(p.X.value); s.role {
			case measured:
				var values []float64
				for repeat := range 4 {
					if r := reporttest.FixedRow(s.at.Text("method"), theta, n, repeat); r.Status == results.OK {
						values = append(values, r.Metrics["recon_h"])
					}
				}
				mean, sd := stat.MeanStdDev(values, nil)
				half := quantile[len(values)] * sd / math.Sqrt(float64(len(values)))
				near(t, "mean", p.Y.value, mean)
				near(t, "lower end", p.Y.low, mean*math.Exp(-half/mean)) // the axis is log
				near(t, "upper end", p.Y.high, mean*math.Exp(half/mean))
				near(t, "last n", s.Points[last].X.value, 1000)
			case theory: // through the last point of its line; alpha = 2
				line := lists.Where(panel.seriesOf(measured), func(line Series) bool { return line.at == s.at })[0]
				near(t, "curve", p.Y.value, line.Points[last].Y.value*math.Pow(float64(n)/1000, -theta/2))
			case floor:
				near(t, "floor", p.Y.value, math.Pow(float64(n), -theta/2)/3)
			}
		}
	}
	// rff is skipped at n = 250, theta = 0.75, and fails once at 1000.
	if got := len(panel.seriesOf(measured)[5].Points); got != 2 {
		t.Errorf("%d points of rff where one is skipped", got)
	}
	if len(d.notes) != 1 || !strings.Contains(d.notes[0], "Not in the figure: rff, repeat 3 (failed") {
		t.Errorf("notes %q", d.notes)
	}
	if panel.X.Label != "n" || panel.Y.Label != "recon_h" {
		t.Errorf("panel %+v", panel)
	}
	if want := append(slices.Clone(lines), "paper", "a point", "floor", "Cor 4.2"); !slices.Equal(slices.Sorted(slices.Values(legendOf(d.Chart))), slices.Sorted(slices.Values(want))) {
		t.Errorf("legend %q, want %q", legendOf(d.Chart), want)
	}
}

// On a log axis the t interval of a mean is symmetric about its mark and positive;
// on a linear one it is the plain interval.
func TestBandFollowsTheScale(t *testing.T) {
	values := []float64{0.1, 1, 4}
	const half = 4.302652730 * 2.0420577 / 1.7320508 // t quantile, standard deviation, √3: beyond the mean 1.7
	plain, logs := mean(values, false), mean(values, true)
	close := cmpopts.EquateApprox(1e-6, 0)
	if want := []float64{1.7, 1.7 - half, 1.7 + half}; !cmp.Equal(want, []float64{plain.value, plain.low, plain.high}, close) {
		t.Errorf("linear: %+v; want %v", plain, want)
	}
	if want := []float64{1.7, 1.7 * math.Exp(-half/1.7), 1.7 * math.Exp(half/1.7)}; !cmp.Equal(want, []float64{logs.value, logs.low, logs.high}, close) {
		t.Errorf("log: %+v; want %v", logs, want)
	}
}

// A mark may be an expression, and stands once at each x of the points that it picks: as a line, or a cross
// at one; it is left out where the axis has no place for it.
func TestMarks(t *testing.T) {
	marked := func(y string, n ...string) plotted {
		p := plotOf(t, "rates")
		p.Marks = []configs.Mark{{Y: configs.Value{Text: y}, Label: "a bend", Where: configs.Conditions{"theta": {Value: []string{"0.5"}}}}}
		if n != nil {
			p.Marks[0].Where["n"] = configs.Located[[]string]{Value: n}
		}
		return read(p, reporttest.FixedRun())
	}
	line := marked("theta/n").Panels[0].seriesOf(mark)[0]
	if len(line.Points) != 3 || line.Points[0].Y.value != 0.002 || line.Points[2].X.value != 1000 || line.Width == 0 || line.Shape != "" {
		t.Errorf("%+v", line)
	}
	point := marked("theta/n", "500").Panels[0].seriesOf(mark)[0]
	if len(point.Points) != 1 || point.Points[0].X.value != 500 || point.Points[0].Y.value != 0.001 || point.Width != 0 || point.Shape != plus {
		t.Errorf("%+v", point)
	}
	if d := marked("alpha-2"); len(d.Panels[0].seriesOf(mark)) != 0 || !strings.Contains(strings.Join(d.notes, " "), "the axis has no place for it") {
		t.Errorf("notes %q", d.notes)
	}
}

func TestTheoryAnchors(t *testing.T) {
	p := plotOf(t, "rates")
	curve := func(text string) plotted {
		p.Theory = []configs.TheoryCurve{{Curve: configs.Value{Text: text}}}
		return read(p, reporttest.FixedRun())
	}
	panel := curve("1/n").Panels[0]
	near(t, "last", panel.seriesOf(theory)[0].Points[2].Y.value, panel.seriesOf(measured)[0].Points[2].Y.value)
	near(t, "first", panel.seriesOf(theory)[0].Points[0].Y.value, panel.seriesOf(measured)[0].Points[2].Y.value*4)
	p.Floor = configs.NewQuantity("1/m")
	near(t, "as it is", curve("1/n").Panels[0].seriesOf(floor)[0].Points[2].Y.value, 1.0/32) // m = ceil(sqrt(1000))
	for text, want := range map[string]string{"n-1000": "at n = 1000 the axis has no place", "1/beta": "beta", "500-n": "at n = 500 the axis has no place"} {
		d := curve(text)
		if notes := strings.Join(d.notes, " "); !strings.Contains(notes, want) || len(d.Panels[0].seriesOf(theory)) != 0 {
			t.Errorf("%s: notes %q, want %q", text, notes, want)
		}
	}
}

// Lines of a method that does not use what tells others apart are one, and do not name it.
func TestSameLines(t *testing.T) {
	run := reporttest.FixedRun()
	for i, r := range run.Rows {
		if r.Method() == "ekpca" {
			run.Rows[i].At = r.At.Without("theta", "m")
		}
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(r results.Row) bool { return strings.HasPrefix(r.ID, "ekpca0.75") })
	d := read(plotOf(t, "rates"), run)
	if want := []string{"ekpca", "nystrom, theta=0.5", "nystrom, theta=0.75", "rff, theta=0.5", "rff, theta=0.75"}; !slices.Equal(d.names(), want) {
		t.Errorf("%v, want %v", d.names(), want)
	}
}

// A column that is not free, such as m = ceil(n^theta), tells no lines apart.
func TestDerivedColumns(t *testing.T) {
	run := reporttest.FixedRun()
	for i := range run.Catalog.Columns {
		run.Catalog.Columns[i].Free = run.Catalog.Columns[i].Name == "n"
	}
	if d := read(plotOf(t, "rates"), run); !slices.Equal(d.names(), []string{"ekpca", "nystrom", "rff"}) {
		t.Errorf("%v", d.names())
	}
}

func TestPlotsOfLittle(t *testing.T) {
	empty := reporttest.RunOf([]string{"n", "theta", "m"})
	one := reporttest.FixedRun()
	one.Rows = slices.DeleteFunc(one.Rows, func(r results.Row) bool { return r.Repeat > 0 })
	for _, p := range reporttest.FixedPlots() {
		if p.Kind == configs.PlotScatter || p.Kind == configs.PlotHeatmap {
			continue
		}
		if d := read(p, empty); d.trouble != "no row of this run is picked by its where" {
			t.Errorf("%s of no records: %q", p.ID, d.trouble)
		}
		unknown := p
		unknown.Y = configs.Quantity{Text: "no_such_metric"}
		if d := read(unknown, reporttest.FixedRun()); d.trouble == "" || len(d.Panels) != 0 {
			t.Errorf("%s of an unknown metric: %q", p.ID, d.trouble)
		}
		d := read(p, one)
		if bounded := d.Panels[0].Series[0].Points[0].Y.bounded(); d.trouble != "" || bounded {
			t.Errorf("%s of one repeat: %q, with an interval: %v", p.ID, d.trouble, bounded)
		}
		checkDrawing(t, p.ID+" of one repeat", d.Chart)
	}
	many := plotOf(t, "rates")
	run := reporttest.FixedRun()
	for i := range run.Rows {
		run.Rows[i].At = run.Rows[i].At.With("method", configs.TextOf(fmt.Sprint("method-", i)))
	}
	if d := read(many, run); !strings.Contains(d.trouble, "lines cannot be told apart") {
		t.Errorf("many lines: %q", d.trouble)
	}
}

// What has no logarithm is left out of log axes, with a note, and kept on linear
// ones.
func TestZerosOnLogAxes(t *testing.T) {
	run := reporttest.FixedRun()
	for i, r := range run.Rows {
		if r.Method() == "ekpca" && numberOf(r, "n") == 500 {
			run.Rows[i].Metrics.Set("recon_h", 0)
		}
	}
	p := plotOf(t, "rates")
	p.Theory = nil
	d := read(p, run)
	if got := len(d.Panels[0].seriesOf(measured)[0].Points); got != 2 || !strings.Contains(strings.Join(d.notes, " "), "Not in the figure: ekpca, n=500, theta=0.5, m=23 (recon_h = 0, for which a log axis has no place), ekpca") {
		t.Errorf("%d points, notes %q", got, d.notes)
	}
	checkDrawing(t, "zeros", d.Chart)
	p.Axes.Y = "linear"
	if d := read(p, run); len(d.Panels[0].seriesOf(measured)[0].Points) != 3 || strings.Contains(strings.Join(d.notes, " "), "a log axis") {
		t.Errorf("on a linear axis: notes %q", d.notes)
	}
	for i := range run.Rows {
		if m, ok := run.Rows[i].Metrics["recon_h"]; ok {
			run.Rows[i].Metrics.Set("recon_h", -m)
		}
	}
	p.Axes.Y = "log"
	if d := read(p, run); d.trouble != "no point can be drawn" {
		t.Errorf("negative values alone: %q", d.trouble)
	}
}

// Where x is a metric, each cell has a mark, and no line.
func TestMetricAgainstMetric(t *testing.T) {
	d := read(plotOf(t, "costs"), reporttest.FixedRun())
	if !slices.Equal(d.names(), []string{"rff", "ekpca"}) { // the order of where
		t.Errorf("series %v", d.names())
	}
	if label := d.Panels[0].X.Label; label != "time_total (s)" {
		t.Errorf("x axis %q", label)
	}
	points := 0
	for _, s := range d.Panels[0].seriesOf(measured) {
		points += len(s.Points)
		if s.Width != 0 {
			t.Errorf("a line through the cells of %s", s.Name)
		}
	}
	if points != 11 { // 6 cells of ekpca, 5 of rff
		t.Errorf("%d points", points)
	}
}

// A column of names has rows of marks with intervals, series of a name below each other; a mark
// stands at the names that its where picks.
func TestNames(t *testing.T) {
	d := read(plotOf(t, "spread"), reporttest.FixedRun())
	if len(d.Panels) != 1 || !slices.Equal(d.Panels[0].Y.Names, []string{"ekpca", "nystrom", "rff"}) || !slices.Equal(d.names(), []string{"theta=0.5", "theta=0.75"}) {
		t.Fatalf("%d panels, rows %v, series %v", len(d.Panels), d.Panels[0].Y.Names, d.names())
	}
	series := d.Panels[0].seriesOf(measured)
	if got := len(series[1].Points); got != 2 { // rff is skipped
		t.Errorf("%d marks at n = 250, theta = 0.75", got)
	}
	if a, b := series[0].Points[1].Y.value, series[1].Points[1].Y.value; a != -0.8 || b != -1.2 || series[0].Width != 0 {
		t.Errorf("nystrom is at %g and %g, with a line of width %g", a, b, series[0].Width)
	}
	marks := read(plotOf(t, "bars"), reporttest.FixedRun()).Panels[0].seriesOf(mark)[0].Points
	if len(marks) != 1 || marks[0].Y.value != -1 || marks[0].X.value != 0.2 {
		t.Errorf("marks %+v", marks)
	}
	// Methods without the metric have no marks.
	run := reporttest.FixedRun()
	for i, r := range run.Rows {
		if r.Method() == "nystrom" {
			run.Rows[i].Metrics = map[string]float64{"time_total": r.Metrics["time_total"]}
		}
	}
	d = read(plotOf(t, "spread"), run)
	if got := len(d.Panels[0].seriesOf(measured)[0].Points); got != 2 || !strings.Contains(strings.Join(d.notes, " "), "Not in the figure: nystrom") {
		t.Errorf("%d marks, notes %q", got, d.notes)
	}
}

func TestScatter(t *testing.T) {
	run := reporttest.FixedRun()
	run.Dir = t.TempDir()
	p := plotOf(t, "before-and-after")
	d := read(p, run)
	if !strings.Contains(d.trouble, "keeps no points") || len(d.notes) != 2 || !strings.Contains(d.notes[0], "Without a result: nystrom") {
		t.Fatalf("trouble %q, notes %q", d.trouble, d.notes)
	}
	input, image := [][2]float64{{0, 0}, {4, 0}, {0, 8}}, [][2]float64{{1, 0}, {2, 0}, {3, 0}}
	for method, kept := range map[string]results.Points{
		"nystrom": {Input: input, Image: image, Class: []int{7, 7, 9}}, "rff": {Input: input, Class: []int{7, 7, 9}},
	} {
		if err := results.WritePoints(run.Dir, reporttest.FixedRow(method, 0.5, 1000, 0).ID, kept); err != nil {
			t.Fatal(err)
		}
	}
	d = read(p, run)
	if d.trouble != "" || len(d.Panels) != 2 || d.Panels[0].Title != "input space, dataset poly2" || d.Panels[1].Title != "method nystrom, m = 32" || !slices.Equal(legendOf(d.Chart), []string{"class 7", "class 9"}) {
		t.Fatalf("trouble %q, panels %+v", d.trouble, d.Panels)
	}
	if !slices.Equal(d.notes, []string{"Without a result: rff (ok): the result has no coordinates."}) {
		t.Errorf("notes %q", d.notes)
	}
	x, y := d.Panels[0].X.Span, d.Panels[0].Y.Span
	near(t, "length of x", x[1]-x[0], 8.96)
	near(t, "length of y", y[1]-y[0], 8.96)
	near(t, "middle of x", x[1]+x[0], 4)
	checkDrawing(t, "scatter", d.Chart)
	if len(d.table) != 7 {
		t.Errorf("%d rows of numbers", len(d.table))
	}
	if err := os.WriteFile(filepath.Join(run.Dir, results.PointsFolder, reporttest.FixedRow("rff", 0.5, 1000, 0).ID+".json"), []byte("torn"), 0o644); err != nil {
		t.Fatal(err)
	}
	if d = read(p, run); d.trouble != "" || !strings.Contains(strings.Join(d.notes, " "), "broken points") {
		t.Errorf("trouble %q, notes %q", d.trouble, d.notes)
	}
}

func TestPlotsAreDrawn(t *testing.T) {
	steps := map[string]func(*results.Row){
		"as they are": func(*results.Row) {},
		"all equal":   func(r *results.Row) { set(r, 0.5) },
		"tiny":        func(r *results.Row) { set(r, r.Metrics["recon_h"]*1e-200) },
		"huge":        func(r *results.Row) { set(r, r.Metrics["recon_h"]*1e200) },
		"scattered":   func(r *results.Row) { set(r, math.Pow(10, 40*reporttest.Noise(int(numberOf(*r, "n"))+r.Repeat))) },
	}
	for name, step := range steps {
		run := reporttest.FixedRun()
		for i := range run.Rows {
			step(&run.Rows[i])
		}
		for _, p := range reporttest.FixedPlots() {
			if p.Kind == configs.PlotScatter {
				continue
			}
			checkDrawing(t, name+" "+p.ID, read(p, run).Chart)
			p.Axes.Y = "linear"
			checkDrawing(t, name+" "+p.ID+", linear", read(p, run).Chart)
		}
	}
}

// numberOf is a row's number in a column.
func numberOf(r results.Row, column string) float64 {
	x, _ := r.At.Number(column)
	return x
}

func set(r *results.Row, v float64) {
	if _, ok := r.Metrics["recon_h"]; ok {
		r.Metrics.Set("recon_h", v)
	}
}

// A figure of one panel is as wide as a column, one of several as a page.
func TestSizes(t *testing.T) {
	run := reporttest.FixedRun()
	for _, id := range []string{"rates", "costs", "spread", "bars", "tight"} {
		drawn := OfPlots(run, []configs.Plot{plotOf(t, id)}, reporttest.FixedVerdicts(), map[string]bool{}, LabelsOf(run))[0]
		c := drawn.Chart
		if width := map[bool]vg.Length{true: columnWidth, false: pageWidth}[len(c.Panels) == 1]; drawn.Problem != "" || c.Width != width {
			t.Errorf("%s: %v wide; %s", id, c.Width, drawn.Problem)
		}
		checkDrawing(t, id, c)
	}
}

// A method that others approximate is dashed, so that lines under it are seen.
func TestReferenceIsDashed(t *testing.T) {
	run := reporttest.FixedRun()
	reporttest.Use(&run, "ekpca", "nystrom", "rff")
	d := read(plotOf(t, "rates"), run)
	var lines []string
	for _, s := range d.Panels[0].Series {
		if s.role == measured {
			lines = append(lines, fmt.Sprint(s.Name, " ", len(s.Dashes)))
		}
	}
	if want := []string{"ekpca, theta=0.5 2", "ekpca, theta=0.75 2", "nystrom, theta=0.5 0", "nystrom, theta=0.75 0", "rff, theta=0.5 0", "rff, theta=0.75 0"}; !slices.Equal(lines, want) {
		t.Errorf("lines %q; want %q", lines, want)
	}
}

// The greys come after the colours.
func TestGreysComeLast(t *testing.T) {
	for i, text := range Palette {
		rgb, _ := hex.DecodeString(text[1:])
		if grey := slices.Max(rgb)-slices.Min(rgb) < 30; grey != (i >= 8) {
			t.Errorf("colour %d, %v", i, text)
		}
	}
}

// A method without the variable of the x axis stands at each of its values.
func TestLineWithoutX(t *testing.T) {
	run := reporttest.FixedRun()
	for i, r := range run.Rows {
		if r.Method() == "ekpca" {
			run.Rows[i].At = r.At.Without("theta", "m")
		}
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(r results.Row) bool { return strings.HasPrefix(r.ID, "ekpca0.75") })
	p := configs.Plot{ID: "p", Kind: configs.PlotLine, X: configs.NewQuantity("theta"), Y: configs.NewQuantity("recon_h"), Axes: configs.Axes{X: "linear", Y: "log"},
		Where: configs.Conditions{"method": {Value: []string{"ekpca", "nystrom"}}, "n": {Value: []string{"500"}}}}
	d := read(p, run)
	if d.trouble != "" || len(d.Panels) != 1 || len(d.notes) != 0 {
		t.Fatalf("%q, %d panels, notes %q", d.trouble, len(d.Panels), d.notes)
	}
	flat := d.Panels[0].seriesOf(measured)[0]
	if len(flat.Points) != 2 || flat.Points[0].X.value != 0.5 || flat.Points[1].X.value != 0.75 || flat.Points[0].Y.value != flat.Points[1].Y.value {
		t.Errorf("ekpca: %+v", flat.Points)
	}
	if flat.Points[0].cell.String() != "n=500" {
		t.Errorf("the cell of ekpca is %s", flat.Points[0].cell)
	}
}

// A method that has no floor is drawn without one.
func TestNoFloor(t *testing.T) {
	run := reporttest.FixedRun()
	for i := range run.Rows {
		if r := &run.Rows[i]; r.Method() == "rff" {
			all := maps.Collect(r.Metrics.All())
			delete(all, "recon_h_floor")
			r.Metrics = all
		}
	}
	d := read(plotOf(t, "rates"), run)
	if d.trouble != "" || !slices.Contains(d.names(), "rff, theta=0.5") {
		t.Fatalf("%q, lines %v", d.trouble, d.names())
	}
	for _, p := range d.Panels {
		for _, s := range p.seriesOf(floor) {
			if s.at.Text("method") == "rff" {
				t.Errorf("a floor of rff with %d points", len(s.Points))
			}
		}
	}
}

// A method has the colour of its place in the spec, in a plot of few methods as in one of all; of
// several series of a method each has its own.
func TestColourFollowsTheMethod(t *testing.T) {
	run := reporttest.FixedRun()
	reporttest.Use(&run, "ekpca", "nystrom", "rff")
	p := plotOf(t, "rates")
	for want, where := range map[string]configs.Conditions{
		blue + " " + orange + " " + red: {"theta": {Value: []string{"0.5"}}},
		red:                             {"theta": {Value: []string{"0.5"}}, "method": {Value: []string{"rff"}}},
		blue + " " + orange:             {"method": {Value: []string{"rff"}}},
	} {
		p.Where = where
		colours := lists.Map(read(p, run).Panels[0].seriesOf(measured), func(s Series) string { return s.Colour })
		if got := strings.Join(colours, " "); got != want {
			t.Errorf("%v: %s, want %s", where, got, want)
		}
	}
}

// The iteration of a solver is an x: means are over all repeats, of which one that has stopped stays where it
// is, and a method without iterations is flat.
func TestIterations(t *testing.T) {
	var rows []results.Row
	for repeat, series := range [][]float64{{8, 4, 2}, {6, 3}} {
		at := reporttest.At("dataset", "a", "method", "pcg", "n", "10")
		rows = append(rows,
			results.Row{ID: fmt.Sprint("p", repeat), At: at, Repeat: repeat, Status: results.OK, Metrics: results.Metrics{"err": series[len(series)-1]}, Series: map[string][]float64{"err": series}},
			results.Row{ID: fmt.Sprint("d", repeat), At: at.With("method", configs.TextOf("direct")), Repeat: repeat, Status: results.OK, Metrics: results.Metrics{"err": 2 + float64(repeat)}},
			results.Row{ID: fmt.Sprint("n", repeat), At: at.With("method", configs.TextOf("none")), Repeat: repeat, Status: results.OK, Metrics: results.Metrics{"other": 1}})
	}
	run := reporttest.RunOf([]string{"n"}, rows...)
	d := read(configs.Plot{ID: "p", Kind: configs.PlotLine, X: configs.Quantity{Text: "iteration"}, Y: configs.Quantity{Text: "err"}, Axes: configs.Axes{X: "linear", Y: "log"}}, run)
	lost := []string{"Not in the figure: none, repeat 0 (no metric err), none, repeat 1 (no metric err)."} // once, not at each iteration
	if d.trouble != "" || len(d.Panels) != 1 || !slices.Equal(d.notes, lost) || !slices.Equal(d.names(), []string{"direct", "pcg"}) {
		t.Fatalf("%q, %q: %d panels of %v", d.trouble, d.notes, len(d.Panels), d.names())
	}
	want := map[string][]float64{"pcg": {7, 3.5, 2.5}, "direct": {2.5, 2.5, 2.5}}
	for _, s := range d.Panels[0].Series {
		if len(s.Points) != 3 || s.Shape != "" {
			t.Fatalf("%d points of %s", len(s.Points), s.Name)
		}
		for i, q := range s.Points {
			near(t, s.Name, q.Y.value, want[s.Name][i])
			near(t, "iteration", q.X.value, float64(i))
			// Student's t, 0.975 quantile with 1 degree of freedom, of two repeats that lie 2, 1 and 1 apart.
			half := 12.70620474 * math.Abs(map[string][]float64{"pcg": {2, 1, 1}, "direct": {1, 1, 1}}[s.Name][i]) / 2
			near(t, "upper end", q.Y.high, q.Y.value*math.Exp(half/q.Y.value))
		}
	}
	if !strings.Contains(strings.Join(d.says, " "), "methods without iterations are flat") {
		t.Errorf("caption %q", d.says)
	}
}
