package figure

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

var errNoCoordinates = errors.New("the result has no coordinates")

// scatter draws the points of the first repeat: of each data set where they lie, and of
// each result where it puts them.
func (r *reader) scatter() (Chart, []string) {
	r.table = [][]string{{"plot", "panel", "space", "x", "y", "class"}}
	var panels []Panel
	varying := append([]string{"method"}, format.Varying(r.rows, format.Variables(r.run))...)
	first := lists.Where(r.rows, func(row *results.Row) bool { return row.Repeat == 0 })
	for _, data := range r.split(first, "dataset", "kernel") {
		var input results.Points // the largest
		var images []Panel
		for _, row := range data.Rows {
			points, err := results.ReadPoints(r.run.Dir, row.ID)
			if err != nil || points.Image == nil {
				r.note("Without a result: %s (%s): %v.", plain.Text(row.Method()), row.Status, cmp.Or(err, errNoCoordinates))
			}
			if len(points.Input) > len(input.Input) {
				input = points
			}
			if points.Image != nil {
				at := row.At.Only(varying...)
				images = append(images, r.cloud(data.At.Join(at), "image", plain.Text(format.PlainWhere(at)), points.Image, points.Class))
			}
		}
		if input.Input != nil {
			panels = append(append(panels, r.cloud(data.At, "input", "input space, "+plain.Text(format.PlainWhere(data.At.Only("dataset"))), input.Input, input.Class)), images...)
		}
	}
	if len(panels) == 0 {
		r.trouble = cmp.Or(r.trouble, "the run keeps no points of what it picks; the command that made the run makes them")
		return Chart{}, nil
	}
	c := newChart(cmp.Or(r.Title, r.ID), panels)
	c.PanelHeight = c.Width/vg.Length(c.Columns) + 6
	return c, []string{"The first points of the sample of repeat 0, and the first two coordinates that each result gives them; in each panel both axes span the same length."}
}

// cloud draws points with a series for each class, on axes of one length, so that shapes keep their
// form.
func (r *reader) cloud(at results.Key, space, title string, points [][2]float64, classes []int) Panel {
	letter := map[string]string{"input": "x", "image": "z"}[space]
	p := Panel{at: at, Title: title, X: Axis{Label: letter + "1"}, Y: Axis{Label: letter + "2"}}
	known := slices.Compact(slices.Sorted(slices.Values(classes)))
	p.Series = make([]Series, max(1, len(known)))
	for i := range p.Series {
		p.Series[i] = styled(i, "")
		if len(known) > 0 && len(known) <= maxSeries {
			p.Series[i].Name = "class " + strconv.Itoa(known[i])
		}
		p.Series[i].Width, p.Series[i].Radius, p.Series[i].Hollow = 0, 0.8, false
	}
	for i, q := range points {
		series, class := 0, ""
		if classes != nil {
			series, _ = slices.BinarySearch(known, classes[i])
			class = strconv.Itoa(classes[i])
		}
		r.table = append(r.table, []string{r.ID, at.String(), space, format.Value(q[0]), format.Value(q[1]), class})
		p.Series[series].Points = append(p.Series[series].Points, Point{X: exactly(q[0]), Y: exactly(q[1])})
	}

	p.fit()
	length := max(p.X.Span[1]-p.X.Span[0], p.Y.Span[1]-p.Y.Span[0])
	for _, a := range []*Axis{&p.X, &p.Y} {
		middle := (a.Span[0] + a.Span[1]) / 2
		a.Span = [2]float64{middle - length/2, middle + length/2}
	}
	return p
}
