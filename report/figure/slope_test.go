package figure

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"

	"mercer/internal/claims"
	"mercer/report/format"
	"mercer/report/reporttest"
)

// seriesOf makes verdicts ready for a figure.
func seriesOf(verdicts ...claims.Verdict) []series {
	var groups []series
	for i, v := range verdicts {
		points, _ := drawable(v)
		s := series{look: looks[i], points: points, Verdict: v}
		if len(verdicts) > 1 {
			s.name = format.PlainWhere(v.Group)
		}
		groups = append(groups, s)
	}
	return groups
}

// odd are slopes whose figures are easily got wrong.
func odd() map[string][]series {
	narrow := reporttest.FixedSlope("0.5", -0.01, 0, claims.Holds)
	for i := range narrow.Points {
		p := &narrow.Points[i]
		p.X, p.Y, p.Low, p.High, p.Fit, p.Theory, p.Floor = 1000+float64(i), 0.5, 0.4999, 0.5001, 0.5, 0.5, nil
	}
	wide := reporttest.FixedSlope("0.5", -2, -2, claims.Holds)
	for i := range wide.Points {
		p := &wide.Points[i]
		p.X = math.Pow(10, float64(3*i))
		p.Y = math.Pow(10, float64(-60*i))
		p.Low, p.High, p.Fit, p.Theory, p.Floor = p.Y, p.Y, p.Y, p.Y, nil
	}
	single := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Inconclusive)
	single.Estimate, single.Target = math.NaN(), math.NaN()
	single.Points = single.Points[:1]
	single.Points[0].Fit, single.Points[0].Theory = math.NaN(), math.NaN()
	deep := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds)
	for i := range deep.Points {
		floor := 1e-14
		deep.Points[i].Floor = &floor
	}
	huge := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds)
	huge.Of = strings.Repeat("a very long expression over metrics / ", 10)
	huge.Points[0].High = math.MaxFloat64
	return map[string][]series{
		"narrow": seriesOf(narrow), "wide": seriesOf(wide), "single": seriesOf(single), "deep": seriesOf(deep), "huge": seriesOf(huge),
		"combined": seriesOf(reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds), reporttest.FixedSlope("0.75", -0.4, -0.375, claims.Holds)),
	}
}

func TestFiguresAreWellFormed(t *testing.T) {
	for name, groups := range odd() {
		svg, err := slopeChart("a < b & c", groups).Svg()
		if err != nil {
			t.Fatal(name, err)
		}
		text := string(svg)
		for _, bad := range []string{"NaN", "Inf", "<text", "%!"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
		if !strings.Contains(text, "<title>a &lt; b &amp; c</title>") || !strings.Contains(text, `role="img"`) {
			t.Errorf("%s has no title: %.400s", name, text)
		}
		decoder := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s is no XML: %v", name, err)
			}
		}
	}
}

// Each axis of each figure has at least two labelled ticks, all of them inside
// the axis, and not so many that they run into each other.
func TestAxesAreLabelled(t *testing.T) {
	style := textStyle(tickSize, false)
	for name, groups := range odd() {
		c := slopeChart("", groups)
		for axis, ticks := range map[string][]plot.Tick{"x": c.panels[0].x.ticks, "y": c.panels[0].y.ticks} {
			s := map[string]span{"x": c.panels[0].x.span, "y": c.panels[0].y.span}[axis]
			labelled, total := 0, vg.Length(0)
			for _, tick := range ticks {
				if tick.Label == "" {
					continue
				}
				labelled++
				total += style.Width(tick.Label) + 3
				if !s.holds(tick.Value) {
					t.Errorf("%s: label %q lies outside of %v", name, tick.Label, s)
				}
			}
			if labelled < 2 || labelled > 9 {
				t.Errorf("%s: %s axis %v has %d labels", name, axis, s, labelled)
			}
			if axis == "x" && total > 180 {
				t.Errorf("%s: labels of the x axis take %v points", name, total)
			}
		}
	}
}

