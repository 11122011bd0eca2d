package figure

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// cloud is the points of a scatter plot's panel.
type cloud struct {
	name   string
	at     results.Key
	input  bool
	points [][2]float64
	class  []int // nil for none
}

// scattered is a scatter plot with its points.
type scattered struct {
	configs.Plot
	clouds  []cloud
	classes []int // of all clouds
}

// scatter reads the points of the first repeat: of each data set where they lie, and of
// each result where it puts them.
func (r *plotReader) scatter(dir string) scattered {
	s := scattered{Plot: r.Plot}
	first := lists.Where(r.rows, func(row *results.Row) bool { return row.Repeat == 0 })
	for _, data := range r.split(first, []string{"dataset", "kernel"}) {
		largest := cloud{input: true, at: data.At, name: "input space, " + plain.Text(format.PlainWhere(data.At.Only("dataset")))}
		var images []cloud
		varying := append([]string{"method"}, format.Varying(data.Rows, format.Variables(r.run))...)
		for _, method := range r.split(data.Rows, []string{"method"}) {
			for _, row := range method.Rows {
				points, err := results.ReadPoints(dir, row.ID)
				if err != nil {
					r.missing(row, err)
					continue
				}
				if len(points.Input) > len(largest.points) {
					largest.points, largest.class = points.Input, points.Class
				}
				if points.Image == nil {
					r.note("The result of %s has no coordinates.", plain.Text(row.Method()))
					continue
				}
				images = append(images, cloud{at: data.At.Join(row.At.Only(varying...)), points: points.Image, class: points.Class})
			}
		}
		if largest.points != nil {
			s.clouds = append(append(s.clouds, largest), images...)
		}
	}
	if len(s.clouds) == 0 && r.trouble == "" {
		r.trouble = "the run keeps no points of what it picks; the command that made the run makes them"
	}
	slices.Sort(r.notes)
	s.name()
	for _, c := range s.clouds {
		s.classes = append(s.classes, c.class...)
	}
	slices.Sort(s.classes)
	s.classes = slices.Compact(s.classes)
	return s
}

// name names the images by their method and what else tells them apart.
func (s *scattered) name() {
	var all []results.Key
	for _, c := range s.clouds {
		if !c.input {
			all = append(all, c.at)
		}
	}
	common := format.Common(all).Without("method")
	for i, c := range s.clouds {
		if !c.input {
			s.clouds[i].name = plain.Text(format.PlainWhere(format.Without(c.at, common).Without("dataset", "kernel")))
		}
	}
}

// missing notes points that cannot be read.
func (r *plotReader) missing(row *results.Row, err error) {
	switch method := plain.Text(row.Method()); {
	case row.Status != results.OK:
		r.note("There are no points of %s, whose record is %s.", method, format.StatusWords[row.Status])
	case errors.Is(err, fs.ErrNotExist):
		r.note("The points of %s are missing; the command that made the run makes them.", method)
	default:
		r.note("%s.", plain.Text(err.Error()))
	}
}

func (s scattered) caption(Labels) []string {
	most := 0
	for _, c := range s.clouds {
		most = max(most, len(c.points))
	}
	return []string{fmt.Sprintf("The first %s of the sample of repeat 0 (all of a smaller one), and the first two coordinates that each result gives them; in each panel both axes span the same length.", plain.Count(most, "point"))}
}

// numbers has a row for each point of each panel.
func (s scattered) numbers() [][]string {
	rows := [][]string{{"plot", "panel", "space", "x", "y", "class"}}
	for _, c := range s.clouds {
		space := "image"
		if c.input {
			space = "input"
		}
		for i, p := range c.points {
			class := ""
			if c.class != nil {
				class = strconv.Itoa(c.class[i])
			}
			rows = append(rows, []string{s.ID, c.at.String(), space, format.Value(p[0]), format.Value(p[1]), class})
		}
	}
	return rows
}
