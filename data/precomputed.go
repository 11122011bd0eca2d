package data

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
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

// Open reads the matrix, 8N² bytes, and returns the data set of the points 0 … N−1 in R^1 that
// brings the kernel K_ij.
func (o *PrecomputedOptions) Open(c Context) (Dataset, error) {
	table, err := c.opener().OpenArrays(c.resolve(o.Path), c.resolve(o.Labels), c.resolve(o.Responses), false)
	if err == nil {
		err = c.opener().Room(8 * int64(table.Len()) * int64(table.Dim()))
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
// what it must be: rounding of numbers in single precision is some 1e-7.
const matrixTolerance = 1e-6

// kernelMatrix is the upper triangle of a table that can be a kernel matrix: symmetric, and
// with |K_ij| ≤ √(K_ii K_jj), as a positive semidefinite matrix has. Its eigenvalues are not
// computed.
func kernelMatrix(table files.Table) (*mat.SymDense, error) {
	n := table.Len()
	if table.Dim() != n || n > maxEmpirical {
		return nil, fmt.Errorf("holds %d×%d numbers: a kernel matrix is N×N, with N at most %d", n, table.Dim(), maxEmpirical)
	}
	x, slack := table.Dense(), 0.0
	for i := range n {
		slack = max(slack, matrixTolerance*x.At(i, i))
	}
	for i := range n {
		for j := range n {
			v, most := x.At(i, j), math.Sqrt(max(0, x.At(i, i)))*math.Sqrt(max(0, x.At(j, j)))
			if math.Abs(v-x.At(j, i)) > slack || !(math.Abs(v) <= most+slack) {
				return nil, fmt.Errorf("entry (%d, %d) is %v, entry (%d, %d) %v, and √(K_ii K_jj) %.6g: a kernel matrix is symmetric with |K_ij| ≤ √(K_ii K_jj), to %v of its largest entry; of a matrix D of distances take np.exp(-gamma*D**2)", i, j, v, j, i, x.At(j, i), most, matrixTolerance)
			}
		}
	}
	return mat.NewSymDense(n, x.RawMatrix().Data), nil
}
