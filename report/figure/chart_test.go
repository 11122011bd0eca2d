package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"

	"mercer/report/reporttest"
	"mercer/results"
)

// checkDrawing looks at a chart: well-formed, nothing outside, axes with labels.
func checkDrawing(t *testing.T, name string, c chart) {
	t.Helper()
	staysInside(t, name, c)
	svg, err := c.Svg()
	if err != nil {
		t.Fatal(name, err)
	}
	for _, bad := range []string{"NaN", "Inf", "<text", "%!"} {
		if bytes.Contains(svg, []byte(bad)) {
			t.Errorf("%s has %q", name, bad)
		}
	}
	for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%s is no XML: %v", name, err)
		}
	}
	for i, p := range c.panels {
		for _, a := range []axis{p.x, p.y} {
			labels, total := 0, vg.Length(0)
			for _, tick := range a.ticks {
				if tick.Label != "" {
					labels++
					total += textStyle(tickSize).Width(tick.Label) + 3
				}
				if tick.Value < a.span.low-1e-9*math.Abs(a.span.low) || tick.Value > a.span.high+1e-9*math.Abs(a.span.high) {
					t.Errorf("%s, panel %d: tick %v outside of %v", name, i, tick, a.span)
				}
			}
			if labels < 2 && a.names == nil || labels > 9 {
				t.Errorf("%s, panel %d: %d labels on %v", name, i, labels, a.span)
			}
			if a.label == p.x.label && total > 0.9*c.width/vg.Length(c.columns) {
				t.Errorf("%s, panel %d: labels of the x axis take %v points", name, i, total)
			}
		}
	}
}

// staysInside looks at every path that a recorder takes.
func staysInside(t *testing.T, name string, c chart) {
	t.Helper()
	var r recorder.Canvas
	c.draw(draw.NewCanvas(&r, c.width, c.height))
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
			if part.Type != vg.CloseComp && (p.X < -0.01 || p.Y < -0.01 || p.X > c.width+0.01 || p.Y > c.height+0.01) {
				t.Errorf("%s: %v is outside of %v × %v", name, p, c.width, c.height)
				return
			}
		}
	}
}

