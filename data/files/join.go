package files

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Join is one table of the points of a, then those of b, with a common list of
// classes; without labels where one of them has none. No point is copied. It
// panics where the dimensions differ.
func Join(a, b Table) Table {
	if a.Len() == 0 || b.Len() == 0 {
		if a.Len() == 0 {
			return b
		}
		return a
	}
	if a.Dim() != b.Dim() {
		panic("files: tables of different dimensions")
	}
	aligned := Align(a, b)
	out := Table{X: joined{a.X, b.X}, Columns: a.Columns}
	if a.Labels != nil && b.Labels != nil {
		out.Labels, out.Classes = slices.Concat(aligned[0].Labels, aligned[1].Labels), aligned[0].Classes
	}
	return out
}

// joined is a Pool after another.
type joined struct{ first, second Pool }

func (j joined) Len() int { return j.first.Len() + j.second.Len() }
func (j joined) Dim() int { return j.first.Dim() }

func (j joined) Rows(idx []int, dst *mat.Dense) {
	if dst.IsEmpty() && len(idx) > 0 {
		dst.ReuseAs(len(idx), j.Dim())
	}
	var of, at [2][]int // indices in either pool, and the rows of dst they belong to
	for row, i := range idx {
		part := 0
		if i >= j.first.Len() {
			part, i = 1, i-j.first.Len()
		}
		of[part], at[part] = append(of[part], i), append(at[part], row)
	}
	for part, pool := range []Pool{j.first, j.second} {
		switch {
		case len(of[part]) == len(idx):
			pool.Rows(of[part], dst)
		case len(of[part]) > 0:
			var rows mat.Dense
			pool.Rows(of[part], &rows)
			for i, row := range at[part] {
				dst.SetRow(row, rows.RawRowView(i))
			}
		}
	}
}
