package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/threads"
)

// Operator is a symmetric linear map of R^n known by its action on blocks of
// vectors. Top calls Apply from one goroutine; the operators of this package
// may also be shared between goroutines.
type Operator interface {
	// Dim is n.
	Dim() int
	// Apply sets dst = A·src, both n×b. dst does not alias src.
	Apply(dst, src *mat.Dense)
}

// rowOperator is an Operator that acts on vectors stored as rows, b×n, the
// layout Top works in. All operators of this package are; others are called
// through Apply with a transpose on either side.
type rowOperator interface {
	applyRows(dst, src blas64.General)
}

// denseOperator can write its n×n matrix (upper triangle at least) for less
// than n applications.
type denseOperator interface {
	dense() *mat.SymDense
}

// applyTo sets dst = src·A for vectors as rows.
func applyTo(op Operator, dst, src blas64.General) {
	if rows, ok := op.(rowOperator); ok {
		rows.applyRows(dst, src)
		return
	}
	in, out := newGeneral(src.Cols, src.Rows), newGeneral(src.Cols, src.Rows)
	transposeInto(in, src)
	op.Apply(denseOf(out), denseOf(in))
	transposeInto(dst, out)
}

// applyColumns is Apply for an operator that acts on rows.
func applyColumns(op rowOperator, n int, dst, src *mat.Dense) {
	in, out := src.RawMatrix(), dst.RawMatrix()
	if in.Rows != n || out.Rows != n || in.Cols != out.Cols {
		panic(mat.ErrShape)
	}
	x, y := newGeneral(in.Cols, n), newGeneral(in.Cols, n)
	transposeInto(x, in)
	op.applyRows(y, x)
	transposeInto(out, y)
}

// denseFrom is the operator's matrix: its own if it has one at hand, or built
// from n unit vectors in blocks.
func denseFrom(op Operator) *mat.SymDense {
	if d, ok := op.(denseOperator); ok {
		return d.dense()
	}
	const block = 64
	n := op.Dim()
	full := newGeneral(n, n)
	for i := 0; i < n; i += block {
		b := min(block, n-i)
		unit := newGeneral(b, n)
		for j := range b {
			unit.Data[j*n+i+j] = 1
		}
		applyTo(op, general(full, i, 0, b, n), unit)
	}
	// The mean of both triangles is the nearest symmetric matrix.
	for i := range n {
		for j := i + 1; j < n; j++ {
			full.Data[i*n+j] = (full.Data[i*n+j] + full.Data[j*n+i]) / 2
		}
	}
	return mat.NewSymDense(n, full.Data)
}

type symmetric struct{ a blas64.General }

// A symmetric matrix is read in blocks of narrowRows or wideRows × symmetricColumns, which
// stay in the second-level cache while they serve for both triangles. Few vectors leave
// time to wait for memory, which comes sooner where few rows are read at once: at n = 5000
// 16 vectors take a fifth less time by 16 rows than by 64, and 64 vectors a fifth more.
// Panels of rows are dealt to one sum for each symmetricShare of n, rounded down to a power
// of two that two, four or eight processors share evenly, at most mostShares; the sums are
// computed side by side.
const (
	narrowRows       = 16
	wideRows         = 64
	narrowVectors    = 24
	symmetricColumns = 1024
	symmetricShare   = 350
	mostShares       = 8
	// symmetricVectors is how many vectors go through at once, for memory's sake.
	symmetricVectors = 64
)

// Symmetric is the operator of an n×n matrix, which it reads in place: the
// caller must not change it during a solve. Only the upper triangle is read,
// once an application, so a full row-major matrix can be wrapped by
// mat.NewSymDense without a copy. An application to b vectors costs 2n²b
// flops, in Gemm, and pooled memory for up to 9·min(b, 64) numbers a row, or for n ≤ 4b
// numbers from b = 65 on, beside two copies of the vectors where they are columns.
func Symmetric(a *mat.SymDense) Operator {
	s := a.RawSymmetric()
	return symmetric{blas64.General{Rows: s.N, Cols: s.N, Stride: s.Stride, Data: s.Data}}
}

