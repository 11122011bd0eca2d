package openblas

import "gonum.org/v1/gonum/lapack"

// singularLimit is the largest min(m, n) for which the squares that dgesdd and
// dgesvd compute with fit in 32 bits.
const singularLimit = 16_000

// Dgesvd computes the singular values s of A (m×n), descending, and as jobU
// and jobVT ask, the singular vectors: U in u (m×m for lapack.SVDAll,
// m×min(m,n) for lapack.SVDStore) and Vᵀ in vt (n×n, min(m,n)×n). It destroys
// A, and returns false if the iteration failed. Cost: 4mn² to 22n³ flops by
// job and shape. It is LAPACK's dgesdd, divide and conquer, if both jobs are
// the same and dgesvd otherwise.
func (p LAPACK) Dgesvd(jobU, jobVT lapack.SVDJob, m, n int, a []float64, lda int, s, u []float64, ldu int, vt []float64, ldvt int, work []float64, lwork int) (ok bool) {
	l := p.library
	r := dgesvd
	if jobU == jobVT && l.has(dgesdd) {
		r = dgesdd
	}
	k := min(m, n)
	ur, uc := singularShape(jobU, m, k)
	vc, vr := singularShape(jobVT, n, k)
	if !l.has(r) || k < leastOrder || k > singularLimit || !fits(m, n) || !matrix(a, m, n, lda) || len(s) < k ||
		ur < 0 || vr < 0 || !room(u, ur, uc, ldu) || !room(vt, vr, vc, ldvt) ||
		lwork < max(3*k+max(m, n), 5*k) || len(work) < lwork || !finite(m, n, a, lda) {
		return p.Implementation.Dgesvd(jobU, jobVT, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork)
	}
	info := l.withWork(r, func(work []float64, lwork int) *frame {
		return l.singular(r, jobU, jobVT, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork)
	})
	work[0] = float64(lwork)
	return info == 0
}

// singular is the call for Aᵀ = V·S·Uᵀ, so that U and Vᵀ change places.
func (l *Library) singular(r routine, jobU, jobVT lapack.SVDJob, m, n int, a []float64, lda int, s, u []float64, ldu int, vt []float64, ldvt int, work []float64, lwork int) *frame {
	fr := l.frame().letter(byte(jobVT))
	if r == dgesvd {
		fr.letter(byte(jobU))
	}
	fr.integer(n).integer(m).slice(a).integer(lda).slice(s).
		slice(vt).integer(ldvt).slice(u).integer(ldu).slice(work).integer(lwork)
	if r == dgesdd {
		fr.indices(make([]int64, 8*min(m, n)))
	}
	return fr
}

// singularShape is the shape of the n×n or n×k matrix of singular vectors, 0×0
// if none is asked for and negative for jobs that gonum refuses.
func singularShape(job lapack.SVDJob, n, k int) (rows, columns int) {
	switch job {
	case lapack.SVDAll:
		return n, n
	case lapack.SVDStore:
		return n, k
	case lapack.SVDNone:
		return 0, 0
	}
	return -1, -1
}

// room says whether x takes an r×c matrix, which may be none.
func room(x []float64, r, c, stride int) bool {
	if r == 0 {
		return stride >= 1 && fits(stride)
	}
	return matrix(x, r, c, stride)
}
