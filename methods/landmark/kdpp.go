package landmark

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// kdpp draws a set S of m points with probability det(K_SS)/e_m(σ), e_m the
// elementary symmetric polynomial of the eigenvalues. It first draws m
// eigenvectors, then points by the projection onto their span. Where the
// numerical rank of K is below m, that many points are drawn.
//
// Cost: beside the eigenproblem, a table of 8nm bytes and nm² flops.
//
// Reference: Kulesza & Taskar, k-DPPs, ICML 2011, Algorithm 8 of Determinantal
// point processes for machine learning (2012). Deviation: polynomials are kept as
// logarithms; points of the projection are drawn by randomly pivoted Cholesky,
// the chain rule of that process, in place of orthogonalised bases.
func (p *problem) kdpp() (Set, error) {
	values, vectors, err := p.spectrum(p.ctx)
	if err != nil {
		return Set{}, err
	}
	return p.drawDPP(values, vectors)
}

// drawDPP draws by the eigenpairs of K.
func (p *problem) drawDPP(values []float64, vectors *mat.Dense) (Set, error) {
	rank := numericalRank(values)
	picked := drawEigenvectors(values[:rank], min(p.m, rank), p.rng)
	basis := mat.NewDense(p.n, len(picked), nil)
	for i := range p.n {
		row, all := basis.RawRowView(i), vectors.RawRowView(i)
		for j, index := range picked {
			row[j] = all[index]
		}
	}
	return p.drawProjection(basis)
}

// numericalRank is how many falling eigenvalues are not rounding.
func numericalRank(values []float64) int {
	rank := 0
	for rank < len(values) && values[rank] > float64(len(values))*epsilon*values[0] {
		rank++
	}
	return rank
}

// drawProjection draws the projection process of orthonormal columns V (n×k): k points S
// with probability det(V_S)².
func (p *problem) drawProjection(basis *mat.Dense) (Set, error) {
	_, k := basis.Dims()
	c := pivoting{operand: projection{basis}, block: min(proposals, p.m), tolerance: linalg.DefaultPivotTolerance(p.n)}
	indices, err := c.pivots(p.ctx, k, p.rng)
	if err != nil {
		return Set{}, err
	}
	return p.short(Set{Indices: indices}, noHigherRank), nil
}

const noHigherRank = "the kernel matrix has no higher rank"

// drawEigenvectors draws k of the eigenvalues, a set with probability
// proportional to its product. Among the first i with j to go, the i-th is in
// with probability σ_i e_{j−1}(σ_1 … σ_{i−1}) / e_j(σ_1 … σ_i).
func drawEigenvectors(values []float64, k int, rng *rand.Rand) []int {
	e := logPolynomials(values, k)
	var picked []int
	for i := len(values); len(picked) < k; i-- {
		j := k - len(picked)
		u := math.Log(rng.Float64())
		if i == j || u < math.Log(values[i-1])+e[j-1][i-1]-e[j][i] {
			picked = append(picked, i-1)
		}
	}
	return picked
}

// logPolynomials holds log e_j(σ_1 … σ_i) at [j][i], j ≤ k, for positive σ:
// e_j(σ_1 … σ_i) = e_j(σ_1 … σ_{i−1}) + σ_i e_{j−1}(σ_1 … σ_{i−1}).
func logPolynomials(values []float64, k int) [][]float64 {
	e, logs := make([][]float64, k+1), make([]float64, len(values))
	for i, v := range values {
		logs[i] = math.Log(v)
	}
	for j := range e {
		e[j] = make([]float64, len(values)+1)
		for i := range e[j] {
			switch {
			case j == 0:
			case i < j:
				e[j][i] = math.Inf(-1)
			default:
				e[j][i] = logAdd(e[j][i-1], logs[i-1]+e[j-1][i-1])
			}
		}
	}
	return e
}

// logAdd is log(eᵃ + eᵇ).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// projection is VVᵀ for orthonormal columns V (n×k).
type projection struct{ basis *mat.Dense }

func (v projection) diagonal() []float64 {
	n, _ := v.basis.Dims()
	d := make([]float64, n)
	for i := range d {
		for _, u := range v.basis.RawRowView(i) {
			d[i] += u * u
		}
	}
	return d
}

func (v projection) columns(dst *mat.Dense, at []int) {
	_, k := v.basis.Dims()
	linalg.Gemm(blas.NoTrans, blas.Trans, 1, v.basis.RawMatrix(), rowsOf(v.basis, at, k).RawMatrix(), 0, dst.RawMatrix())
}

func (v projection) square(at []int) *mat.Dense {
	_, k := v.basis.Dims()
	rows, s := rowsOf(v.basis, at, k), mat.NewDense(len(at), len(at), nil)
	linalg.Gemm(blas.NoTrans, blas.Trans, 1, rows.RawMatrix(), rows.RawMatrix(), 0, s.RawMatrix())
	return s
}