func (s symmetric) Dim() int { return s.a.Rows }

func (s symmetric) Apply(dst, src *mat.Dense) { applyColumns(s, s.a.Rows, dst, src) }

func (s symmetric) applyRows(dst, src blas64.General) {
	if copied(s.a.Rows, src.Rows) {
		s.applyCopied(dst, src)
		return
	}
	for i := 0; i < src.Rows; i += symmetricVectors {
		b := min(symmetricVectors, src.Rows-i)
		s.applyBlock(general(dst, i, 0, b, dst.Cols), general(src, i, 0, b, src.Cols))
	}
}

// copied says that a product with b vectors takes a copy of both triangles, which is no
// larger than four blocks of so many vectors: it is then one plain product, which was
// measured to be faster by a half for 650 vectors of length 2000.
func copied(n, b int) bool { return b > symmetricVectors && n <= 4*b }

// applyCopied is applyRows in one product.
func (s symmetric) applyCopied(dst, src blas64.General) {
	n := s.a.Rows
	scratch := symmetricScratch.Get().(*[]float64)
	defer symmetricScratch.Put(scratch)
	if cap(*scratch) < n*n {
		*scratch = make([]float64, n*n)
	}
	full := blas64.General{Rows: n, Cols: n, Stride: n, Data: (*scratch)[:n*n]}
	transposeInto(full, s.a)
	for i := range n {
		copy(rowOf(full, i)[i:], rowOf(s.a, i)[i:])
	}
	gemm(blas.NoTrans, blas.NoTrans, 1, src, full, 0, dst)
}

// symmetricScratch holds *[]float64. A solve applies its matrix tens of times, and
// what each took anew would lie beside the matrix as garbage.
var symmetricScratch = sync.Pool{New: func() any { return new([]float64) }}

func (s symmetric) applyBlock(dst, src blas64.General) {
	n, b, rows := s.a.Rows, src.Rows, wideRows
	if b <= narrowVectors {
		rows = narrowRows
	}
	sums := make([]blas64.General, sharesOf(n))
	scratch := symmetricScratch.Get().(*[]float64)
	defer symmetricScratch.Put(scratch)
	if needed := n*b + len(sums)*(n*b+rows*rows); cap(*scratch) < needed {
		*scratch = make([]float64, needed)
	}
	free := (*scratch)[:cap(*scratch)]
	take := func(r, c int) blas64.General {
		taken := blas64.General{Rows: r, Cols: c, Stride: c, Data: free[:r*c]}
		free = free[r*c:]
		return taken
	}
	x, mirrors := take(n, b), make([]blas64.General, len(sums))
	for share := range sums {
		sums[share], mirrors[share] = take(n, b), take(rows, rows)
	}
	transposeInto(x, src)
	threads.For(len(sums), func(share int) {
		y, mirror := sums[share], mirrors[share]
		clear(y.Data)
		for i := share * rows; i < n; i += len(sums) * rows {
			s.addPanel(y, x, i, min(rows, n-i), mirror)
		}
	})
	for _, y := range sums[1:] {
		blas64.Axpy(1, vectorOf(y.Data), vectorOf(sums[0].Data))
	}
	transposeInto(dst, sums[0])
}

// sharesOf is how many sums a product with a symmetric n×n matrix is dealt to.
func sharesOf(n int) int {
	shares := 1
	for shares < mostShares && 2*shares*symmetricShare <= n {
		shares *= 2
	}
	return shares
}

// addPanel adds to y what rows i… of the upper triangle, and the columns that mirror
// them, contribute to A·x. The block on the diagonal goes through mirror.
func (s symmetric) addPanel(y, x blas64.General, i, rows int, mirror blas64.General) {
	n, b := x.Rows, x.Cols
	diagonal := general(mirror, 0, 0, rows, rows)
	for p := range rows {
		row := s.a.Data[(i+p)*s.a.Stride+i:][:rows]
		for q := p; q < rows; q++ {
			diagonal.Data[p*diagonal.Stride+q] = row[q]
			diagonal.Data[q*diagonal.Stride+p] = row[q]
		}
	}
	here, sum := general(x, i, 0, rows, b), general(y, i, 0, rows, b)
	gemm(blas.NoTrans, blas.NoTrans, 1, diagonal, here, 1, sum)
	for j := i + rows; j < n; j += symmetricColumns {
		columns := min(symmetricColumns, n-j)
		block := general(s.a, i, j, rows, columns)
		gemm(blas.NoTrans, blas.NoTrans, 1, block, general(x, j, 0, columns, b), 1, sum)
		gemm(blas.Trans, blas.NoTrans, 1, block, here, 1, general(y, j, 0, columns, b))
	}
}

