package figure

import (
	"encoding/json"
	"iter"
	"math"

	"gonum.org/v1/plot/vg"

	"mercer/internal/plain"
	"mercer/results"
)

// Chart is panels below one legend. Its JSON is what a page draws it from.
type Chart struct {
	Title       string    `json:"-"` // for readers that cannot see it
	Panels      []Panel   `json:"panels"`
	Width       vg.Length `json:"-"`
	PanelHeight vg.Length `json:"-"`
	Columns     int       `json:"-"` // of panels
}

// Panel is a pair of axes with series of points.
type Panel struct {
	Title  string   `json:"title"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series"`

	at     results.Key // of the rows that it shows
	fields *fields     // of a heat map
}

// Axis is numbers, or names in their place: name i lies at i on x and at -i on y.
type Axis struct {
	Label string     `json:"label"`
	Log   bool       `json:"log"`
	Names []string   `json:"names,omitempty"`
	Span  [2]float64 `json:"span"` // from the series where it is left out
}

// Series is points that look the same. Series with one name are one in the legend.
type Series struct {
	Name   string      `json:"name"` // "" keeps it out of the legend
	Colour string      `json:"colour"`
	Width  float64     `json:"width,omitempty"` // points, of the line through all; 0 for no line
	Dashes []vg.Length `json:"dashes,omitempty"`
	Shape  string      `json:"shape,omitempty"` // of marks: see shapes
	Hollow bool        `json:"hollow,omitempty"`
	Radius float64     `json:"radius,omitempty"` // of marks, in points
	Bars   bool        `json:"bars,omitempty"`   // intervals are drawn
	Points []Point     `json:"points,omitempty"`

	// Curve says that the series is there for comparison: it may widen an axis to three times its
	// length at most, and comes last in the legend.
	Curve bool `json:"curve,omitempty"`

	role role
	at   results.Key // of the line that it is, or goes along
}

// role is what points are in the table of a plot; "" for what it leaves out.
type role string

const (
	measured role = "measured"
	theory   role = "theory"
	floor    role = "floor" // below which nothing can lie
	mark     role = "mark"  // a reference value
)

// Point is an estimate in both coordinates, and where it stands for readers that point at it. An
// infinite coordinate is the end of its axis.
type Point struct {
	X, Y estimate
	Text string

	// Of the plots of a spec:
	results.Group             // where it stands, and its repeats
	cell          results.Key // what tells it from others of its line
	count         int         // of repeats with a value
}

// estimate is a value with the ends of its interval; NaN for an end that is missing.
type estimate struct{ value, low, high float64 }

func exactly(v float64) estimate { return estimate{v, math.NaN(), math.NaN()} }

func (e estimate) bounded() bool { return !math.IsNaN(e.low) && !math.IsNaN(e.high) }

// MarshalJSON writes an array: x, y, the ends of the interval in x, those in y, the text.
func (p Point) MarshalJSON() ([]byte, error) {
	list := []any{p.X.value, p.Y.value, p.X.low, p.X.high, p.Y.low, p.Y.high, p.Text}
	for i, v := range list[:6] {
		if !plain.Finite(v.(float64)) {
			list[i] = nil
		}
	}
	return json.Marshal(list)
}

// Explored says whether a page draws the chart from its numbers.
func (c Chart) Explored() bool { return c.Panels[0].fields == nil }

// A figure is as wide as a column of a two-column paper, or as a page.
const (
	columnWidth = 84 * vg.Millimeter
	pageWidth   = 174 * vg.Millimeter
	panelHeight = 60 * vg.Millimeter
	nameHeight  = vg.Length(13) // of a row with a name
	narrowNames = 8             // names on x that a column of a page has room for
)

// points are those of all series of panels.
func points(panels []Panel) iter.Seq2[*Series, *Point] {
	return func(yield func(*Series, *Point) bool) {
		for _, p := range panels {
			for i := range p.Series {
				for k := range p.Series[i].Points {
					if !yield(&p.Series[i], &p.Series[i].Points[k]) {
						return
					}
				}
			}
		}
	}
}

// newChart lays panels out: one is as wide as a column, several, or one with many names on x, as a
// page. It gives their axes spans.
func newChart(title string, panels []Panel) Chart {
	c := Chart{Title: title, Panels: panels, Width: columnWidth, PanelHeight: panelHeight, Columns: min(len(panels), 3)}
	if len(panels) > 1 {
		c.Width = pageWidth
	}
	for i := range panels {
		p := &panels[i]
		if rows := len(p.Y.Names); rows > 0 {
			c.PanelHeight, c.Columns = max(panelHeight, vg.Length(rows)*nameHeight+45), min(c.Columns, 2)
		}
		if len(p.X.Names) > narrowNames {
			c.Width, c.Columns = pageWidth, 1
		}
		p.fit()
	}
	return c
}

// Class is how wide a page shows the chart.
func (c Chart) Class() string {
	if c.Width > columnWidth {
		return "wide"
	}
	return ""
}

// to is where a value lies along the axis: its logarithm on a log axis.
func (a Axis) to(v float64) float64 {
	if a.Log {
		return math.Log10(max(v, 0))
	}
	return v
}

// fit gives the axes their spans, and puts infinite values at their ends.
func (p *Panel) fit() {
	p.X.fit(*p, 1, func(q *Point) *estimate { return &q.X })
	p.Y.fit(*p, -1, func(q *Point) *estimate { return &q.Y })
}

func (a *Axis) fit(p Panel, sign float64, of func(*Point) *estimate) {
	if a.Span == [2]float64{} {
		a.Span = a.spanOf(p, sign, of)
	}
	for _, q := range points([]Panel{p}) {
		e := of(q)
		for _, v := range []*float64{&e.value, &e.low, &e.high} {
			if math.IsInf(*v, 0) {
				*v = min(max(*v, a.Span[0]), a.Span[1])
			}
		}
	}
}

// spanOf has room for the points of a panel, and a little more. Names lie at whole numbers in the
// direction of a sign. Curves, and intervals on a log axis, widen the span of all else by its length
// to either side, or by a decade, and no further.
func (a Axis) spanOf(p Panel, sign float64, of func(*Point) *estimate) [2]float64 {
	if last := sign * float64(len(a.Names)-1); len(a.Names) > 0 {
		return [2]float64{min(0, last) - 0.5, max(0, last) + 0.5}
	}
	low, high := math.Inf(1), math.Inf(-1)
	var far []float64
	for s, q := range points([]Panel{p}) {
		e := of(q)
		for i, v := range []float64{e.value, e.low, e.high} {
			switch v = a.to(v); {
			case !plain.Finite(v):
			case s.Curve || i > 0 && a.Log:
				far = append(far, v)
			default:
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if low > high {
		low, high = a.to(1), a.to(10)
	}
	reach := high - low
	switch {
	case a.Log:
		reach = max(reach, 1)
	case reach <= 1e-8*math.Abs(high): // rounding has no length
		reach = max(math.Abs(high), 1e-12)
	}
	least, most := low-reach, high+reach
	for _, v := range far {
		low, high = min(low, max(v, least)), max(high, min(v, most))
	}

	pad := 0.06 * max(high-low, reach)
	if a.Log {
		return [2]float64{math.Pow(10, max(low-pad, -300)), math.Pow(10, min(high+pad, 300))}
	}
	return [2]float64{low - pad, high + pad}
}
