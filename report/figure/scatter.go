package figure

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// cloud is the points of a panel.
type cloud struct {
	at     results.Key
	title  string
	space  string // input or image
	points [][2]float64
	class  []int // nil for none
}

// scatter draws the points of the first repeat: of each data set where they lie, and of
// each result where it puts them.
func (r *reader) scatter() (Chart, []string) {
	r.table = [][]string{{"plot", "panel", "space", "x", "y", "class"}}
	var clouds []cloud
	first := lists.Where(r.rows, func(row *results.Row) bool { return row.Repeat == 0 })
	for _, data := range r.split(first, "dataset", "kernel") {
		clouds = append(clouds, r.clouds(data)...)
	}
	slices.Sort(r.notes)
	if len(clouds) == 0 {
		r.trouble = cmp.Or(r.trouble, "the run keeps no points of what it picks; the command that made the run makes them")
		return Chart{}, nil
	}

	images := lists.Where(clouds, func(c cloud) bool { return c.space == "image" })
	common := format.Common(lists.Map(images, func(c cloud) results.Key { return c.at })).Without("method")
	var classes []int
	most := 0
	for i, c := range clouds {
		classes, most = append(classes, c.class...), max(most, len(c.points))
		if c.title == "" {
			clouds[i].title = plain.Text(format.PlainWhere(format.Without(c.at, common).Without("dataset", "kernel")))
		}
	}
	slices.Sort(classes)
	classes = slices.Compact(classes)

	c := newChart(cmp.Or(r.Title, r.ID), lists.Map(clouds, func(c cloud) Panel { return r.cloudPanel(c, classes) }))
	c.PanelHeight = c.Width/vg.Length(c.Columns) + 6
	return c, []string{fmt.Sprintf("The first %s of the sample of repeat 0 (all of a smaller one), and the first two coordinates that each result gives them; in each panel both axes span the same length.", plain.Count(most, "point"))}
}

// clouds are the largest sample of a data set, and its images.
func (r *reader) clouds(data results.Group) []cloud {
	input := cloud{at: data.At, space: "input", title: "input space, " + plain.Text(format.PlainWhere(data.At.Only("dataset")))}
	var images []cloud
	varying := append([]string{"method"}, format.Varying(data.Rows, format.Variables(r.run))...)
	for _, method := range r.split(data.Rows, "method") {
		for _, row := range method.Rows {
			points, err := results.ReadPoints(r.run.Dir, row.ID)
			if err != nil {
				r.noteMissing(row, err)
				continue
			}
			if len(points.Input) > len(input.points) {
				input.points, input.class = points.Input, points.Class
			}
			if points.Image == nil {
				r.note("The result of %s has no coordinates.", plain.Text(row.Method()))
				continue
			}
			images = append(images, cloud{at: data.At.Join(row.At.Only(varying...)), space: "image", points: points.Image, class: points.Class})
		}
	}
	if input.points == nil {
		return nil
	}
	return append([]cloud{input}, images...)
}

// noteMissing says why points cannot be read.
func (r *reader) noteMissing(row *results.Row, err error) {
	switch method := plain.Text(row.Method()); {
	case row.Status != results.OK:
		r.note("There are no points of %s, whose row is %s.", method, format.StatusWords[row.Status])
	case errors.Is(err, fs.ErrNotExist):
		r.note("The points of %s are missing; the command that made the run makes them.", method)
	default:
		r.note("%s.", plain.Text(err.Error()))
	}
}

// cloudPanel draws a cloud with a series for each class, on axes of the same length, so that
// shapes keep their form.
func (r *reader) cloudPanel(c cloud, classes []int) Panel {
	letter := map[string]string{"input": "x", "image": "z"}[c.space]
	p := Panel{at: c.at, Title: c.title, Square: true, X: Axis{Label: letter + "1"}, Y: Axis{Label: letter + "2"}}
	p.Series = make([]Series, max(1, len(classes)))
	for i := range p.Series {
		p.Series[i] = styled(i, "")
		if len(classes) > 0 && len(classes) <= maxSeries {
			p.Series[i].Name = "class " + strconv.Itoa(classes[i])
		}
		p.Series[i].Width, p.Series[i].Radius, p.Series[i].Hollow = 0, 0.8, false
	}
	for i, at := range c.points {
		series, class, text := 0, "", ""
		if c.class != nil {
			series, _ = slices.BinarySearch(classes, c.class[i])
			class = strconv.Itoa(c.class[i])
			text = "class " + class
		}
		r.table = append(r.table, []string{r.ID, c.at.String(), c.space, format.Value(at[0]), format.Value(at[1]), class})
		text = joined(c.title, text, equation(p.X.Label, exactly(at[0])), equation(p.Y.Label, exactly(at[1])))
		p.Series[series].Points = append(p.Series[series].Points, Point{X: exactly(at[0]), Y: exactly(at[1]), Text: text})
	}
	return p
}
