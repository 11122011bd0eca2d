package files

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/lists"
)

// Table is N points in R^D with what is known of them. The zero Table is empty.
type Table struct {
	X       Pool     // N points in R^D
	Labels  []int    // code of each point's class, an index of Classes; nil without labels
	Classes []string // names of the classes: in numeric order if all are numbers, else in byte order
	Columns []string // names of the D coordinates; nil if the file has none

	Responses []float64 // of each point; nil without
}

// Len is the number of points N; 0 for the zero Table.
func (t Table) Len() int {
	if t.X == nil {
		return 0
	}
	return t.X.Len()
}

// Dim is the dimension D; 0 for the zero Table.
func (t Table) Dim() int {
	if t.X == nil {
		return 0
	}
	return t.X.Dim()
}

// Dense returns all points, N×D. It is the matrix itself where the Table holds
// one (do not write to it), else a conversion of 8·N·D bytes. It panics on an
// empty Table.
func (t Table) Dense() *mat.Dense {
	if p, ok := t.X.(DensePool); ok {
		return p.X
	}
	var x mat.Dense
	t.X.Rows(between(0, t.Len()), &x)
	return &x
}

// Names returns the class name of each of the N points; nil without labels.
func (t Table) Names() []string {
	if t.Labels == nil {
		return nil
	}
	return lists.Map(t.Labels, func(code int) string { return t.Classes[code] })
}

// Take returns the points of the given indices, in that order, with the same
// Classes. No point is copied. It panics on an index outside [0, N).
func (t Table) Take(idx []int) Table {
	n := t.Len()
	if i := slices.IndexFunc(idx, func(i int) bool { return i < 0 || i >= n }); i >= 0 {
		panic(fmt.Sprintf("files: no row %d in a table of %d", idx[i], n))
	}
	out := t
	out.X = selection{t.X, slices.Clone(idx)}
	if s, ok := t.X.(selection); ok {
		out.X = selection{s.Pool, pick(s.idx, idx)}
	}
	if t.Labels != nil {
		out.Labels = pick(t.Labels, idx)
	}
	if t.Responses != nil {
		out.Responses = pick(t.Responses, idx)
	}
	return out
}

// Align gives the tables one common list of classes, so that a code means the
// same class in each: the sorted union of their Classes. The arguments stay as
// they are. Tables without labels come back without.
func Align(tables ...Table) []Table {
	codes, classes := order(slices.Concat(lists.Map(tables, func(t Table) []string { return t.Classes })...))
	out := slices.Clone(tables)
	for k, t := range tables {
		if t.Labels != nil {
			out[k].Labels, out[k].Classes = lists.Map(t.Names(), func(name string) int { return codes[name] }), classes
		}
	}
	return out
}

// Fingerprint is the SHA-256, in hex, of the shape, the points' float64 bits
// row by row, the class names of the points, and their responses. It tells two contents apart
// however they were stored. It fails where the context ends before it does. Cost: a
// pass over 8·N·D bytes, in blocks.
func (t Table) Fingerprint(ctx context.Context) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", t.Len(), t.Dim())
	buf := make([]byte, 0, 8*t.Dim())
	err := Each(ctx, t.X, func(_ int, x []float64) error {
		buf = buf[:0]
		for _, v := range x {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
		}
		h.Write(buf)
		return nil
	})
	if err != nil {
		return "", err
	}
	for _, name := range t.Names() {
		fmt.Fprintf(h, "%q\n", name)
	}
	for _, v := range t.Responses {
		fmt.Fprintf(h, "%x\n", math.Float64bits(v))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// WithLabels is the Table of the pool's points with an integer label each; the
// class names are the integers in decimal. It panics if the lengths differ.
func WithLabels(x Pool, labels []int) Table {
	return Table{X: x}.withClasses(lists.Map(labels, strconv.Itoa))
}

// withClasses has a class of the given name for each point.
func (t Table) withClasses(names []string) Table {
	if t.Len() != len(names) {
		panic(fmt.Sprintf("files: %d labels for %d points", len(names), t.Len()))
	}
	codes, classes := order(names)
	t.Classes = classes
	t.Labels = lists.Map(names, func(name string) int { return codes[name] })
	return t
}

// Join is one table of the points of a, then those of b, with a common list of
// classes; without labels or responses where one of them has none. No point is copied. It
// panics where the dimensions differ.
func Join(a, b Table) Table {
	switch {
	case a.Len() == 0:
		return b
	case b.Len() == 0:
		return a
	case a.Dim() != b.Dim():
		panic("files: tables of different dimensions")
	}
	aligned := Align(a, b)
	out := Table{X: joined{a.X, b.X}, Columns: a.Columns}
	if a.Labels != nil && b.Labels != nil {
		out.Labels, out.Classes = slices.Concat(aligned[0].Labels, aligned[1].Labels), aligned[0].Classes
	}
	if a.Responses != nil && b.Responses != nil {
		out.Responses = slices.Concat(a.Responses, b.Responses)
	}
	return out
}

// order gives different names their codes, and lists them in that order: numeric if all of them
// are numbers, of which equal ones, such as 1 and 1.0, are one class; else that of their bytes.
func order(all []string) (codes map[string]int, classes []string) {
	codes = map[string]int{}
	for _, name := range all {
		codes[name] = 0
	}
	names := slices.Sorted(maps.Keys(codes))
	value := make(map[string]float64, len(names))
	for _, s := range names {
		v, err := strconv.ParseFloat(s, 64)
		if err == nil && !math.IsNaN(v) {
			value[s] = v
		}
	}
	numbers := len(value) == len(names)
	if numbers {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(value[a], value[b]) })
	}
	for i, name := range names {
		if i == 0 || !numbers || value[name] != value[names[i-1]] {
			classes = append(classes, name)
		}
		codes[name] = len(classes) - 1
	}
	return codes, classes
}
