package methods

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// blockRows is how many rows pass at a time through block: enough for fast products, few
// enough that their inner products cost no more than the products with Q.
const blockRows = 64

// block takes the steps of a block of rows.
func (s *ojaState) block(z *mat.Dense) {
	n, _ := z.Dims()
	for from := 0; from < n; {
		if from += s.compact(linalg.Rows(z, from, n)); from < n {
			s.direct(linalg.Rows(z, from, from+1))
			from++
		}
	}
}

// direct is one step by its definition, of one row.
func (s *ojaState) direct(z *mat.Dense) {
	p, ell := s.q.Dims()
	y, step := mat.NewDense(1, ell, nil), mat.NewDense(p, ell, nil)
	linalg.Gemm(blas.NoTrans, blas.NoTrans, 1, z.RawMatrix(), s.q.RawMatrix(), 0, y.RawMatrix())
	linalg.Gemm(blas.Trans, blas.NoTrans, 1, z.RawMatrix(), y.RawMatrix(), 0, step.RawMatrix())
	s.seen.add(y.RawRowView(0))
	rates := s.rates(func(j int) float64 {
		norm := mat.Norm(step.ColView(j), 2)
		return norm * norm
	})
	for i := range p {
		row := s.q.RawRowView(i)
		for j, v := range step.RawRowView(i) {
			row[j] += rates[j] * v
		}
	}
	orthonormalise(s.q)
}

// compact takes the steps of z in coordinates: Q stays Q₀C + zᵀW, with C ℓ×ℓ upper
// triangular and W as many rows as z has, and the steps need only the products
// zQ₀ and zzᵀ. With y a row's coordinates and D its rates, the new Q has
//
//	QᵀQ = I + Dyyᵀ + yyᵀD + ‖z‖²DyyᵀD = LLᵀ,
//
// and C and W are multiplied by L^(−T). It returns how many rows it took: fewer
// than all if the next step's L would lose digits.
func (s *ojaState) compact(z *mat.Dense) int {
	n, p := z.Dims()
	_, ell := s.q.Dims()
	at := mat.NewDense(n, ell, nil)
	linalg.Gemm(blas.NoTrans, blas.NoTrans, 1, z.RawMatrix(), s.q.RawMatrix(), 0, at.RawMatrix())
	gram := mat.DenseCopyOf(linalg.Gram(blas.NoTrans, z))
	b := &ojaBlock{gram: gram, at: at, c: mat.NewDense(ell, ell, nil), w: mat.NewDense(n, ell, nil)}
	for j := range ell {
		b.c.Set(j, j, 1)
	}
	taken := 0
	for ; taken < n; taken++ {
		if s.method.rates.Schedule != adaOja {
			b.oneRate(s, taken)
		} else if !b.ownRates(s, taken) {
			break
		}
	}
	if taken == 0 {
		return 0
	}
	q := mat.NewDense(p, ell, nil)
	rows, w := linalg.Rows(z, 0, taken), linalg.Rows(b.w, 0, taken)
	linalg.Gemm(blas.NoTrans, blas.NoTrans, 1, s.q.RawMatrix(), b.c.RawMatrix(), 0, q.RawMatrix())
	linalg.Gemm(blas.Trans, blas.NoTrans, 1, rows.RawMatrix(), w.RawMatrix(), 1, q.RawMatrix())
	orthonormalise(q)
	s.q = q
	return taken
}

// ojaBlock is Q in the coordinates of a block: Q₀C + zᵀW.
type ojaBlock struct {
	gram *mat.Dense // zzᵀ
	at   *mat.Dense // zQ₀
	c, w *mat.Dense
}

// coordinates are zQ for a row of z.
func (b *ojaBlock) coordinates(row int) []float64 {
	_, ell := b.at.Dims()
	y := mat.NewDense(1, ell, nil)
	y.Mul(b.at.Slice(row, row+1, 0, ell), b.c)
	if row > 0 {
		var more mat.Dense
		more.Mul(b.gram.Slice(row, row+1, 0, row), b.w.Slice(0, row, 0, ell))
		y.Add(y, &more)
	}
	return y.RawRowView(0)
}

// ownRates takes the step of a row with a rate for each column; false, with nothing done, if
// its L would lose digits.
func (b *ojaBlock) ownRates(s *ojaState, row int) bool {
	y := b.coordinates(row)
	ell := len(y)
	outer := func(i, j int) float64 { return y[i] * (b.gram.At(row, row) * y[j]) }
	steps, sums := s.steps, append(adaptive{}, s.adaptive...)
	rates := s.rates(func(j int) float64 { return outer(j, j) })
	gram := mat.NewSymDense(ell, nil)
	for i := range ell {
		for j := i; j < ell; j++ {
			v := (rates[i]+rates[j])*(y[i]*y[j]) + rates[i]*rates[j]*outer(i, j)
			if i == j {
				v++
			}
			gram.SetSym(i, j, v)
		}
	}
	l, smallest := choleskyOf(gram)
	if smallest < leastPivot {
		s.steps, s.adaptive = steps, sums
		return false
	}

	s.seen.add(y)
	last := b.w.RawRowView(row)
	for j, v := range y {
		last[j] = rates[j] * v
	}
	linalg.SolveRight(b.c, l)
	linalg.SolveRight(linalg.Rows(b.w, 0, row+1), l)
	return true
}

// oneRate is ownRates for one rate of all columns: QᵀQ = I + g·yyᵀ, g = 2η + η²‖z‖²,
// whose L is known,
//
//	L_jj = √(s_j/s_{j−1}), L_ij = g·y_i·y_j/√(s_j·s_{j−1}), s_j = 1 + g·Σ_{i≤j} y_i²,
//
// without a difference of numbers, so that no digit is lost, and applied in O(ℓ)
// a row.
func (b *ojaBlock) oneRate(s *ojaState, row int) {
	coordinates := b.coordinates(row)
	s.seen.add(coordinates)
	ell := len(coordinates)
	eta := s.rates(nil)[0]
	g := 2*eta + eta*eta*b.gram.At(row, row)
	inverse, carry := make([]float64, ell), make([]float64, ell)
	sum := 1.0
	for j, v := range coordinates {
		next := sum + g*v*v
		inverse[j], carry[j] = math.Sqrt(sum/next), v/math.Sqrt(next*sum)
		sum = next
	}
	last := b.w.RawRowView(row)
	for j, v := range coordinates {
		last[j] = eta * v
	}
	solve := func(a []float64, from int) {
		done := 0.0 // Σ_{i<j} x_i·L_ji/(g·y_j)
		for j := from; j < ell; j++ {
			a[j] = (a[j] - g*coordinates[j]*done) * inverse[j]
			done += a[j] * carry[j]
		}
	}
	for i := range ell {
		solve(b.c.RawRowView(i), i)
	}
	for i := range row + 1 {
		solve(b.w.RawRowView(i), 0)
	}
}
