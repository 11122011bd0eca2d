package vector

import "math"

// tinyProduct is up to which m·n·k scalars are faster than tiles. It is at most
// blockDepth, so that the sum is in one piece.
const tinyProduct = 64

// tiny computes with the arithmetic of the micro-kernels, without their
// preparations.
func (p *product) tiny() {
	fused := fusedInHardware || active != portable
	for i := range p.m {
		first, end := p.part.columnsOf(i, p.n)
		a := p.a.data[i*p.a.row:]
		j := first
		for ; fused && j+2 <= end; j += 2 {
			c := p.c.data[i*p.c.row+j:][:2]
			s, t := fusedDots(p.k, a, p.a.col, p.b.data[j*p.b.col:], p.b.row, p.b.col)
			if p.beta != 0 {
				c[0], c[1] = math.FMA(p.alpha, s, c[0]), math.FMA(p.alpha, t, c[1])
			} else {
				c[0], c[1] = p.alpha*s, p.alpha*t
			}
		}
		for ; j < end; j++ {
			c := &p.c.data[i*p.c.row+j]
			b := p.b.data[j*p.b.col:]
			switch {
			case fused && p.beta != 0:
				*c = math.FMA(p.alpha, fusedDot(p.k, a, p.a.col, b, p.b.row), *c)
			case fused:
				*c = p.alpha * fusedDot(p.k, a, p.a.col, b, p.b.row)
			case p.beta != 0:
				*c += float64(p.alpha * separateDot(p.k, a, p.a.col, b, p.b.row))
			default:
				*c = p.alpha * separateDot(p.k, a, p.a.col, b, p.b.row)
			}
		}
	}
}

// fusedDots is the product of a row of A with two columns of B, whose chains of
// additions overlap.
func fusedDots(k int, a []float64, colA int, b []float64, rowB, colB int) (s, t float64) {
	for x, y := 0, 0; k > 0; k-- {
		s = math.FMA(a[x], b[y], s)
		t = math.FMA(a[x], b[y+colB], t)
		x, y = x+colA, y+rowB
	}
	return s, t
}

func fusedDot(k int, a []float64, colA int, b []float64, rowB int) (s float64) {
	for x, y := 0, 0; k > 0; k-- {
		s = math.FMA(a[x], b[y], s)
		x, y = x+colA, y+rowB
	}
	return s
}

func separateDot(k int, a []float64, colA int, b []float64, rowB int) (s float64) {
	for x, y := 0, 0; k > 0; k-- {
		s += float64(a[x] * b[y])
		x, y = x+colA, y+rowB
	}
	return s
}
