package figure

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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
				at := append(slices.Clone(method.At), commonTo(same)...)
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
	common := slices.DeleteFunc(commonTo(all), func(c selection.Coordinate) bool { return c.Name == "method" })
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
		x, y := square(c.points)
		letter := "z"
		if c.input {
			letter = "x"
		}
		panels = append(panels, panel{title: c.name, x: linearAxis(letter+"1", x, nil, 5), y: linearAxis(letter+"2", y, nil, 6),
			layers: []layer{s.cloudLayer(c)}, readings: cloudReadings(c)})
	}
	columns := min(3, len(panels))
	return chart{title: cmp.Or(s.Title, s.ID), describe: "Points in input space, and where each result puts them.",
		width: max(figureWidth, vg.Length(columns)*pageWidth/3), panels: panels, columns: columns,
		panelHeight: max(figureWidth/vg.Length(columns), pageWidth/3) + 6, legend: [][]entry{s.legend()}}
}

// square is the range of two coordinates, with the same length in both.
func square(points [][2]float64) (x, y span) {
	var r [2]extentOf
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
		s[i] = span{center - length/2, center + length/2}.padLinear(0.05)
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

// cloudLayer draws the points of each class as one path of small squares or
// diamonds: thousands of them stay small files.
func (s scattered) cloudLayer(c cloud) layer {
	return func(canvas *draw.Canvas, x, y func(float64) vg.Length) {
		for i := range max(1, len(s.classes)) {
			var path vg.Path
			for j, p := range c.points {
				if c.class == nil || c.class[j] == s.classes[i] {
					path = append(path, s.spot(i, vg.Point{X: x(p[0]), Y: y(second(p))})...)
				}
			}
			if len(path) > 0 && (c.class != nil || i == 0) {
				canvas.SetColor(s.colour(i))
				canvas.Fill(path)
			}
		}
	}
}

func (s scattered) colour(class int) color.NRGBA {
	l, _ := seriesLook(class)
	c := l.colour
	c.A = 0xB0
	return c
}

// spot is the mark of a class at a place: squares, diamonds, triangles in turn.
func (s scattered) spot(class int, at vg.Point) vg.Path {
	const r = vg.Length(0.75)
	shape := [][]vg.Point{
		{{X: -r, Y: -r}, {X: r, Y: -r}, {X: r, Y: r}, {X: -r, Y: r}},
		{{X: -1.3 * r}, {Y: -1.3 * r}, {X: 1.3 * r}, {Y: 1.3 * r}},
		{{X: -1.2 * r, Y: -r}, {X: 1.2 * r, Y: -r}, {Y: 1.4 * r}},
	}[class%3]
	var path vg.Path
	for i, p := range shape {
		if i == 0 {
			path.Move(at.Add(p))
		} else {
			path.Line(at.Add(p))
		}
	}
	path.Close()
	return path
}

func (s scattered) legend() []entry {
	var entries []entry
	for i, class := range s.classes {
		entries = append(entries, entry{func(c *draw.Canvas) {
			c.SetColor(s.colour(i))
			for _, dx := range []vg.Length{-5, 0, 5} {
				c.Fill(s.spot(i, c.Center().Add(vg.Point{X: dx})))
			}
		}, "class " + strconv.Itoa(class)})
	}
	if len(entries) > maxSeries {
		return nil
	}
	return entries
}

// cloudReadings are those of the points of a scatter plot's panel.
func cloudReadings(c cloud) []reading {
	all := make([]reading, len(c.points))
	for i, p := range c.points {
		class := ""
		if c.class != nil {
			class = fmt.Sprintf("class %d", c.class[i])
		}
		place := "(" + format.Value(p[0]) + ")"
		if format.Finite(p[1]) {
			place = "(" + format.Value(p[0]) + ", " + format.Value(p[1]) + ")"
		}
		all[i] = readingAt(p[0], second(p), c.name, class, place)
	}
	return all
}
