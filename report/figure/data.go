package figure

import (
	"encoding/json"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"mercer/internal/plain"
)

// Data is a chart as numbers, which a page draws anew where its reader zooms into it,
// hides a part of it or changes its axes.
type Data struct {
	Keys   []keyData   `json:"keys"` // the legend
	Panels []panelData `json:"panels"`
}

type keyData struct {
	Text string      `json:"text"`
	Icon []layerData `json:"icon"` // without points
}

type panelData struct {
	Title  string      `json:"title,omitempty"`
	X      axisData    `json:"x"`
	Y      axisData    `json:"y"`
	Layers []layerData `json:"layers"`
}

type axisData struct {
	Label string     `json:"label"`
	Log   bool       `json:"log"`
	Span  [2]float64 `json:"span"`         // what it shows at first
	At    []float64  `json:"at,omitempty"` // where it is labelled if there is room
}

// layerData is a layer; it is shown while all its keys are. Lengths are in points.
type layerData struct {
	Form   string      `json:"form"`
	Keys   []int       `json:"keys,omitempty"`
	Colour string      `json:"colour"`
	Width  float64     `json:"width,omitempty"`
	Dashes []float64   `json:"dashes,omitempty"`
	Shape  string      `json:"shape,omitempty"`
	Radius float64     `json:"radius,omitempty"`
	Near   bool        `json:"near,omitempty"` // it is for comparison: axes do not reach for it
	Points []pointData `json:"points,omitempty"`
}

// pointData is written as an array: x, y, the ends of the interval in x, those in y, and
// the numbers in words. null is what is not known, or the end of an axis.
type pointData struct{ point }

// MarshalJSON leaves out what is empty at the end.
func (p pointData) MarshalJSON() ([]byte, error) {
	list := []any{number(p.x.value), number(p.y.value), number(p.x.low), number(p.x.high), number(p.y.low), number(p.y.high), p.text}
	if p.text == "" {
		list = list[:6]
		for len(list) > 2 && list[len(list)-1] == nil {
			list = list[:len(list)-1]
		}
	}
	return json.Marshal(list)
}

// number is v, or nil where JSON has no place for it.
func number(v float64) any {
	if !plain.Finite(v) {
		return nil
	}
	return v
}

// explored are the forms that a page can draw.
var explored = map[form]string{line: "line", band: "band", errorBars: "bars", marks: "marks", rules: "rules"}

// Data is the chart as numbers; nil for one whose axes are no two numbers, or whose
// lines go back and forth.
func (c chart) Data() *Data {
	if c.bar != nil || slices.ContainsFunc(c.panels, func(p panel) bool { return !p.explorable() }) {
		return nil
	}
	d := &Data{Keys: []keyData{}}
	numbers, floorKey := map[string]int{}, -1
	for _, block := range c.blocks {
		for _, e := range block {
			if e.layers[0].role == floor {
				floorKey = len(d.Keys)
			}
			numbers[e.text] = len(d.Keys)
			key := keyData{Text: e.text}
			for _, l := range e.layers {
				l.points = nil
				key.Icon = append(key.Icon, l.data(nil))
			}
			d.Keys = append(d.Keys, key)
		}
	}
	label := ""
	for _, p := range c.panels {
		p.layers = told(p.layers)
		if p.y.label != "" { // else it is that of the panel beside it
			label = p.y.label
		}
		out := panelData{Title: p.title, X: p.x.data(p.x.label), Y: p.y.data(label)}
		for _, l := range p.layers {
			var keys []int
			for _, name := range l.names {
				if k, known := numbers[name]; known {
					keys = append(keys, k)
				}
			}
			if l.role == floor && floorKey >= 0 {
				keys = append(keys, floorKey)
			}
			if len(l.points) > 0 {
				out.Layers = append(out.Layers, l.data(keys))
			}
		}
		d.Panels = append(d.Panels, out)
	}
	return d
}

