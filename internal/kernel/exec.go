package kernel

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/methods/exec"
)

// Exec is a kernel whose values a program returns in blocks (docs/exec.md). A program that
// fails, or whose values cannot be those of a kernel, makes what asks for them panic with an
// exec.Failed.
type Exec struct{ program *exec.Options }

// ExecOptions are the parameters of a kernel that is a program.
type ExecOptions struct{ exec.Options }

// Build returns the kernel, whose program must be found before it is asked for values.
func (o *ExecOptions) Build(Distances) (Kernel, error) { return Exec{&o.Options}, o.Check() }

// String has the command, and a hash of what else determines values.
func (e Exec) String() string {
	identity, _ := json.Marshal(e.program) // of texts
	return fmt.Sprintf("exec %q #%.6x", e.program.Command, sha256.Sum256(identity))
}

// Bound is +Inf: it is not known.
func (Exec) Bound() float64 { return math.Inf(1) }

// At asks for one value. It is slow: take blocks.
func (e Exec) At(x, y []float64) float64 {
	return e.values(mat.NewDense(1, len(x), x), mat.NewDense(1, len(y), y)).At(0, 0)
}

// values are those of a (p×D) and b (q×D), p×q.
func (e Exec) values(a, b *mat.Dense) *mat.Dense {
	p, dim := a.Dims()
	q, _ := b.Dims()
	request := exec.Request{Call: "kernel", X: "a.npy", Y: "b.npy", N: p, Dim: dim}
	got, err := e.program.Call(context.Background(), request, map[string]mat.Matrix{request.X: a, request.Y: b}, "kernel")
	values, missing := got.Array("kernel", p, q)
	if err = cmp.Or(err, missing); err == nil && &a.RawRowView(0)[0] == &b.RawRowView(0)[0] {
		err = checkSquare(values)
	}
	if err != nil {
		panic(exec.Failed{Err: fmt.Errorf("kernel of %d×%d points: %w", p, q, err)})
	}
	return values
}

// asymmetry is how far k(x,y) and k(y,x) may be apart, as a part of the largest row sum of a
// block: what single precision leaves.
const asymmetry = 1e-5

// checkSquare refuses values of points with themselves, the first columns, that are not
// symmetric.
func checkSquare(values *mat.Dense) error {
	p, q := values.Dims()
	slack := asymmetry * mat.Norm(values, math.Inf(1))
	for i := range min(p, q) {
		for j := range i {
			if v, w := values.At(i, j), values.At(j, i); math.Abs(v-w) > slack {
				return fmt.Errorf("k(x,y) is %v and k(y,x) is %v: not symmetric", v, w)
			}
		}
	}
	return nil
}

// checkedPoints are the points of a kernel matrix that checkSemidefinite takes: 96 MB for three copies.
const checkedPoints = 2000

// checkSemidefinite refuses the kernel matrix of a program whose first rows, up to 2000, are not
// positive semidefinite, to what single precision leaves: n²r flops, r their rank.
func checkSemidefinite(gram *mat.SymDense) {
	n := min(checkedPoints, gram.SymmetricDim())
	slack := slices.Repeat([]float64{asymmetry * linalg.LargestDiagonal(gram)}, n)
	var first mat.SymDense
	first.AddSym(gram.SliceSym(0, n), mat.NewDiagDense(n, slack))
	if _, err := linalg.FactorPivoted(&first, asymmetry); err != nil {
		panic(exec.Failed{Err: fmt.Errorf("the kernel is not positive semidefinite: %w", err)})
	}
}

func (e Exec) against(y *mat.Dense) filler {
	m, _ := y.Dims()
	return func(dst, x *mat.Dense, from int) { dst.Copy(e.values(x, linalg.Rows(y, from, m))) }
}

// diagonalRows are asked for at once for the values of points with themselves.
const diagonalRows = 32

// Diagonal are the k(x_i, x_i) of the rows of x (n×D).
func Diagonal(k Kernel, x *mat.Dense) []float64 {
	n, _ := x.Dims()
	diagonal := make([]float64, n)
	if e, ok := k.(Exec); ok {
		threads.For((n+diagonalRows-1)/diagonalRows, func(i int) {
			part := linalg.Rows(x, i*diagonalRows, min(n, (i+1)*diagonalRows))
			values := e.values(part, part)
			for j := range values.RawMatrix().Rows {
				diagonal[i*diagonalRows+j] = values.At(j, j)
			}
		})
		return diagonal
	}
	for i := range diagonal {
		diagonal[i] = k.At(x.RawRowView(i), x.RawRowView(i))
	}
	return diagonal
}
