package files

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Table is N points in R^D with what is known of them. The zero Table is empty.
type Table struct {
	X       Pool     // N points in R^D
	Labels  []int    // code of each point's class, an index of Classes; nil without labels
	Classes []string // names of the classes: in numeric order if all are numbers, else in byte order
	Columns []string // names of the D coordinates; nil if the file has none
	Label   string   // name of the column of the labels; empty if the file has none
	Skipped int      // rows of the file that were left out, since cells of them are missing
	Guess   string   // how the file was read, with the way out if that is wrong; empty where nothing was guessed
}

// RowNumbers are the coordinates that look like the numbers of rows, by name or index: whole
// numbers that grow from each row to the next. Of few points, or of one coordinate, there are
// none. Cost: one pass over the points.
func (t Table) RowNumbers() []string {
	if t.Len() < leastRows || t.Dim() < 2 {
		return nil
	}
	x := t.Dense()
	var found []string
	for j := range t.Dim() {
		grows := func(i int) bool { return x.At(i, j) == math.Trunc(x.At(i, j)) && (i == 0 || x.At(i, j) > x.At(i-1, j)) }
		i := 0
		for i < t.Len() && grows(i) {
			i++
		}
		if i == t.Len() {
			found = append(found, columnName(t.Columns, j))
		}
	}
	return found
}

// leastRows is how many rows must grow before that is no accident: of 10, less than one in a million.
const leastRows = 10

// columnName is that of column j, its index where the file has no names.
func columnName(names []string, j int) string {
	if names != nil {
		return names[j]
	}
	return strconv.Itoa(j)
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
	t.X.Rows(upto(t.Len()), &x)
	return &x
}

// Names returns the class name of each of the N points; nil without labels.
func (t Table) Names() []string {
	if t.Labels == nil {
		return nil
	}
	names := make([]string, len(t.Labels))
	for i, c := range t.Labels {
		names[i] = t.Classes[c]
	}
	return names
}

// Take returns the points of the given indices, in that order, with the same
// Classes. No point is copied. It panics on an index outside [0, N).
func (t Table) Take(idx []int) Table {
	n := t.Len()
	for _, i := range idx {
		if i < 0 || i >= n {
			panic(fmt.Sprintf("files: no row %d in a table of %d", i, n))
		}
	}
	if n == 0 {
		return t
	}
	out := t
	out.X = selection{t.X, slices.Clone(idx)}
	if s, ok := t.X.(selection); ok {
		out.X = selection{s.Pool, pick(s.idx, idx)}
	}
	if t.Labels != nil {
		out.Labels = pick(t.Labels, idx)
	}
	return out
}

func pick(from, idx []int) []int {
	out := make([]int, len(idx))
	for i, j := range idx {
		out[i] = from[j]
	}
	return out
}

// First returns the first n points, without a copy; all of them if there are
// fewer. It panics on a negative n.
func (t Table) First(n int) Table {
	return t.Take(upto(min(n, t.Len())))
}

// Align gives the tables one common list of classes, so that a code means the
// same class in each: the sorted union of their Classes. The arguments stay as
// they are. Tables without labels come back without.
func Align(tables ...Table) []Table {
	var all []string
	for _, t := range tables {
		all = append(all, t.Classes...)
	}
	classes := sortClasses(all)
	out := slices.Clone(tables)
	for k := range out {
		if out[k].Labels == nil {
			continue
		}
		out[k].Labels = make([]int, len(tables[k].Labels))
		for i, c := range tables[k].Labels {
			out[k].Labels[i] = slices.Index(classes, tables[k].Classes[c])
		}
		out[k].Classes = classes
	}
	return out
}

// Fingerprint is the SHA-256, in hex, of the shape, the points' float64 bits
// row by row, and the class names of the points. It tells two contents apart
// however they were stored. It fails where the context ends before it does. Cost: a
// pass over 8·N·D bytes, in blocks.
func (t Table) Fingerprint(ctx context.Context) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", t.Len(), t.Dim())
	const block = 256
	buf := make([]byte, 0, 8*block*t.Dim())
	for lo := 0; lo < t.Len(); lo += block {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		idx := between(lo, min(lo+block, t.Len()))
		var x mat.Dense
		t.X.Rows(idx, &x)
		buf = buf[:0]
		for i := range idx {
			for _, v := range x.RawRowView(i) {
				buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			}
		}
		h.Write(buf)
	}
	for _, name := range t.Names() {
		fmt.Fprintf(h, "%q\n", name)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// coder gives class names codes in order of appearance; done puts them in order.
type coder struct {
	names []string
	index map[string]int
	codes blocks[int]
	text  int // bytes of the names
}

// bytes are those of memory that the codes take, with the copy that done makes.
func (c *coder) bytes() uint64 {
	const name = 128 // of the slice and the map, beside its text
	return uint64(16*c.codes.len() + name*len(c.names) + c.text)
}

func (c *coder) add(name string) {
	if c.index == nil {
		c.index = map[string]int{}
	}
	code, ok := c.index[name]
	if !ok {
		name = string([]byte(name)) // frees the line that it is cut from
		code = len(c.names)
		c.index[name] = code
		c.names = append(c.names, name)
		c.text += len(name)
	}
	c.codes.add(code)
}

func (c *coder) done() (codes []int, classes []string) {
	classes = sortClasses(c.names)
	final := make([]int, len(c.names))
	for i, name := range classes {
		final[c.index[name]] = i
	}
	codes = c.codes.slice()
	for i, code := range codes {
		codes[i] = final[code]
	}
	return codes, classes
}

// sortClasses returns the distinct names in numeric order if all of them are
// numbers, else in byte order.
func sortClasses(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	value := make(map[string]float64, len(names))
	for _, s := range names {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) {
			return names
		}
		value[s] = v
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(value[a], value[b]) })
	return names
}

func upto(n int) []int { return between(0, n) }

// between are the indices from … to−1.
func between(from, to int) []int {
	idx := make([]int, to-from)
	for i := range idx {
		idx[i] = from + i
	}
	return idx
}