func TestLogTicks(t *testing.T) {
	labels := func(low, high float64) string {
		var words []string
		for _, tick := range logTicks(span{low, high}, 6) {
			if tick.Label != "" {
				words = append(words, strings.NewReplacer(raise, "^", lower, "").Replace(tick.Label))
			}
		}
		return strings.Join(words, " ")
	}
	for _, test := range []struct {
		low, high float64
		want      string
	}{
		{1, 1000, "1 10 100 1000"},
		{0.9, 1.1, "0.9 0.95 1 1.05 1.1"},
		{200, 5000, "200 500 1000 2000 5000"},
		{1e-9, 1e-3, "10^−8 10^−6 10^−4"},
		{1.5e-7, 9e-7, "2·10^−7 3·10^−7 5·10^−7 7·10^−7"},
		{0.052, 0.138, "0.06 0.08 0.1 0.12"},
		{0.12, 0.19, "0.12 0.14 0.16 0.18"},
		{1e-300, 1e300, "10^−200 10^0 10^200"},
	} {
		if got := labels(test.low, test.high); got != test.want {
			t.Errorf("[%g, %g]: %s; want %s", test.low, test.high, got, test.want)
		}
	}
}

func TestPositionTicks(t *testing.T) {
	labels := func(positions ...float64) int {
		n := 0
		for _, tick := range positionTicks(span{positions[0], positions[len(positions)-1]}.pad(0.05), positions) {
			if tick.Label != "" {
				n++
			}
		}
		return n
	}
	if got := labels(250, 500, 1000, 2000, 4000); got != 5 {
		t.Errorf("%d labels at five doublings", got)
	}
	if got := labels(100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 1000); got > 7 {
		t.Errorf("%d labels on top of each other", got)
	}
}

// What is drawn lies on the canvas: the figure, its labels and its legend are
// not clipped.
func TestNothingIsDrawnOutside(t *testing.T) {
	for name, groups := range odd() {
		staysInside(t, name, slopeChart("", groups))
	}
}

// staysInside looks at every path that a recorder takes.
func staysInside(t *testing.T, name string, c chart) {
	t.Helper()
	var r recorder.Canvas
	height := c.height()
	c.draw(draw.NewCanvas(&r, c.width, height))
	offset := []vg.Point{{}}
	rotated := []bool{false}
	for _, action := range r.Actions {
		last := len(offset) - 1
		var path vg.Path
		switch a := action.(type) {
		case *recorder.Push:
			offset, rotated = append(offset, offset[last]), append(rotated, rotated[last])
		case *recorder.Pop:
			offset, rotated = offset[:last], rotated[:last]
		case *recorder.Translate:
			offset[last] = offset[last].Add(a.Point)
		case *recorder.Rotate:
			rotated[last] = true
		case *recorder.Fill:
			path = a.Path
		case *recorder.Stroke:
			path = a.Path
		}
		for _, part := range path {
			p := part.Pos
			if rotated[last] { // a quarter turn, the only one that there is
				p = vg.Point{X: -p.Y, Y: p.X}
			}
			p = p.Add(offset[last])
			if part.Type != vg.CloseComp && (p.X < -0.01 || p.Y < -0.01 || p.X > c.width+0.01 || p.Y > height+0.01) {
				t.Errorf("%s: %v is outside of %v × %v", name, p, c.width, height)
				return
			}
		}
	}
}

// Outlines stand where text drawn with a font would: same widths, and ink
// within the box that the layout reckons with.
func TestOutlines(t *testing.T) {
	style := textStyle(8, false)
	plain := style
	plain.Handler = text.Plain{Fonts: plotText.Fonts}
	for _, s := range []string{"recon_h", "AVATAR", "−0.25 ± 0.08", "θ ≤ α"} {
		if a, b := style.Width(s), plain.Width(s); math.Abs(float64(a-b)) > 1e-9 {
			t.Errorf("%q is %v wide, with a font %v", s, a, b)
		}
	}
	if a, b := style.Width("10"+raise+"5"+lower), style.Width("105"); a >= b || a <= style.Width("10") {
		t.Errorf("raised text is %v wide, plain %v", a, b)
	}
	canvas := vgimg.New(60, 20)
	white := 0
	plotText.Draw(canvas, "Hg", style, vg.Point{X: 20, Y: 8})
	img := canvas.Image()
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			if r, _, _, _ := img.At(x, y).RGBA(); r > 0x8000 {
				white++
			}
		}
	}
	if total := img.Bounds().Dx() * img.Bounds().Dy(); white == total || white < total/2 {
		t.Errorf("%d of %d pixels are white", white, total)
	}
}

