package data

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// maxEmpirical bounds the points of an empirical population whose operators are
// asked for: they need the whole N×N kernel matrix, 8·N² bytes.
const maxEmpirical = 30_000

// empiricalPopulation is the uniform distribution on N given points Z: Σ, the
// mean and all moments are finite sums. The centred kernel matrix is computed at
// first use and kept.
type empiricalPopulation struct {
	points *mat.Dense // N×D
	kernel kernel.Kernel
	rank   int // eigenpairs known

	once    sync.Once
	err     error
	gram    *mat.SymDense // CKC: centred once, a wide kernel's small differences stay what they are
	trace   [2]float64    // tr Σ, tr Σ²
	values  []float64     // λ_1 … λ_rank
	vectors *mat.Dense    // N×rank, columns of norm √N: values of e_i at Z

	// Computed at first use and kept.
	uncentred func() (Uncentred, error)
	spectrum  func() ([]float64, error)
	leverages func() (leverages, error)
}

func newEmpiricalPopulation(points *mat.Dense, k kernel.Kernel, rank int) *empiricalPopulation {
	n, _ := points.Dims()
	p := &empiricalPopulation{points: points, kernel: k, rank: min(rank, n)}
	p.uncentred = sync.OnceValues(p.factor)
	p.spectrum = sync.OnceValues(p.wholeSpectrum)
	p.leverages = sync.OnceValues(p.allLeverages)
	return p
}

// CheckOperators says why the operators of a population of n points cannot be
// computed; nil where they can.
func CheckOperators(n int) error {
	if n <= maxEmpirical {
		return nil
	}
	return fmt.Errorf("a population of %d points would need a kernel matrix of %.1f GiB; at most %d points are allowed: declare a smaller one, such as population: {held_out: 5000}", n, 8*float64(n)*float64(n)/(1<<30), maxEmpirical)
}

func (p *empiricalPopulation) String() string {
	n, d := p.points.Dims()
	return fmt.Sprintf("uniform on %d points in R^%d, %s", n, d, p.kernel)
}

// prepare computes the centred kernel matrix, its traces, and the top of its
// spectrum: N²/2 kernel evaluations, 8·N² bytes, and a few N²·rank flops. It
// fails where more eigenpairs are asked for than the population was opened with.
func (p *empiricalPopulation) prepare(eigenpairs int) error {
	n, _ := p.points.Dims()
	if err := CheckOperators(n); err != nil {
		return err
	}
	if min(eigenpairs, n) > p.rank {
		return fmt.Errorf("%d eigenpairs asked of a population that was opened for %d: %s", eigenpairs, p.rank, p)
	}
	p.once.Do(func() {
		p.gram = kernel.Gram(p.kernel, p.points)
		linalg.CentreSym(p.gram)
		p.trace = traces(p.gram)
		if p.rank == 0 {
			return
		}
		top, err := linalg.Top(linalg.Symmetric(p.gram), p.rank, linalg.DefaultTopOptions(p.rank))
		if err == nil && !top.Converged {
			err = fmt.Errorf("eigenpairs of %s did not converge", p)
		}
		if err != nil {
			p.err = fmt.Errorf("spectrum of the population: %w", err)
			return
		}
		p.values, p.vectors = top.Values, top.Vectors
		for i, v := range p.values {
			p.values[i] = max(v, 0) / float64(n)
		}
		p.vectors.Scale(math.Sqrt(float64(n)), p.vectors)
	})
	return p.err
}

// traces are tr Σ = tr(CKC)/N and tr Σ² = ‖CKC‖²/N².
func traces(centred *mat.SymDense) [2]float64 {
	n := centred.SymmetricDim()
	first, second := 0.0, 0.0
	for i := range n {
		first += centred.At(i, i)
		row := 0.0
		for j := range n {
			v := centred.At(i, j)
			row += v * v
		}
		second += row
	}
	return [2]float64{first / float64(n), second / float64(n) / float64(n)}
}

// Tail is tr Σ^power less the leading eigenvalues.
func (p *empiricalPopulation) Tail(power, ell int) (float64, error) {
	if err := p.prepare(ell); err != nil {
		return 0, err
	}
	tail := p.trace[power-1]
	for i := range min(ell, len(p.values)) {
		tail -= math.Pow(p.values[i], float64(power))
	}
	return max(tail, 0), nil
}

func (p *empiricalPopulation) Eigenvalues(count int) ([]float64, error) {
	if err := p.prepare(count); err != nil {
		return nil, err
	}
	values := make([]float64, count)
	copy(values, p.values)
	return values, nil
}

// Moments evaluates f at the N points: any functions will do.
func (p *empiricalPopulation) Moments(f kernel.Functions, eigen int) (Moments, error) {
	if err := p.prepare(eigen); err != nil {
		return Moments{}, err
	}
	values := f.Eval(p.points)
	n, l := values.Dims()
	mean := make([]float64, l)
	for i := range n {
		for j, v := range values.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	for i := range n {
		row := values.RawRowView(i)
		for j := range row {
			row[j] -= mean[j]
		}
	}
	var product mat.Dense
	product.Mul(p.gram, values)
	m := Moments{Mean: mean, Cov: symmetric(values, values), Tau: columnProducts(values, &product)}
	m.Cov.ScaleSym(1/float64(n), m.Cov)
	for i := range m.Tau {
		m.Tau[i] /= float64(n) * float64(n)
	}
	m.image = func() *mat.SymDense { // L f is K_c Y/N at the points
		image := symmetric(&product, &product)
		image.ScaleSym(math.Pow(float64(n), -3), image)
		return image
	}
	if eigen > 0 {
		m.Eigen = mat.NewDense(eigen, l, nil)
		known := min(eigen, len(p.values))
		if known > 0 {
			top := m.Eigen.Slice(0, known, 0, l).(*mat.Dense)
			top.Mul(p.vectors.Slice(0, n, 0, known).T(), values)
			top.Scale(1/float64(n), top)
		}
	}
	return m, nil
}
