package methods

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/counts"
	"mercer/internal/linalg"
)

// weights say how many points c_j of the sample each of u rows stands for; nil for one each.
//
// Functions on the points that are constant on those of a row, times √c_j, are R^u
// isometrically. There K is W^(1/2)KW^(1/2), W = diag(c), with an eigenvector v that is
// v_j/√c_j at each point of row j; their sum over the row is √c_j·v_j.
type weights []float64

// at is c_i.
func (w weights) at(i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// part are those of the rows from … to−1.
func (w weights) part(from, to int) weights {
	if w == nil {
		return nil
	}
	return w[from:to]
}

// of writes them out for so many rows.
func (w weights) of(rows int) []float64 {
	if w == nil {
		return slices.Repeat([]float64{1}, rows)
	}
	return w
}

// total is how many points so many rows are.
func (w weights) total(rows int) float64 {
	if w == nil {
		return float64(rows)
	}
	return floats.Sum(w)
}

// means are those of the columns of a over the points.
func (w weights) means(a *mat.Dense) []float64 {
	n, c := a.Dims()
	mean := make([]float64, c)
	for i := range n {
		floats.AddScaled(mean, w.at(i), a.RawRowView(i))
	}
	floats.Scale(1/w.total(n), mean)
	return mean
}

// roots multiplies row j of a by √c_j.
func (w weights) roots(a *mat.Dense) {
	linalg.ScaleRows(a, linalg.Roots(w))
}

// over multiplies row j by √(c_j/divisor).
func (w weights) over(a *mat.Dense, divisor float64) {
	n, _ := a.Dims()
	for i := range n {
		floats.Scale(math.Sqrt(w.at(i)/divisor), a.RawRowView(i))
	}
}

// inverses divides row j by √c_j.
func (w weights) inverses(a *mat.Dense) {
	for i, c := range w {
		floats.Scale(1/math.Sqrt(c), a.RawRowView(i))
	}
}

// centre subtracts from each column of a, functions in R^u, its constant part.
func (w weights) centre(a *mat.Dense) {
	if w == nil {
		centreColumns(a)
		return
	}
	_, c := a.Dims()
	roots := linalg.Roots(w)
	part, n := make([]float64, c), floats.Dot(roots, roots)
	for i, root := range roots {
		floats.AddScaled(part, root/n, a.RawRowView(i))
	}
	for i, root := range roots {
		floats.AddScaled(a.RawRowView(i), -root, part)
	}
}

// matrix is a kernel matrix in R^u, centred before where it is to be, as a copy; without
// weights and centring it is itself.
func (w weights) matrix(gram *mat.SymDense, centred bool) *mat.SymDense {
	if w == nil && !centred {
		return gram
	}
	n := gram.SymmetricDim()
	own, times := mat.NewSymDense(n, nil), w.of(n)
	own.CopySym(gram)
	if centred {
		linalg.CentreSymBy(own, times)
	}
	linalg.WeighSym(own, times)
	return own
}

// centred is the operator of a kernel matrix that is centred over the points.
func (w weights) centred(gram *mat.SymDense) linalg.Operator {
	if w == nil {
		return linalg.Centred(linalg.Symmetric(gram))
	}
	own := mat.NewSymDense(len(w), nil)
	own.CopySym(gram)
	linalg.CentreSymBy(own, w)
	return linalg.Symmetric(own)
}

// normal are, for each of n rows and m columns, the sums over the row's points of
// independent N(0,1); of a sample of at most counts.Singly points drawn for each of
// them, column by column, else at once with the root of their number. Drawn says in
// which order the points stand; nil for that of the rows. The columns of a smaller m are
// the first of a larger one.
func (w weights) normal(n int, drawn []int, m int, rng *rand.Rand) *mat.Dense {
	s := mat.NewDense(n, m, nil)
	if drawn == nil && (w == nil || w.total(n) <= counts.Singly) {
		for i := range n {
			for range int(w.at(i)) {
				drawn = append(drawn, i)
			}
		}
	}
	for j := range m {
		for _, i := range drawn {
			s.Set(i, j, s.At(i, j)+rng.NormFloat64())
		}
		if drawn == nil {
			for i, c := range w {
				s.Set(i, j, math.Sqrt(c)*rng.NormFloat64())
			}
		}
	}
	return s
}
