package kernel

import (
	"fmt"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/threads"
	"mercer/internal/linalg/vector"
)

// SingleExpansion is an Expansion whose values are computed in single precision, twice
// as fast as in double where products are most of the work: those of points for Gaussian
// kernels, and those of kernel values with coefficients. The exponential is in double.
// Other kernels are evaluated in double and rounded.
//
// A Gaussian kernel value is off by at most γ(‖x‖² + ‖y‖²)·vector.SingleError(D) + 2^−23 of
// itself, norms taken from the mean of the first points; rounding errors add up like
// random signs, so that a tenth of that is seldom reached. Values of f_i are off by as
// much, and by vector.SingleError(p), of Σ_j |Coef_ji k(x, p_j)|.
type SingleExpansion struct {
	Expansion
	fill   filler               // of kernels in double precision
	centre []float64            // of a Gaussian: where points are measured from
	norms  []float64            // ‖p_j − centre‖², rounded
	points *vector.PackedSingle // p_j − centre
	coef   []singleColumns
	free   sync.Pool
}

// singleColumns are some columns of the coefficients, down to the last that is not 0.
type singleColumns struct {
	first, columns, depth int
	packed                *vector.PackedSingle
}

const (
	// singleRows is how many rows of values are computed at once: their kernel values
	// stay in cache.
	singleRows = 256
	// coefColumns is how many columns of the coefficients are packed together, so that
	// of a triangle about half the work is left.
	coefColumns = 96
)

// NewSingleExpansion makes an expansion ready: 4p(D + ℓ) bytes.
func NewSingleExpansion(e Expansion) *SingleExpansion {
	p, d := e.Points.Dims()
	s := &SingleExpansion{Expansion: e, fill: Plain(e.Kernel).against(e.Points)}
	if _, ok := Plain(e.Kernel).(Gaussian); ok && d >= directBelow {
		s.centre, s.norms = centreOf(rows(e.Points, 0, min(p, centrePoints))), make([]float64, p)
		ys := blas64.General{Rows: p, Cols: d, Stride: d, Data: make([]float64, p*d)}
		for j := range p {
			row := make([]float32, d)
			s.norms[j] = s.round(row, e.Points.RawRowView(j))
			for c, v := range row {
				ys.Data[j*d+c] = float64(v)
			}
		}
		s.points = vector.PackSingle(blas.Trans, ys)
	}
	coef := e.Coef.RawMatrix()
	for first := 0; first < coef.Cols; first += coefColumns {
		b := singleColumns{first: first, columns: min(coefColumns, coef.Cols-first)}
		for i := range coef.Rows {
			for _, v := range coef.Data[i*coef.Stride+first:][:b.columns] {
				if v != 0 {
					b.depth = i + 1
				}
			}
		}
		b.depth = max(1, b.depth)
		b.packed = vector.PackSingle(blas.NoTrans, blas64.General{Rows: b.depth, Cols: b.columns, Stride: coef.Stride, Data: coef.Data[first:]})
		s.coef = append(s.coef, b)
	}
	return s
}

// round writes x less the centre, rounded, and returns its squared norm.
func (s *SingleExpansion) round(dst []float32, x []float64) (norm2 float64) {
	for c, v := range x[:len(dst)] {
		y := float32(v - s.centre[c])
		dst[c] = y
		norm2 += float64(y) * float64(y)
	}
	return norm2
}

// Eval is To a new matrix.
func (s *SingleExpansion) Eval(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	values := mat.NewDense(n, s.Len(), nil)
	s.To(values, x)
	return values
}

// To fills dst (n×ℓ) with the values at the rows of x (n×D): n·p kernel values and 2·n·p·ℓ
// flops, half of these for a triangle of coefficients. It panics on other shapes.
func (s *SingleExpansion) To(dst, x *mat.Dense) {
	n, d := x.Dims()
	p, dim := s.Points.Dims()
	if r, l := dst.Dims(); r != n || l != s.Len() || d != dim {
		panic(fmt.Sprintf("kernel: %d functions of %d×%d points evaluated at %d×%d into %d×%d", s.Len(), p, dim, n, d, r, l))
	}
	if c := counterOf(s.Kernel); c != nil {
		c.Read(n, p)
	}
	threads.For((n+singleRows-1)/singleRows, func(i int) {
		from, to := i*singleRows, min((i+1)*singleRows, n)
		w, _ := s.free.Get().(*singleBlock)
		if w == nil {
			w = newSingleBlock(p, dim, s.Len())
		}
		defer s.free.Put(w)
		s.block(w, rows(dst, from, to), rows(x, from, to))
	})
}

// singleBlock is memory for a block of rows.
type singleBlock struct {
	points, values, images []float32 // rows×D, rows×p, rows×ℓ
	double                 *mat.Dense
	places                 []int
	norms                  []float64
}

func newSingleBlock(p, d, l int) *singleBlock {
	return &singleBlock{make([]float32, singleRows*d), make([]float32, singleRows*p), make([]float32, singleRows*l),
		mat.NewDense(singleRows, p, nil), make([]int, singleRows), make([]float64, singleRows)}
}

// at are where rows of a width begin.
func (w *singleBlock) at(n, width int) []int {
	for i := range n {
		w.places[i] = i * width
	}
	return w.places[:n]
}

func (s *SingleExpansion) block(w *singleBlock, dst, x *mat.Dense) {
	n, l := dst.Dims()
	p, _ := s.Points.Dims()
	double := rows(w.double, 0, n)
	if s.points == nil {
		s.fill(double, x, 0)
	} else {
		s.gaussian(w, double, x)
	}
	for i := range n {
		row := w.values[i*p:][:p]
		for j, v := range double.RawRowView(i)[:len(row)] {
			row[j] = float32(v)
		}
	}
	for _, b := range s.coef {
		c := blas32.General{Rows: n, Cols: b.columns, Stride: l, Data: w.images[b.first:]}
		b.packed.Mul(1, w.values, w.at(n, p), c, false)
	}
	for i := range n {
		row := dst.RawRowView(i)
		for j, v := range w.images[i*l:][:len(row)] {
			row[j] = float64(v)
		}
	}
}

// gaussian fills values (n×p) with kernel values from products in single precision.
func (s *SingleExpansion) gaussian(w *singleBlock, values, x *mat.Dense) {
	n, d := x.Dims()
	p := len(s.norms)
	for i := range n {
		w.norms[i] = s.round(w.points[i*d:][:d], x.RawRowView(i))
	}
	s.points.Mul(-2, w.points, w.at(n, d), blas32.General{Rows: n, Cols: p, Stride: p, Data: w.values}, false)
	gamma := Plain(s.Kernel).(Gaussian).Gamma
	for i := range n {
		row, xn := values.RawRowView(i), w.norms[i]
		products := w.values[i*p:][:len(row)]
		for j, yn := range s.norms[:len(row)] {
			if row[j] = xn + yn + float64(products[j]); row[j] < 0 {
				row[j] = 0
			}
		}
		vector.ExpScaled(row, row, -gamma)
	}
}
