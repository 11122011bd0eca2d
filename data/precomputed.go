package data

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// PrecomputedOptions are the parameters of a kernel matrix, N×N, in a file.
type PrecomputedOptions struct{ ArrayOptions }

// Validate refuses what is done to coordinates.
func (o *PrecomputedOptions) Validate() error {
	if o.Scale || o.Standardize {
		return errors.New("the points of a kernel matrix have no coordinates: leave out scale and standardize")
	}
	return o.ArrayOptions.Validate()
}

// Traits tell the kind of kernel before the matrix is read.
func (o *PrecomputedOptions) Traits() Traits {
	t := o.ArrayOptions.Traits()
	t.Kernel = kernel.Precomputed{Name: o.Path}
	return t
}

// Open reads the matrix, 8N² bytes, checks it in up to 16N² more and N³/3 flops, and returns the data set of the points 0 … N−1 in R^1 that
// brings the kernel K_ij.
func (o *PrecomputedOptions) Open(c Context) (Dataset, error) {
	table, err := c.opener().OpenArrays(c.resolve(o.Path), c.resolve(o.Labels), c.resolve(o.Responses), false)
	if err == nil {
		err = c.opener().Room(24 * int64(table.Len()) * int64(table.Dim())) // with a factor and what it is made in
	}
	if err != nil {
		return nil, err
	}
	k, err := kernelMatrix(table)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	hash, err := table.Fingerprint(c.context())
	if err != nil {
		return nil, err
	}

	indices := mat.NewDense(table.Len(), 1, nil)
	for i := range table.Len() {
		indices.Set(i, 0, float64(i))
	}
	table.X = files.DensePool{X: indices}
	c.kernel = kernel.Precomputed{Name: hash[:16], K: k}
	return newTable("indices of the kernel matrix "+filepath.Base(o.Path), hash, table, files.Table{}, o.TableOptions, c)
}

// matrixTolerance is the share of its largest diagonal entry by which a kernel matrix may miss
// what it must be: rounding of numbers in single precision is some 1e-7. What elimination down
// to pivots of that size leaves may miss by twice as much.
const matrixTolerance = 1e-6

// kernelMatrix is the upper triangle of a table that is a kernel matrix: symmetric, with
// |K_ij| ≤ √(K_ii K_jj), and positive semidefinite by a pivoted Cholesky factor.
func kernelMatrix(table files.Table) (*mat.SymDense, error) {
	n := table.Len()
	if table.Dim() != n || n > maxEmpirical {
		return nil, fmt.Errorf("holds %d×%d numbers: a kernel matrix is N×N, with N at most %d", n, table.Dim(), maxEmpirical)
	}
	x, top := table.Dense(), 0.0
	for i := range n {
		top = max(top, x.At(i, i))
	}
	slack := matrixTolerance * top
	for i := range n {
		for j := range n {
			v, most := x.At(i, j), math.Sqrt(max(0, x.At(i, i)))*math.Sqrt(max(0, x.At(j, j)))
			if math.Abs(v-x.At(j, i)) > slack || !(math.Abs(v) <= most+slack) {
				return nil, fmt.Errorf("entry (%d, %d) is %v, entry (%d, %d) %v, and √(K_ii K_jj) %.6g: a kernel matrix is symmetric with |K_ij| ≤ √(K_ii K_jj), to %v of its largest entry; of a matrix D of Euclidean distances take np.exp(-gamma*D**2)", i, j, v, j, i, x.At(j, i), most, matrixTolerance)
			}
			x.Set(i, j, max(-top, min(v, top))) // rounded apart from the diagonal
		}
	}
	k := mat.NewSymDense(n, x.RawMatrix().Data)
	if _, err := linalg.FactorPivoted(k, matrixTolerance); err != nil {
		return nil, fmt.Errorf("%w, to %v of its largest entry: np.exp(-gamma*D**2) is so for each gamma only if D are Euclidean distances; take features of the points, H @ H.T, or leave out what is negative: w, V = np.linalg.eigh(K); K = (V * np.maximum(w, 0)) @ V.T", err, matrixTolerance)
	}
	return k, nil
}
