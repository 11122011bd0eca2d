package figure

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"mercer/report/reporttest"
)

// checkDrawing looks at a chart: well-formed, nothing outside, axes with labels.
func checkDrawing(t *testing.T, name string, c Chart) {
	t.Helper()
	staysInside(t, name, c)
	svg, err := c.Svg()
	if err != nil {
		t.Fatal(name, err)
	}
	if texts, sized := bytes.Count(svg, []byte("<text ")), bytes.Count(svg, []byte(" textLength=")); texts != sized {
		t.Errorf("%s: %d of %d texts have the width that they were laid out with", name, sized, texts)
	}
	for _, bad := range []string{"NaN", "Inf", "%!"} {
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
	for i, p := range c.Panels {
		for _, a := range []Axis{p.X, p.Y} {
			labels := 0
			for _, tick := range a.ticks(1, columnWidth) {
				if tick.Label != "" {
					labels++
				}
			}
			if a.Names == nil && (labels < 2 || labels > 9) {
				t.Errorf("%s, panel %d: %d labels on %v", name, i, labels, a.Span)
			}
		}
	}
}

// staysInside looks at every path and text that a recorder takes.
func staysInside(t *testing.T, name string, c Chart) {
	t.Helper()
	var r recorder.Canvas
	c.draw(draw.NewCanvas(&r, c.Width, c.height()))
	type frame struct {
		offset vg.Point
		turned bool
	}
	frames := []frame{{}}
	for _, action := range r.Actions {
		at := &frames[len(frames)-1]
		var places []vg.Point
		switch a := action.(type) {
		case *recorder.Push:
			frames = append(frames, *at)
		case *recorder.Pop:
			frames = frames[:len(frames)-1]
		case *recorder.Translate:
			at.offset = at.offset.Add(a.Point)
		case *recorder.Rotate:
			at.turned = at.turned || a.Angle != 0
		case *recorder.FillString:
			face := plotText.Fonts.Lookup(textStyle(0).Font, a.Size)
			places = []vg.Point{a.Point, a.Point.Add(vg.Point{X: face.Width(a.String)})}
		case *recorder.Fill:
			for _, part := range a.Path {
				places = append(places, part.Pos)
			}
		case *recorder.Stroke:
			for _, part := range a.Path {
				places = append(places, part.Pos)
			}
		}
		for _, p := range places {
			if at.turned { // a quarter turn, the only one that there is
				p = vg.Point{X: -p.Y, Y: p.X}
			}
			if p = p.Add(at.offset); p != at.offset && (p.X < -0.5 || p.Y < -0.5 || p.X > c.Width+0.5 || p.Y > c.height()+0.5) {
				t.Errorf("%s: %T at %v is outside of %v × %v", name, action, p, c.Width, c.height())
				return
			}
		}
	}
}

// names are the entries of the legend.
func legendOf(c Chart) []string {
	var names []string
	for _, s := range c.entries() {
		names = append(names, s.Name)
	}
	return names
}

// Ten series have ten colours, and all that a plot may have look different.
func TestSeriesLookDifferent(t *testing.T) {
	colours, seen := map[string]bool{}, map[string]bool{}
	for i := range maxSeries {
		s := styled(i, "")
		if colours[s.Colour] && i < len(Palette) {
			t.Errorf("series %d has the colour of another", i)
		}
		colours[s.Colour] = true
		if id := fmt.Sprint(s.Colour, s.Shape, s.Hollow, s.Dashes); seen[id] {
			t.Errorf("series %d looks like another: %s", i, id)
		} else {
			seen[id] = true
		}
	}
}

// The colours of series have a contrast of 3 on white, and each differs from all others for readers with
// and without a form of colour blindness.
func TestColoursAreTold(t *testing.T) {
	sights := map[string][3][3]float64{ // of linear light
		"full":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	times := func(m [3][3]float64, v [3]float64) (w [3]float64) {
		for i, row := range m {
			w[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
		}
		return w
	}
	// seen is a colour in OKLab, where equal distances look alike.
	seen := func(name string, sight [3][3]float64) [3]float64 {
		r, g, b := linear(rgb(name))
		light := times(sight, [3]float64{r, g, b})
		for i := range light {
			light[i] = min(max(light[i], 0), 1)
		}
		cones := times([3][3]float64{{0.4122214708, 0.5363325363, 0.0514459929}, {0.2119034982, 0.6806995451, 0.1073969566}, {0.0883024619, 0.2817188376, 0.6299787005}}, light)
		for i := range cones {
			cones[i] = math.Cbrt(cones[i])
		}
		return times([3][3]float64{{0.2104542553, 0.7936177850, -0.0040720468}, {1.9779984951, -2.4285922050, 0.4505937099}, {0.0259040371, 0.7827717662, -0.8086757660}}, cones)
	}
	for i, a := range Palette {
		r, g, b := linear(rgb(a))
		if contrast := 1.05 / (luminance(r, g, b) + 0.05); contrast < 3 {
			t.Errorf("%s has a contrast of %.2f on white", a, contrast)
		}
		for name, sight := range sights {
			least := 0.066
			if i < 4 {
				least = 0.12
			}
			for _, b := range Palette[:i] {
				if v, w := seen(a, sight), seen(b, sight); math.Hypot(math.Hypot(v[0]-w[0], v[1]-w[1]), v[2]-w[2]) < least {
					t.Errorf("%s and %s look alike, %s", a, b, name)
				}
			}
		}
	}
}

// A long title takes several lines, a long name of a row is shortened in its middle.
func TestLongTexts(t *testing.T) {
	style := textStyle(labelSize)
	for _, line := range strings.Split(wrapped("dataset handwritten-digits-60000, kernel gaussian-of-the-median, theta = 0.25", style, 200), "\n") {
		if style.Width(line) > 200 {
			t.Errorf("%q is wider than its place", line)
		}
	}
	if got := fit("nystrom-with-uniform-landmarks, n = 1000", style, 100); style.Width(got) > 100 || !strings.HasPrefix(got, "nystrom") || !strings.HasSuffix(got, "1000") {
		t.Errorf("a name is shortened to %q", got)
	}
}

// A long title lies inside of its figure, in any font: its SVG says how wide each line is.
func TestLongTitle(t *testing.T) {
	title := strings.Repeat("slope −0.26 [−0.28, −0.25], claimed = −0.25 ", 4)
	for panels := 1; panels <= 3; panels++ {
		c := newChart("", slices.Repeat([]Panel{{Title: title, X: Axis{Label: "n"}, Y: Axis{Label: "R"}}}, panels))
		checkDrawing(t, title, c)
		svg, err := c.Svg()
		if err != nil {
			t.Fatal(err)
		}
		lines := regexp.MustCompile(`<text x="([^"]*)"[^>]*font-size:8px" textLength="([^"]*)" lengthAdjust="spacingAndGlyphs">([^<]*(slope|claimed)[^<]*)<`).FindAllSubmatch(svg, -1)
		if len(lines) < 3*panels {
			t.Errorf("%d lines of %d titles", len(lines), panels)
		}
		for _, line := range lines {
			x, errX := strconv.ParseFloat(string(line[1]), 64)
			width, errWidth := strconv.ParseFloat(string(line[2]), 64)
			want := textStyle(labelSize).Width(string(line[3])).Points()
			if err := cmp.Or(errX, errWidth); err != nil || x < 0 || x+width > c.Width.Points() || math.Abs(width-want) > 0.01 {
				t.Errorf("%q goes from %g, %g wide, in a figure of %v: %v", line[3], x, width, c.Width, err)
			}
		}
	}
}

// A figure as PNG has the size that it says.
func TestPNG(t *testing.T) {
	c := read(plotOf(t, "bars"), reporttest.FixedRun()).Chart
	text, err := c.Png()
	if err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := image.Bounds().Dx(), c.Width.Points()/72*pixels; math.Abs(float64(got)-want) > 1 {
		t.Errorf("%d pixels wide, want %v", got, want)
	}
}

// streamOf is the operators of a PDF of one page.
func streamOf(t *testing.T, file []byte) []byte {
	t.Helper()
	_, content, _ := bytes.Cut(file, []byte("stream\n"))
	unpacked, err := zlib.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	operators, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return operators
}

// A figure as PDF is one page of the size that it says, without a font or a date.
func TestPDF(t *testing.T) {
	c := read(plotOf(t, "bars"), reporttest.FixedRun()).Chart
	file, err := c.Pdf()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprintf("/MediaBox [0 0 %.2f %.2f]", c.Width.Points(), c.height().Points()), "/CreationDate (D:1970"} {
		if !bytes.Contains(file, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
	if bytes.Contains(file, []byte("/FontFile")) {
		t.Error("text is no outlines")
	}
	if n := bytes.Count(streamOf(t, file), []byte("\nf\n")); n < 15 {
		t.Errorf("%d areas, and letters are some of them", n)
	}
}

// What is drawn for comparison widens an axis by its length at either end, or by a
// decade, and no further; what is beyond lies outside. Six hundredths of the length are left at the
// ends.
func TestComparisonsWidenAxes(t *testing.T) {
	for _, test := range []struct {
		log          bool
		values, near []float64
		low, high    float64
	}{
		{false, []float64{2, 3}, []float64{1.5, 3.5}, 1.5, 3.5},
		{false, []float64{2, 3}, []float64{4.5, 0}, 1, 4},
		{true, []float64{2, 3, -1, 0, math.NaN()}, []float64{0.3, 20, -1}, 0.3, 20},
		{true, []float64{2, 3}, []float64{0.1, 50}, 0.2, 30},
		{true, []float64{2, 2000}, []float64{1e-3, 1e7}, 2e-3, 2e6},
		{false, []float64{5}, []float64{0.5, 10}, 0.5, 10},
	} {
		points := func(values []float64) (list []Point) {
			for _, v := range values {
				list = append(list, Point{X: exactly(v), Y: exactly(1)})
			}
			return list
		}
		a := newChart("", []Panel{{X: Axis{Log: test.log}, Series: []Series{{Points: points(test.values)}, {Points: points(test.near), Curve: true}}}}).Panels[0].X
		pad := 0.06 * (a.to(test.high) - a.to(test.low))
		near(t, "low end", a.to(a.Span[0]), a.to(test.low)-pad)
		near(t, "high end", a.to(a.Span[1]), a.to(test.high)+pad)
	}
}

// Intervals widen a log axis as what is there for comparison does; a linear axis shows all of
// them.
func TestIntervalsWidenAxes(t *testing.T) {
	for _, test := range []struct {
		log       bool
		low, high float64
	}{{true, 0.3, 30}, {false, 0.3, 1000}} {
		series := []Series{{Points: []Point{{X: estimate{2, 0.3, 20}, Y: exactly(1)}, {X: estimate{3, 2.5, 1000}, Y: exactly(1)}}}}
		a := newChart("", []Panel{{X: Axis{Log: test.log}, Series: series}}).Panels[0].X
		pad := 0.06 * (a.to(test.high) - a.to(test.low))
		near(t, "low end", a.to(a.Span[0]), a.to(test.low)-pad)
		near(t, "high end", a.to(a.Span[1]), a.to(test.high)+pad)
	}
}

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		log       bool
		low, high float64
		want      string
	}{
		{false, 0, 1, "0 0.5 1"},
		{false, -0.3, 0.31, "−0.25 0 0.25"},
		{false, 0, 4.2e6, ""},
		{false, -2e-7, 2e-7, ""},
		{false, -20, -10, "−20 −15 −10"},
		{true, 1, 1000, "1 10 100 1000"},
		{true, 0.9, 1.1, "0.9 1 1.1"},
		{true, 200, 5000, "200 500 1000 2000 5000"},
		{true, 1e-9, 1e-3, "1e−9 1e−8 1e−7 1e−6 1e−5 0.0001 0.001"},
		{true, 0.052, 0.138, "0.06 0.09 0.12"},
		{true, 0.0009, 0.0085, "0.001 0.002 0.005"},
		{true, 0.0021, 0.0105, "0.005 0.01"},
		{true, 0.002, 0.00999, "0.003 0.006 0.009"},
		{true, 1e-300, 1e300, ""},
	} {
		var words []string
		ticks := Axis{Log: test.log, Span: [2]float64{test.low, test.high}}.ticks(1, columnWidth)
		for _, tick := range ticks {
			if tick.Label != "" {
				words = append(words, tick.Label)
			}
		}
		if got := strings.Join(words, " "); got != test.want && (test.want != "" || len(words) < 2 || len(words) > mostTicks+2) {
			t.Errorf("[%g, %g]: %s; want %s", test.low, test.high, got, test.want)
		}
	}
	ulp := math.Nextafter(1.05, 2) - 1.05
	for _, high := range []float64{1.05, 1.05 + ulp, 1.05 + 9*ulp, 1.05 * (1 + 1e-9)} { // an interval that is rounding
		c := newChart("", []Panel{{Series: []Series{{Points: []Point{{X: exactly(1.05), Y: exactly(1)}, {X: exactly(high), Y: exactly(1)}}}}}})
		if ticks := c.Panels[0].X.ticks(1, columnWidth); len(ticks) < 2 || ticks[0].Label == ticks[1].Label {
			t.Errorf("from 1.05 to %g: ticks %v", high, ticks)
		}
	}
}

// A page gets all series with all their points; what is not known is null, and infinite ends
// are those of the axis.
func TestChartData(t *testing.T) {
	points := []Point{{X: exactly(1), Y: estimate{2, 1.5, math.Inf(1)}, Text: "a\nb"}, {X: exactly(4), Y: exactly(2)}}
	c := newChart("", []Panel{{Series: []Series{{Name: "s", Colour: ink, Points: points}}, Y: Axis{Span: [2]float64{0, 3}}}})
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`[1,2,null,null,1.5,3,"a\nb"]`, `[4,2,null,null,null,null,""]`, `"name":"s"`, `"span":[0,3]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}
