package vector

import (
	"runtime"

	"gonum.org/v1/gonum/blas"
)

const (
	badLength = "vector: slices differ in length"
	badShape  = "vector: shapes do not match"
)

// product is C = alpha·A·B + beta·C.
type product struct {
	m, n, k     int
	alpha, beta float64
	a, b, c     matrix
	upper       bool // only on and above the diagonal of C
	// ready is B, packed before; nil where it is not.
	ready *Packed
}

// startOf is the first column of row i that the product computes.
func (p *product) startOf(i int) int {
	if p.upper {
		return min(i, p.n)
	}
	return 0
}

// operand is op(X) for row-major X.
func operand(t blas.Transpose, data []float64, stride int) matrix {
	if t == blas.NoTrans {
		return matrix{data, stride, 1}
	}
	return matrix{data, 1, stride}
}

// run computes the product.
func (p *product) run() {
	if p.m == 0 || p.n == 0 {
		return
	}
	if p.beta != 1 && (p.beta != 0 || p.alpha == 0 || p.k == 0) {
		p.scale()
	}
	if p.alpha == 0 || p.k == 0 {
		return
	}
	if p.ready == nil && p.narrow() {
		p.m, p.n = p.n, p.m
		p.a, p.b, p.c = p.b.transposed(), p.a.transposed(), p.c.transposed()
	}
	p.blocks(tilesFor(active), p.workers())
}

// scale is C = beta·C.
func (p *product) scale() {
	for i := range p.m {
		row := p.c.data[i*p.c.row+p.startOf(i) : i*p.c.row+p.n]
		if p.beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= p.beta
		}
	}
}

// narrow says that Cᵀ = Bᵀ·Aᵀ is cheaper: op(B) would have to be packed for a
// few rows of C, while its transpose can be read where it is.
func (p *product) narrow() bool {
	return !p.upper && p.b.col != 1 && p.m <= narrowRows
}

// workers is how many goroutines the product is worth.
func (p *product) workers() int {
	flops := 2 * float64(p.m) * float64(p.n) * float64(p.k)
	if p.upper {
		flops /= 2
	}
	columns := tilesFor(active).columns()
	tasks := (p.m + leastRows - 1) / leastRows * ((min(p.n, panelColumns) + columns - 1) / columns)
	return max(1, min(tasks, int(flops/flopsOfGoroutine), runtime.GOMAXPROCS(0)))
}
