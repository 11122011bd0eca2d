package figure

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/selection"
	"mercer/report/format"
	"mercer/results"
)

// cloud is the points of a scatter plot's panel.
type cloud struct {
	name   string
	at     []selection.Coordinate
	input  bool
	points [][2]float64
	class  []int // nil for none
}

// scattered is a scatter plot with its points.
type scattered struct {
	configs.Plot
	clouds  []cloud
	classes []int // of all clouds
	notes   []string
	trouble string
}

// readScatter reads the points that the run in dir keeps for a plot: of each
// data set where they lie, and of each result where it puts them.
func readScatter(dir string, p configs.Plot, records *selection.Records) scattered {
	s := scattered{Plot: p}
	r := &plotReader{Records: records, plotted: plotted{Plot: p}}
	var picked []*results.Record
	for _, record := range records.Pick(p.Where) {
		if record.Repeat == 0 && record.Status != results.Skipped {
			picked = append(picked, record)
		}
	}
	for _, data := range r.split(picked, []string{"dataset", "kernel"}) {
		largest := cloud{}
		var images []cloud
		coordinates := records.CoordinatesWithin(data.Records)
		for _, method := range r.split(selection.Distinct(data.Records), []string{"method"}) {
			for _, record := range method.Records {
				points, err := results.ReadPoints(dir, record.Key)
				if err != nil {
					s.missing(record, err)
					continue
				}
				var same [][]selection.Coordinate // of the cells that are this computation
				for _, other := range sameWork(record, data.Records) {
					same = append(same, coordinates.At(other))
				}
				at := append(slices.Clone(method.At), format.Common(same)...)
				if len(points.Input) > len(largest.points) {
					largest = cloud{input: true, at: data.At, points: points.Input, class: points.Class}
				}
				if points.Image == nil {
					s.notes = append(s.notes, fmt.Sprintf("The result of %s has no coordinates.", format.Printable(record.Method)))
					continue
				}
				images = append(images, cloud{at: slices.Concat(data.At, at), points: points.Image, class: points.Class})
			}
		}
		if largest.points != nil {
			largest.name = "input space, " + format.Printable(format.PlainWhere(data.At[:min(1, len(data.At))]))
			s.clouds = append(append(s.clouds, largest), images...)
		}
	}
	s.name()
	slices.Sort(s.notes)
	s.notes = slices.Compact(s.notes)
	for _, c := range s.clouds {
		s.classes = append(s.classes, c.class...)
	}
	slices.Sort(s.classes)
	s.classes = slices.Compact(s.classes)
	switch {
	case len(picked) == 0:
		s.trouble = "no record of this run is picked by its where"
	case len(s.clouds) == 0:
		s.trouble = "the run keeps no points of what it picks; the command that made the run makes them"
	}
	return s
}

// sameWork are the records among all that are the same computation as record.
func sameWork(record *results.Record, all []*results.Record) []*results.Record {
	same := []*results.Record{record}
	for _, other := range all {
		if record.Work != "" && workOf([]*results.Record{other}) == workOf(same[:1]) {
			same = append(same, other)
		}
	}
	return same
}

// name names the images by their method and what else tells them apart.
func (s *scattered) name() {
	var all [][]selection.Coordinate
	for _, c := range s.clouds {
		if !c.input {
			all = append(all, c.at)
		}
	}
	common := slices.DeleteFunc(format.Common(all), func(c selection.Coordinate) bool { return c.Name == "method" })
	for i, c := range s.clouds {
		if !c.input {
			rest := slices.DeleteFunc(format.Without(c.at, common), func(c selection.Coordinate) bool { return c.Name == "dataset" || c.Name == "kernel" })
			s.clouds[i].name = format.Printable(format.PlainWhere(rest))
		}
	}
}

// missing notes points that cannot be read.
func (s *scattered) missing(record *results.Record, err error) {
	switch {
	case record.Status != results.OK:
		s.notes = append(s.notes, fmt.Sprintf("There are no points of %s, whose record is %s.", format.Printable(record.Method), format.StatusWords[record.Status]))
	case errors.Is(err, fs.ErrNotExist):
		s.notes = append(s.notes, fmt.Sprintf("The points of %s are missing; the command that made the run makes them.", format.Printable(record.Method)))
	default:
		s.notes = append(s.notes, format.Printable(err.Error())+".")
	}
}

// chart draws a panel for each cloud, all of the same size, with axes of the
// same length in each, so that shapes keep their form.
func (s scattered) chart() chart {
	var panels []panel
	for _, c := range s.clouds {
		letter := "z"
		if c.input {
			letter = "x"
		}
		x, y := square(c.points)
		panels = append(panels, panel{title: c.name, layers: s.layers(c), x: axis{label: letter + "1", span: x, most: 5}, y: axis{label: letter + "2", span: y, most: 6}})
	}
	columns := min(3, len(panels))
	width := max(figureWidth, vg.Length(columns)*pageWidth/3)
	scale(panels, width)
	var legend []entry
	for i, class := range s.classes[:min(len(s.classes), maxSeries)] {
		legend = append(legend, entry{"class " + strconv.Itoa(class), []layer{spotLayer(i)}})
	}
	if len(s.classes) > maxSeries {
		legend = nil
	}
	return newChart(cmp.Or(s.Title, s.ID), "Points in input space, and where each result puts them.", width, panels, columns,
		max(figureWidth/vg.Length(columns), pageWidth/3)+6, legend)
}

// square is the range of two coordinates, with the same length in both.
func square(points [][2]float64) (x, y span) {
	var r [2]extent
	for _, p := range points {
		r[0].include(p[0])
		r[1].include(second(p))
	}
	length := max(r[0].high-r[0].low, r[1].high-r[1].low)
	if length == 0 {
		length = 1
	}
	var s [2]span
	for i := range r {
		center := (r[i].low + r[i].high) / 2
		s[i] = span{center - 0.55*length, center + 0.55*length}
	}
	return s[0], s[1]
}

// second is a point's second coordinate, 0 where it has one alone.
func second(p [2]float64) float64 {
	if math.IsNaN(p[1]) {
		return 0
	}
	return p[1]
}

// layers are the points of each class.
func (s scattered) layers(c cloud) []layer {
	layers := make([]layer, max(1, len(s.classes)))
	for i := range layers {
		layers[i] = spotLayer(i)
	}
	for i, p := range c.points {
		class, text := 0, ""
		if c.class != nil {
			class, _ = slices.BinarySearch(s.classes, c.class[i])
			text = fmt.Sprintf("class %d", c.class[i])
		}
		place := "(" + format.Value(p[0]) + ")"
		if format.Finite(p[1]) {
			place = "(" + format.Value(p[0]) + ", " + format.Value(p[1]) + ")"
		}
		layers[class].points = append(layers[class].points, point{exactly(p[0]), exactly(second(p)), lines(c.name, text, place)})
	}
	return layers
}

// spotLayer are the marks of a class: squares, diamonds, triangles in turn.
func spotLayer(class int) layer {
	const r = vg.Length(0.75)
	look, _ := seriesLook(class)
	look.colour.A = 0xB0
	return layer{form: spots, look: look, corners: [][]vg.Point{
		{{X: -r, Y: -r}, {X: r, Y: -r}, {X: r, Y: r}, {X: -r, Y: r}},
		{{X: -1.3 * r}, {Y: -1.3 * r}, {X: 1.3 * r}, {Y: 1.3 * r}},
		{{X: -1.2 * r, Y: -r}, {X: 1.2 * r, Y: -r}, {Y: 1.4 * r}},
	}[class%3]}
}