func TestManyGroupsAreSplit(t *testing.T) {
	var verdicts []claims.Verdict
	for i := range 2*maxCombined + 1 {
		v := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Holds)
		v.Group = reporttest.At("theta", format.Number(float64(i)))
		verdicts = append(verdicts, v)
	}
	single, combined := OfClaim("slopes", verdicts, map[string]bool{})
	if len(combined) != 3 || len(single) != len(verdicts) {
		t.Errorf("%d combined figures, %d single ones", len(combined), len(single))
	}
}

func TestDrawable(t *testing.T) {
	v := claims.Verdict{Over: "n", Points: []claims.Point{
		{X: 1, Y: 2, Low: 1, High: 3}, {X: 2, Y: math.NaN()}, {X: 0, Y: 1}, {X: 3, Y: 2, Low: -1, High: math.Inf(1)}, {X: 4, Y: math.Inf(1)},
	}}
	points, note := drawable(v)
	if len(points) != 2 || points[1].Low != 2 || points[1].High != 2 {
		t.Errorf("%+v", points)
	}
	if want := "Not in the figure, since log axes have no place for it: n = 2 (value –), n = 0 (value 1), n = 4 (value –)."; note != want {
		t.Errorf("%q; want %q", note, want)
	}
}

// A claim that is not about slopes has a figure of its verdicts, or of their
// cells: those that need most attention where there are many.
func TestForest(t *testing.T) {
	var ratio, bound []claims.Verdict
	for _, v := range reporttest.FixedVerdicts() {
		switch v.Claim {
		case "as-good-as-exact":
			ratio = append(ratio, v)
		case "thm-4.1-iii":
			bound = append(bound, v)
		}
	}
	rows, more := forestRows(ratio)
	if len(rows) != 14 || more != 0 { // of 15 cells one has no estimate
		t.Errorf("%d rows and %d more", len(rows), more)
	}
	if rows[3].name != "n=103" || rows[3].outcome != claims.Violated || rows[3].estimate != 1.31 || rows[3].target != 1.25 {
		t.Errorf("row 3 is %+v", rows[3])
	}
	var text string
	_, combined := OfClaim("as-good-as-exact", ratio, map[string]bool{})
	for _, r := range combined[0].Chart.Readings() {
		if strings.HasPrefix(r.text, "n=103\n") {
			text = r.text
		}
	}
	if want := "n=103\nestimate = 1.31 [1.29, 1.33]\nclaimed: ≤ 1.25\nviolated, 4 repeats"; text != want {
		t.Errorf("%q; want %q", text, want)
	}
	if rows, _ := forestRows(bound); len(rows) != 2 || rows[0].name != "nystrom, n=20000" {
		t.Errorf("of the bound: %+v", rows)
	}
	many := slices.Repeat(ratio, 3)
	rows, more = forestRows(many)
	if len(rows) != maxForest || more != 3*14-maxForest || rows[1].outcome != claims.Holds && rows[0].outcome != claims.Violated {
		t.Errorf("%d rows and %d more: %+v", len(rows), more, rows)
	}
	violated := 0
	for _, row := range rows {
		if row.outcome == claims.Violated {
			violated++
		}
	}
	if violated != 3 {
		t.Errorf("%d of 3 violated cells are shown", violated)
	}
	many[0].Cells = slices.Clone(many[0].Cells)
	for i := range many[0].Cells { // as of one repeat
		many[0].Cells[i].Low, many[0].Cells[i].High = math.NaN(), math.NaN()
	}
	if rows, _ := forestRows(many); len(rows) != maxForest {
		t.Errorf("%d rows where some have no interval", len(rows))
	}
}
