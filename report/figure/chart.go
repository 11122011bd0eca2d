package figure

import (
	"cmp"
	"encoding/json"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// Chart is panels below one legend. Its JSON is what a page draws it from.
type Chart struct {
	Title, Describe string    `json:"-"` // for readers that cannot see it
	Panels          []Panel   `json:"panels"`
	Width           vg.Length `json:"-"`
	PanelHeight     vg.Length `json:"-"`
	Columns         int       `json:"-"` // of panels
	Bar             *colours  `json:"-"` // of the fields of a heat map
}

// Panel is a pair of axes with series of points.
type Panel struct {
	Title  string   `json:"title"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series"`
	Square bool     `json:"square,omitempty"` // its axes have one scale, and are its own

	at results.Key // of the rows that it shows; panels of one data set and kernel have the same axes
}

// Axis is numbers, or names in their place: name i lies at i on x and at -i on y.
type Axis struct {
	Label string     `json:"label"`
	Log   bool       `json:"log"`
	Names []string   `json:"names,omitempty"`
	Span  [2]float64 `json:"span"` // from the series where it is left out
	Zero  bool       `json:"-"`    // it begins at 0
}

// Series is points that look the same. Series with one name are one in the legend.
type Series struct {
	Name     string      `json:"name"` // "" keeps it out of the legend
	Colour   string      `json:"colour"`
	Width    float64     `json:"width,omitempty"` // points, of the line through all; 0 for no line
	Dashes   []vg.Length `json:"dashes,omitempty"`
	Shape    string      `json:"shape,omitempty"` // of marks: see shapes
	Hollow   bool        `json:"hollow,omitempty"`
	Radius   float64     `json:"radius,omitempty"`   // of marks, in points
	Interval string      `json:"interval,omitempty"` // how intervals are drawn: see below
	Points   []Point     `json:"points,omitempty"`

	// Reach is for what is there for comparison, which lies behind all else: by how many
	// lengths of an axis, or factors of its ends, the series may widen it. Axes show all of a
	// series with reach 0, but for intervals on a log axis, whose reach is 1.
	Reach float64 `json:"reach,omitempty"`

	role    role
	at      results.Key // of the line that it is, or goes along
	colours *colours    // of its fields
}

// role is what points are in the table of a plot; "" for what it leaves out.
type role string

const (
	measured role = "measured"
	theory   role = "theory"
	floor    role = "floor" // below which nothing can lie
	mark     role = "mark"  // a reference value
)

// How a series draws intervals.
const (
	bars   = "bars"
	band   = "band"   // an area along its line
	boxes  = "boxes"  // a bar from 0 over the interval in y
	fields = "fields" // the fields of a heat map, over both intervals
)

// Point is an estimate in both coordinates, and its numbers for readers that point at it. An
// infinite coordinate is the end of its axis.
type Point struct {
	X, Y  estimate
	Text  string
	value float64 // of a field of a heat map

	// Of the plots of a spec:
	results.Group             // where it stands, and its repeats
	cell          results.Key // what tells it from others of its line
	count         int         // of repeats with a value
	front         bool        // no other point of the panel is as low in both coordinates
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
func (c Chart) Explored() bool { return c.Bar == nil }

// A figure is as wide as a column of a two-column paper, or as a page.
const (
	columnWidth  = 84 * vg.Millimeter
	pageWidth    = 174 * vg.Millimeter
	smallHeight  = 56 * vg.Millimeter // of one of several panels
	columnHeight = 63 * vg.Millimeter // of one in a column
	pageHeight   = 84 * vg.Millimeter // of one as wide as a page
	nameHeight   = vg.Length(13)      // of a row with a name
	narrowNames  = 8                  // names on x that a column of a page has room for
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

// newChart lays panels out for a figure of a size, which may be left out: one panel is then as
// wide as a column, several or one with many names on x as a page. Panels with rows of names are
// at most two in a row.
func newChart(size, title string, panels []Panel) Chart {
	rows, wide := 0, false
	for _, p := range panels {
		slices.SortStableFunc(p.Series, func(a, b Series) int { return cmp.Compare(b.Reach, a.Reach) })
		rows, wide = max(rows, len(p.Y.Names)), wide || len(p.X.Names) > narrowNames
	}
	c := Chart{Title: title, Panels: panels, Width: columnWidth, PanelHeight: smallHeight, Columns: 1}
	if size == configs.SizePage || size == "" && (len(panels) > 1 || wide) {
		c.Width = pageWidth
		c.Columns = map[int]int{1: 1, 2: 2, 4: 2}[len(panels)]
		if c.Columns == 0 {
			c.Columns = 3
		}
	}
	if len(panels) == 1 {
		c.PanelHeight = map[vg.Length]vg.Length{columnWidth: columnHeight, pageWidth: pageHeight}[c.Width]
	}
	if rows > 0 {
		c.Columns, c.PanelHeight = min(c.Columns, 2), vg.Length(rows)*nameHeight+45
	}
	if wide {
		c.Columns = 1
	}
	scale(panels)
	noteBeyond(panels)
	return c
}

const floorName = "floor"

// noteBeyond adds to the names of what is there for comparison that points are beyond an axis.
func noteBeyond(panels []Panel) {
	beyond := map[string]bool{}
	for i, p := range panels {
		for s, q := range points(panels[i : i+1]) {
			beyond[s.Name] = beyond[s.Name] || s.Reach > 0 && !(p.X.holds(q.X.value) && p.Y.holds(q.Y.value))
		}
	}
	for _, p := range panels {
		for i, s := range p.Series {
			if beyond[s.Name] && s.Name != "" {
				p.Series[i].Name += ", in part beyond the axis"
			}
		}
	}
}

// Class is how wide a page shows the chart.
func (c Chart) Class() string {
	if c.Width > columnWidth {
		return "wide"
	}
	return ""
}

// scale gives the axes of panels their spans. Panels that share their axes have the same.
func scale(panels []Panel) {
	for i := range panels {
		if n := float64(len(panels[i].X.Names)); n > 0 {
			panels[i].X.Span = [2]float64{-0.5, n - 0.5}
		}
		if n := float64(len(panels[i].Y.Names)); n > 0 {
			panels[i].Y.Span = [2]float64{0.5 - n, 0.5}
		}
		shared := panels[i : i+1]
		if of := panels[i].at.Only("dataset", "kernel"); !panels[i].Square {
			shared = lists.Where(panels, func(p Panel) bool { return p.at.Only("dataset", "kernel") == of })
		}
		panels[i].X.fit(shared, func(p Point) estimate { return p.X })
		panels[i].Y.fit(shared, func(p Point) estimate { return p.Y })
		if panels[i].Square {
			length := max(panels[i].X.length(), panels[i].Y.length())
			panels[i].X.stretch(length)
			panels[i].Y.stretch(length)
		}
	}
	for i, p := range panels {
		for _, q := range points(panels[i : i+1]) {
			q.X, q.Y = p.X.within(q.X), p.Y.within(q.Y)
		}
	}
}

// to is where a value lies along the axis: its logarithm on a log axis.
func (a Axis) to(v float64) float64 {
	if a.Log {
		return math.Log10(max(v, 0))
	}
	return v
}

func (a Axis) length() float64 { return a.Span[1] - a.Span[0] }

// stretch gives a linear axis a length, about its middle.
func (a *Axis) stretch(length float64) {
	more := (length - a.length()) / 2
	a.Span = [2]float64{a.Span[0] - more, a.Span[1] + more}
}

// holds says whether the axis shows a value.
func (a Axis) holds(v float64) bool {
	return v >= a.Span[0]-1e-9*math.Abs(a.Span[0]) && v <= a.Span[1]+1e-9*math.Abs(a.Span[1])
}

// within puts infinite values at the ends of the axis.
func (a Axis) within(e estimate) estimate {
	for _, v := range []*float64{&e.value, &e.low, &e.high} {
		if math.IsInf(*v, 0) {
			*v = min(max(*v, a.Span[0]), a.Span[1])
		}
	}
	return e
}

// fit makes room for the points of panels, and a little more.
func (a *Axis) fit(panels []Panel, of func(Point) estimate) {
	if a.Span != [2]float64{} {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	include := func(compared bool) {
		least, most := low, high
		length := most - least
		if a.Log {
			length = max(length, 1)
		} else if length <= 1e-8*math.Abs(most) {
			length = max(math.Abs(most), 1)
		}
		for s, q := range points(panels) {
			e, reach := of(*q), s.Reach
			for i, v := range []float64{e.value, e.low, e.high} {
				if i > 0 && a.Log {
					reach = max(s.Reach, 1)
				}
				v = a.to(v)
				near := math.IsInf(least, 1) || v >= least-reach*length && v <= most+reach*length
				if (reach > 0) == compared && plain.Finite(v) && (!compared || near) {
					low, high = min(low, v), max(high, v)
				}
			}
		}
	}
	include(false)
	include(true)
	if a.Zero {
		low = min(low, 0)
	}
	pad := 0.06 * (high - low)
	switch {
	case low > high:
		low, high, pad = a.to(1), a.to(10), 0
	case a.Log:
		pad = max(pad, 0.1-(high-low)/2)
	case pad <= 1e-9*math.Abs(high):
		pad = max(0.1*math.Abs(high), 1e-12)
	}
	a.Span = [2]float64{low - pad, high + pad}
	if a.Log {
		a.Span = [2]float64{math.Pow(10, max(low-pad, -300)), math.Pow(10, min(high+pad, 300))}
	}
	if a.Zero && low == 0 {
		a.Span[0] = 0
	}
}