// Outlines stand where text drawn with a font would: same widths, and ink
// within the box that the layout reckons with.
func TestOutlines(t *testing.T) {
	style := textStyle(8)
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

// Ten series have ten colours, and all that a plot may have look different.
func TestSeriesLookDifferent(t *testing.T) {
	colours, seen := map[color.NRGBA]bool{}, map[string]bool{}
	for i := range maxSeries {
		l, dash := seriesLook(i)
		if colours[l.colour] && i < 10 {
			t.Errorf("series %d has the colour of another", i)
		}
		colours[l.colour] = true
		if id := fmt.Sprintf("%v %T %v", l.colour, l.shape, dash); seen[id] {
			t.Errorf("series %d looks like another: %s", i, id)
		} else {
			seen[id] = true
		}
	}
}

// A method has the colour of its place in the spec, in a plot of few methods as in one of
// all, and keeps it where another is added below it; series of which a method has several
// are counted.
func TestColourFollowsTheMethod(t *testing.T) {
	at := func(method string, more ...string) results.Key {
		return reporttest.At(append([]string{"method", method}, more...)...)
	}
	type keys = []results.Key
	many := strings.Split("abcdefghijkl", "")
	for _, test := range []struct {
		name    string
		series  keys
		methods []string
		want    []int
	}{
		{"all", keys{at("a"), at("b"), at("c")}, []string{"a", "b", "c"}, []int{0, 1, 2}},
		{"one added", keys{at("a"), at("b"), at("c")}, []string{"a", "b", "c", "d"}, []int{0, 1, 2}},
		{"few", keys{at("c"), at("b")}, []string{"a", "b", "c"}, []int{2, 1}},
		{"by theta", keys{at("b"), at("b", "theta", "0.5")}, []string{"a", "b"}, []int{0, 1}},
		{"more than colours", keys{at("a"), at("l")}, many, []int{0, 1}},
		{"no methods", keys{reporttest.At("theta", "0.5")}, []string{"a"}, []int{0}},
	} {
		if got := looksOf(test.series, test.methods); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Panels and axes are named in full: a long text takes several lines, which end between
// coordinates, at spaces, after punctuation, or in the last resort between letters.
func TestTextsAreWhole(t *testing.T) {
	var names []string
	for _, theta := range []string{"0.25", "0.5", "0.75"} {
		names = append(names, "dataset handwritten-digits-60000, kernel gaussian-of-the-median, theta = "+theta)
	}
	names = append(names, "dataset a-name-of-sixty-letters-that-no-panel-has-room-for-on-one-line-17",
		"the mean over all repeats of what the program of the user calls its own distance 2")
	letters := strings.Repeat("abcdefghij", 8)
	x := axis{label: "x", span: span{0, 1}, most: 3}
	y := axis{label: strings.Repeat("a metric with a long name, ", 8) + letters, span: span{0, 1}, most: 5}
	var panels []panel
	for _, name := range names {
		panels = append(panels, panel{title: name, x: axis{label: letters, span: span{0, 1}, most: 3}, y: y})
	}
	panels = append(panels, panel{title: "short", x: x, y: x})
	c := sizedChart("", "", panels)
	style, drawn := textStyle(labelSize), draw.NewCanvas(new(recorder.Canvas), c.width, c.height)
	area := c.areas(drawn)[0]
	side := vg.Point{X: area.Size().X, Y: c.panels[0].beside(area, c.room).Size().Y}
	if r := c.roomIn(c.areas(drawn)); r != (room{2, 2, len(labelLines(y.label, side.Y))}) || r.y < 5 {
		t.Errorf("lines %+v", r)
	}
	for _, p := range c.panels {
		for txt, room := range map[string]vg.Length{p.title: side.X, p.x.label: side.X, p.y.label: side.Y} {
			lines := labelLines(txt, room)
			for _, line := range lines {
				if style.Width(line) > room-2*margin {
					t.Errorf("%q is wider than its panel", line)
				}
			}
			without := strings.NewReplacer(" ", "").Replace
			if without(strings.Join(lines, "")) != without(txt) {
				t.Errorf("%q is shown as %q", txt, lines)
			}
		}
	}
	for txt, want := range map[string]string{
		names[0]: "dataset handwritten-digits-60000,|kernel gaussian-of-the-median, theta = 0.25",
		names[3]: "dataset a-name-of-sixty-letters-that-no-|panel-has-room-for-on-one-line-17",
		names[4]: "the mean over all repeats of what the|program of the user calls its own distance 2",
		strings.Repeat("m+", 25) + "n" + raise + "-(1-1/alpha)" + lower: strings.Repeat("m+", 13) + "|" + strings.Repeat("m+", 12) + "|n" + raise + "-(1-1/alpha)" + lower,
	} {
		if got := strings.Join(labelLines(txt, side.X), "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if low := sizedChart("", "", slices.Repeat([]panel{{title: "short", x: x, y: x}}, 6)); c.height <= low.height {
		t.Error("long texts take the room of the axes")
	}
	staysInside(t, "long texts", c)
}

// A figure as PNG has the size that it says, and as much white as paper.
func TestPNG(t *testing.T) {
	c := read(plotOf(t, "bars"), reporttest.FixedRun()).chart()
	text, err := c.Png(new(PixelPool))
	if err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	size := image.Bounds()
	if want := c.width.Points() / 72 * pixels; math.Abs(float64(size.Dx())-want) > 1 {
		t.Errorf("%d pixels wide, want %v", size.Dx(), want)
	}
	white := 0
	for x := range size.Dx() {
		for y := range size.Dy() {
			if r, g, b, _ := image.At(x, y).RGBA(); r+g+b == 3*0xFFFF {
				white++
			}
		}
	}
	if share := float64(white) / float64(size.Dx()*size.Dy()); share < 0.5 || share > 0.97 {
		t.Errorf("%g of it is white", share)
	}
}

// A figure as PDF is one page of the size that it says, without a font or a date, and has
// all lines and areas of the figure as SVG.
func TestPDF(t *testing.T) {
	c := read(plotOf(t, "bars"), reporttest.FixedRun()).chart()
	file, err := c.Pdf()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprintf("/MediaBox [0 0 %.2f %.2f]", c.width.Points(), c.height.Points()), "/CreationDate (D:1970"} {
		if !bytes.Contains(file, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
	if bytes.Contains(file, []byte("/FontFile")) {
		t.Error("text is no outlines")
	}
	_, content, _ := bytes.Cut(file, []byte("stream\n"))
	unpacked, err := zlib.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	operators, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := c.Svg()
	if err != nil {
		t.Fatal(err)
	}
	painted := regexp.MustCompile(`(?m)^[Sf]$`).FindAll(operators, -1)
	if want := bytes.Count(svg, []byte("<path")); len(painted) != want || want < 50 {
		t.Errorf("%d paths, as SVG %d", len(painted), want)
	}
}

// A translucent colour is the same in a PDF as in an SVG: the opaque one and its opacity.
func TestPDFColours(t *testing.T) {
	c := vgpdf.New(10, 10)
	pdfCanvas{c}.SetColor(color.NRGBA{R: 189, G: 31, B: 1, A: 46})
	var file bytes.Buffer
	if _, err := c.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	_, content, _ := bytes.Cut(file.Bytes(), []byte("stream\n"))
	unpacked, err := zlib.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	operators, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	if want := "0.741 0.122 0.004 rg"; !bytes.Contains(operators, []byte(want)) { // 189/255, 31/255, 1/255
		t.Errorf("no %s in %s", want, operators)
	}
	if want := "/ca 0.180"; !bytes.Contains(file.Bytes(), []byte(want)) { // 46/255
		t.Errorf("no %s", want)
	}
}

// What is drawn for comparison widens an axis by its length at either end, or by a
// decade, and no further.
func TestComparisonsWidenAxes(t *testing.T) {
	linear, logs := extent{}, extent{log: true}
	linear.include(2, 3)
	logs.include(2, 3, -1, 0, math.NaN())
	for _, test := range []struct {
		r            *extent
		values, want []float64
	}{{&linear, []float64{1.5, 4, 4.5, 0}, []float64{1.5, 4}}, {&logs, []float64{0.3, 20, 0.1, 50, -1}, []float64{0.3, 20}},
		{&extent{log: true, low: 2, high: 2000, any: true}, []float64{2e-3, 2e6, 1e-3, 1e7}, []float64{2e-3, 2e6}},
		{&extent{low: 5, high: 5, any: true}, []float64{0.5, 10, 11, -1}, []float64{0.5, 10}}} {
		if got := test.r.near(1, test.values); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v; want %v", *test.r, got, test.want)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		log       bool
		low, high float64
		most      int
		want      string
		positions []float64
	}{
		{false, 0, 1, 5, "0 0.25 0.5 0.75 1", nil},
		{false, -0.3, 0.31, 5, "−0.2 0 0.2", nil},
		{false, 0, 4.2e6, 5, "0 10^6 2·10^6 3·10^6 4·10^6", nil},
		{false, -2e-7, 2e-7, 5, "−2·10^−7 −10^−7 0 10^−7 2·10^−7", nil},
		{false, 999.99, 1000.01, 5, "999.99 999.995 1000 1000.005 1000.01", nil},
		{false, -20, -10, 5, "−20 −17.5 −15 −12.5 −10", nil},
		{false, 0, 30, 5, "5 10 20", []float64{5, 20, 10, 5}},
		{true, 1, 1000, 6, "1 10 100 1000", nil},
		{true, 0.9, 1.1, 6, "0.9 0.95 1 1.05 1.1", nil},
		{true, 200, 5000, 6, "200 500 1000 2000 5000", nil},
		{true, 1e-9, 1e-3, 6, "10^−8 10^−6 10^−4", nil},
		{true, 1.5e-7, 9e-7, 6, "2·10^−7 3·10^−7 5·10^−7 7·10^−7", nil},
		{true, 0.052, 0.138, 6, "0.06 0.08 0.1 0.12", nil},
		{true, 0.12, 0.19, 6, "0.12 0.14 0.16 0.18", nil},
		{true, 1e-300, 1e300, 6, "10^−200 10^0 10^200", nil},
		{true, 230, 4300, 6, "250 500 1000 2000 4000", []float64{250, 500, 1000, 2000, 4000}},
		{true, 90, 1100, 6, "100 200 500 1000", []float64{100, 101, 102, 103, 104, 105, 1000}}, // no room for them
	} {
		var words []string
		for _, tick := range (span{test.low, test.high}).ticks(test.log, test.positions, test.most) {
			if tick.Label != "" {
				words = append(words, strings.NewReplacer(raise, "^", lower, "").Replace(tick.Label))
			}
		}
		if got := strings.Join(words, " "); got != test.want {
			t.Errorf("[%g, %g]: %s; want %s", test.low, test.high, got, test.want)
		}
	}
	ulp := math.Nextafter(1.05, 2) - 1.05
	for _, high := range []float64{1.05, 1.05 + ulp, 1.05 + 9*ulp, 1.05 * (1 + 1e-9)} { // an interval that is rounding
		a := axis{most: 6}
		a.fit(extent{low: 1.05, high: high, any: true}, figureWidth)
		if ticks := a.ticks; len(ticks) < 2 || len(ticks) > 6 || ticks[0].Label == ticks[1].Label {
			t.Errorf("from 1.05 to %g: ticks %v", high, ticks)
		}
	}
}

// A bar has a tint that the page knows, to darken it on dark pages.
func TestTintsAreDrawn(t *testing.T) {
	text, err := read(plotOf(t, "bars"), reporttest.FixedRun()).chart().Svg()
	if err != nil {
		t.Fatal(err)
	}
	next, stop := iter.Pull2(Tints())
	defer stop()
	if _, tint, _ := next(); !strings.Contains(string(text), "fill:"+tint) {
		t.Errorf("no bar has the fill %s", tint)
	}
}
