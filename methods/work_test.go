package methods_test

import (
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/landmark"
)

// counter is a BLAS that counts the flops of its calls. Products over the
// inner dimension dim are kernel values or features: each counts elementwise
// flops more, for its exponential or its cosine and sine.
type counter struct {
	blas.Float64
	dim, elementwise int
	flops            *atomic.Int64
}

func (c counter) add(flops int) { c.flops.Add(int64(flops)) }

func (c counter) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, out []float64, ldc int) {
	c.add(2 * m * n * k)
	if k == c.dim {
		c.add(c.elementwise * m * n)
	}
	c.Float64.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, out, ldc)
}

func (c counter) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, out []float64, ldc int) {
	c.add(n * n * k)
	c.Float64.Dsyrk(ul, t, n, k, alpha, a, lda, beta, out, ldc)
}

func (c counter) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	c.add(m * n * map[blas.Side]int{blas.Left: m, blas.Right: n}[s])
	c.Float64.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

func (c counter) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	c.add(m * n * map[blas.Side]int{blas.Left: m, blas.Right: n}[s])
	c.Float64.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

func (c counter) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	c.add(2 * m * n)
	c.Float64.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

func (c counter) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	c.add(2 * m * n)
	c.Float64.Dger(m, n, alpha, x, incX, y, incY, a, lda)
}

func (c counter) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	c.add(2 * n)
	c.Float64.Daxpy(n, alpha, x, incX, y, incY)
}

func (c counter) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	c.add(2 * n)
	return c.Float64.Ddot(n, x, incX, y, incY)
}

// eigensolver is gonum's LAPACK whose eigendecompositions count 9n³ flops, the
// count of Golub & Van Loan, §8.3: most are rotations, which no BLAS sees.
type eigensolver struct {
	lapackgonum.Implementation
	counter
}

func (e eigensolver) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) bool {
	before := e.flops.Load()
	ok := e.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	if lwork >= 0 {
		e.flops.Store(before + 9*int64(n)*int64(n)*int64(n))
	}
	return ok
}

// costOf is that of a fit under any kernel. Parameters that have no default may be
// missing.
func costOf(options methods.Options, s methods.Sizes, dim int) cost.Cost {
	m, _ := options.Method()
	return m.Cost(nil, s, float64(dim))
}

// TestFlopsAreWithinAFactor2 counts the flops of fits: those of every matrix
// product, solve and reflection as BLAS is asked for them, 20 for each kernel
// value or feature beside its inner product, and 9n³ for an eigendecomposition
// of order n. What is linear in the elements of a matrix is left out.
func TestFlopsAreWithinAFactor2(t *testing.T) {
	const dim = 37 // that of no other product
	flops := &atomic.Int64{}
	t.Cleanup(linalg.UseGonum)
	linalg.UseOwn()
	count := counter{Float64: blas64.Implementation(), dim: dim, elementwise: 20, flops: flops}
	blas64.Use(count)
	lapack64.Use(eigensolver{counter: count})
	for _, s := range []methods.Sizes{{N: 300, M: 250, Ell: 10}, {N: 700, M: 60, Ell: 5}, {N: 1100, M: 90, Ell: 30}, {N: 900, M: 450, Ell: 8}} {
		p := methods.Sample{X: uniformPoints(31, s.N, dim), Kernel: kernel.NewGaussian(0.3), Sizes: s}
		for _, m := range measured() {
			flops.Store(0)
			fit(t, m.options, p, 1)
			counted, estimate := float64(flops.Load()), costOf(m.options, s, dim).Flops
			t.Logf("%s %+v: %.3g flops, estimate %.3g, ratio %.2f", m.name, s, counted, estimate, estimate/counted)
			if !(estimate <= 2*counted && estimate >= counted/2) {
				t.Errorf("%s at %+v: %.3g flops, the estimate is %.3g", m.name, s, counted, estimate)
			}
		}
	}
}

// measured are methods under the names of benchmarks, and their options.
func measured() []struct {
	name, use string
	options   methods.Options
} {
	return []struct {
		name, use string
		options   methods.Options
	}{
		{"ekpca", "ekpca", &methods.EKPCAOptions{Center: "u"}},
		{"nystrom", "nystrom", &methods.NystromOptions{Landmarks: landmark.By("uniform"), Center: "u"}},
		{"rff", "rff", &methods.RFFOptions{Features: "fourier", Center: "u"}},
		{"randomized-kpca", "randomized-kpca", &methods.RandomizedOptions{Center: "u", Power: 2}},
	}
}
