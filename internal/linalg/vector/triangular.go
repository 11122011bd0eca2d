package vector

import "gonum.org/v1/gonum/blas"

// triangularLeaf is the order of the diagonal blocks that go to gonum; all off
// them is Dgemm. triangularStrip is how many columns of B pass through one at a
// time, so that they stay in cache.
const (
	triangularLeaf  = 16
	triangularStrip = 128
)

// Dtrsm solves op(A)·X = alpha·B for a triangular matrix A and stores X in B.
// Halving A recursively turns all but the diagonal blocks of 16 into Dgemm.
// X·op(A) = alpha·B (blas.Right) is gonum's.
func (impl Implementation) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if s != blas.Left || m <= triangularLeaf || n <= 0 || alpha == 0 || !valid(ul, t) || d != blas.Unit && d != blas.NonUnit ||
		!fits(a, m, m, lda) || !fits(b, m, n, ldb) {
		impl.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	x, op := matrix{b, ldb, 1}, operand(t, a, lda)
	if alpha != 1 {
		scale := product{m: m, n: n, beta: alpha, c: x}
		scale.run()
	}

	// Substitution starts at the top of a lower op(A), at the end of an upper one.
	downwards := (ul == blas.Lower) == (t == blas.NoTrans)
	var solve func(i, end int)
	solve = func(i, end int) {
		if end-i <= triangularLeaf {
			for j := 0; j < n; j += triangularStrip {
				impl.Implementation.Dtrsm(s, ul, t, d, end-i, min(triangularStrip, n-j), 1, a[i*lda+i:], lda, x.at(i, j), ldb)
			}
			return
		}
		leaves := (end - i + triangularLeaf - 1) / triangularLeaf
		half := i + leaves/2*triangularLeaf
		known, rest := [2]int{i, half}, [2]int{half, end}
		if !downwards {
			known, rest = rest, known
		}
		solve(known[0], known[1])
		update := product{
			m: rest[1] - rest[0], n: n, k: known[1] - known[0], alpha: -1, beta: 1,
			a: matrix{op.at(rest[0], known[0]), op.row, op.col}, b: matrix{x.at(known[0], 0), ldb, 1}, c: matrix{x.at(rest[0], 0), ldb, 1},
		}
		update.run()
		solve(rest[0], rest[1])
	}
	solve(0, m)
}

// Dsymm is C = alpha·A·B + beta·C (blas.Left) or C = alpha·B·A + beta·C
// (blas.Right) for a symmetric matrix A, of which one triangle is read. It
// mirrors A into a full matrix, of as many elements, for Dgemm.
func (impl Implementation) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	k := n
	if s == blas.Left {
		k = m
	}
	if s != blas.Left && s != blas.Right || k <= triangularLeaf || m <= 0 || n <= 0 || alpha == 0 || !valid(ul, blas.NoTrans) ||
		!fits(a, k, k, lda) || !fits(b, m, n, ldb) || !fits(c, m, n, ldc) {
		impl.Implementation.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	mirror := scratches.Get().(*scratch)
	defer scratches.Put(mirror)
	full := mirror.b.grow(k * k)
	for i := range k {
		first, end := i, k
		if ul == blas.Lower {
			first, end = 0, i+1
		}
		row := a[i*lda+first : i*lda+end]
		copy(full[i*k+first:], row)
		for j, v := range row {
			full[(first+j)*k+i] = v
		}
	}
	if s == blas.Left {
		impl.Dgemm(blas.NoTrans, blas.NoTrans, m, n, m, alpha, full, k, b, ldb, beta, c, ldc)
	} else {
		impl.Dgemm(blas.NoTrans, blas.NoTrans, m, n, n, alpha, b, ldb, full, k, beta, c, ldc)
	}
}