func (s symmetric) dense() *mat.SymDense {
	n := s.a.Rows
	d := newGeneral(n, n)
	for i := range n {
		copy(rowOf(d, i)[i:], rowOf(s.a, i)[i:])
	}
	return mat.NewSymDense(n, d.Data)
}

type gramian struct{ b blas64.General }

// Gramian is the operator B·Bᵀ of an n×m matrix, as two products: it costs
// 4nmb flops for b vectors and never forms an n×n matrix. The caller must not
// change B during a solve.
func Gramian(b *mat.Dense) Operator { return gramian{b.RawMatrix()} }

func (g gramian) Dim() int { return g.b.Rows }

func (g gramian) Apply(dst, src *mat.Dense) { applyColumns(g, g.b.Rows, dst, src) }

func (g gramian) applyRows(dst, src blas64.General) {
	inner := newGeneral(src.Rows, g.b.Cols)
	gemm(blas.NoTrans, blas.NoTrans, 1, src, g.b, 0, inner)
	gemm(blas.NoTrans, blas.Trans, 1, inner, g.b, 0, dst)
}

func (g gramian) dense() *mat.SymDense {
	return Gram(blas.NoTrans, denseOf(g.b))
}

type centred struct{ inner Operator }

// Centred is C·A·C with C = I − 11ᵀ/n, applied without forming it: it adds
// 4nb flops to an application of A.
func Centred(a Operator) Operator { return centred{a} }

func (c centred) Dim() int { return c.inner.Dim() }

func (c centred) Apply(dst, src *mat.Dense) { applyColumns(c, c.Dim(), dst, src) }

func (c centred) applyRows(dst, src blas64.General) {
	x := newGeneral(src.Rows, src.Cols)
	for i := range src.Rows {
		copy(rowOf(x, i), rowOf(src, i))
	}
	centreRows(x)
	applyTo(c.inner, dst, x)
	centreRows(dst)
}

// centreRows subtracts from each row its mean, summed in order.
func centreRows(x blas64.General) {
	for i := range x.Rows {
		row := rowOf(x, i)
		mean := meanOf(row)
		for j := range row {
			row[j] -= mean
		}
	}
}

func (c centred) dense() *mat.SymDense {
	d := denseFrom(c.inner)
	CentreSym(d)
	return d
}

// CentreSym replaces the n×n matrix a by C·A·C, C = I − 11ᵀ/n, in 3n² flops.
func CentreSym(a *mat.SymDense) {
	s := a.RawSymmetric()
	means := make([]float64, s.N)
	for i := range s.N {
		row := s.Data[i*s.Stride : i*s.Stride+s.N]
		means[i] += row[i]
		for j := i + 1; j < s.N; j++ {
			means[i] += row[j]
			means[j] += row[j]
		}
	}
	for i := range means {
		means[i] /= float64(s.N)
	}
	grand := meanOf(means)
	for i := range s.N {
		row := s.Data[i*s.Stride : i*s.Stride+s.N]
		for j := i; j < s.N; j++ {
			row[j] += grand - means[i] - means[j]
		}
	}
}

// meanOf sums in four interleaved parts, which is faster and rounds less than
// one running sum, and is as deterministic.
func meanOf(x []float64) float64 {
	var s [4]float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s[0] += x[i]
		s[1] += x[i+1]
		s[2] += x[i+2]
		s[3] += x[i+3]
	}
	for ; i < len(x); i++ {
		s[0] += x[i]
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) / float64(len(x))
}