// told are the layers with the numbers of a point at its mark alone, where it has one.
func told(layers []layer) []layer {
	marked := map[string]bool{}
	for _, q := range (panel{layers: layers}).points(func(l layer) bool { return l.form == marks }) {
		marked[q.text] = true
	}
	out := slices.Clone(layers)
	for i, l := range out {
		if l.form == marks {
			continue
		}
		out[i].points = slices.Clone(l.points)
		for j, q := range l.points {
			if marked[q.text] {
				out[i].points[j].text = ""
			}
		}
	}
	return out
}

// explorable says whether a page can draw the panel from its numbers.
func (p panel) explorable() bool {
	back := func(l layer) bool {
		return l.form == line && !slices.IsSortedFunc(l.points, byX)
	}
	return p.x.names == nil && p.y.names == nil && !slices.ContainsFunc(p.layers, func(l layer) bool { return explored[l.form] == "" || back(l) })
}

func (a axis) data(label string) axisData {
	at := slices.Compact(slices.Sorted(slices.Values(a.positions)))
	return axisData{Label: label, Log: a.log, Span: [2]float64{a.span.low, a.span.high}, At: at}
}

func (l layer) data(keys []int) layerData {
	d := layerData{Form: explored[l.form], Keys: keys, Colour: svgColour(l.colour), Width: l.width.Points(), Radius: l.radius.Points(), Near: l.reach > 0}
	for _, dash := range l.dashes {
		d.Dashes = append(d.Dashes, dash.Points())
	}
	if l.form == marks {
		d.Shape = shapes[l.shape]
	}
	for _, q := range l.points {
		if !math.IsNaN(q.x.value) || l.form == rules {
			d.Points = append(d.Points, pointData{q})
		}
	}
	return d
}

// shapes are the names of marks in a page.
var shapes = map[draw.GlyphDrawer]string{
	draw.CircleGlyph{}: "circle", draw.RingGlyph{}: "ring", draw.BoxGlyph{}: "square", draw.SquareGlyph{}: "box",
	draw.PyramidGlyph{}: "pyramid", draw.TriangleGlyph{}: "triangle", draw.PlusGlyph{}: "plus",
}

// named is the layer with what of the legend it belongs to: it is shown while all of
// these are.
func (l layer) named(texts ...string) layer {
	l.names = append(slices.Clone(l.names), texts...)
	return l
}

func all(layers []layer, texts ...string) []layer {
	for i := range layers {
		layers[i] = layers[i].named(texts...)
	}
	return layers
}

// Reading is a mark and the numbers that it stands for, for readers that point at it.
type Reading struct {
	x, y, width, height float64 // of the mark in the SVG, in the units of its viewBox, from its upper left corner
	text                string
}

// MarshalJSON writes an array, to a hundredth of a point.
func (r Reading) MarshalJSON() ([]byte, error) {
	round := func(v float64) float64 { return math.Round(100*v) / 100 }
	return json.Marshal([]any{round(r.x), round(r.y), round(r.width), round(r.height), r.text})
}

// Readings are those of all marks.
func (c chart) Readings() []Reading {
	var all []Reading
	canvas := draw.New(vgsvg.New(c.width, c.height))
	areas := c.areas(canvas)
	around := c.roomIn(areas)
	for i, area := range areas {
		p := c.panels[i]
		drawn := p.plot()
		inner := drawn.DataCanvas(p.inner(area, around))
		toX, toY := drawn.Transforms(&inner)
		x, y := onAxis(drawn.X, toX, inner.Min.X, inner.Max.X), onAxis(drawn.Y, toY, inner.Min.Y, inner.Max.Y)
		for l, q := range p.points(func(l layer) bool { return l.form >= marks }) {
			if q.text == "" {
				continue
			}
			fromX, toX := l.over(q.x)
			fromY, toY := l.over(q.y)
			left, right := max(x(fromX), inner.Min.X), min(x(toX), inner.Max.X)
			bottom, top := max(y(fromY), inner.Min.Y), min(y(toY), inner.Max.Y)
			all = append(all, Reading{left.Points(), (c.height - top).Points(), (right - left).Points(), (top - bottom).Points(), q.text})
		}
	}
	return all
}
