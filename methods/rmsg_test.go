package methods_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// plainRMSG is the projector on the ell leading eigenvectors of P after all rows, by the
// definition of the algorithm: P whole, its eigenvalues at each step, and the shift that
// brings their sum to ell by bisection. keep says how much of P a step keeps.
func plainRMSG(z *mat.Dense, ell int, lambda float64, keep func(rate float64) float64) *mat.SymDense {
	n, p := z.Dims()
	matrix := mat.NewSymDense(p, nil)
	for i := range n {
		rate := 1 / (lambda * float64(i+1))
		matrix.ScaleSym(keep(rate), matrix)
		matrix.SymRankOne(matrix, rate, z.RowView(i))
		values, vectors := eigenOf(matrix)
		low, high := -2-values[p-1], 2-values[0]
		cut := func(v float64) float64 { return min(max(v, 0), 1) }
		for range 200 {
			by, sum := (low+high)/2, 0.0
			for _, v := range values {
				sum += cut(v + by)
			}
			if sum < float64(ell) {
				low = by
			} else {
				high = by
			}
		}
		matrix.Zero()
		for j, v := range values {
			matrix.SymRankOne(matrix, cut(v+low), vectors.ColView(j))
		}
	}
	_, vectors := eigenOf(matrix)
	matrix.Zero()
	for j := p - ell; j < p; j++ { // gonum's values rise
		matrix.SymRankOne(matrix, 1, vectors.ColView(j))
	}
	return matrix
}

func eigenOf(a *mat.SymDense) ([]float64, *mat.Dense) {
	var e mat.EigenSym
	e.Factorize(a, true)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	return e.Values(nil), &vectors
}

func rmsgOf(t *testing.T, center string, lambda float64) methods.Method {
	t.Helper()
	return method(t, &methods.RMSGOptions{FeatureOptions: methods.FeatureOptions{Features: "fourier", Center: center}, Lambda: lambda})
}

// projector is QQᵀ.
func projector(q *mat.Dense) *mat.Dense {
	var p mat.Dense
	p.Mul(q, q.T())
	return &p
}

// TestRMSGByDefinition compares spans of fits with those of plainRMSG, at rates that cut
// many eigenvalues and few, and where the features are fewer than the directions that a
// pass would keep. The spans differ by the rounding of 203 steps over the gap between
// eigenvalues of P; if P is not shrunk by 1 − λη_t, they are off by more than 1e-4 unless λ is large.
func TestRMSGByDefinition(t *testing.T) {
	gaussian := kernel.NewGaussian(4)
	x := uniformPoints(3, 203, 2)
	for _, sizes := range []methods.Sizes{{N: 203, M: 12, Ell: 5}, {N: 203, M: 12, Ell: 1}, {N: 203, M: 3, Ell: 2}} {
		for _, center := range []string{"none", "u"} {
			for _, lambda := range []float64{0.05, 0.2, 5} {
				got := fitFeatures(t, rmsgOf(t, center, lambda), methods.Sample{X: x, Kernel: gaussian, Sizes: sizes}, 11)
				z, _ := startOf(11, gaussian, x, sizes)
				if center == "u" {
					z = helmert(z)
				}
				want := mat.DenseCopyOf(plainRMSG(z, sizes.Ell, lambda, func(rate float64) float64 { return 1 - lambda*rate }))
				if off := worstDifference(projector(got.Coef), want); !(off < 1e-7) {
					t.Errorf("m %d ell %d center %s lambda %v: off by %.2g", sizes.M, sizes.Ell, center, lambda, off)
				}
				other := mat.DenseCopyOf(plainRMSG(z, sizes.Ell, lambda, func(float64) float64 { return 1 }))
				if off := worstDifference(projector(got.Coef), other); lambda < 5 && off < 1e-4 {
					t.Errorf("m %d ell %d center %s lambda %v: P without weight decay is only %.2g off", sizes.M, sizes.Ell, center, lambda, off)
				}
			}
		}
	}
}

// TestRMSGConverges: the squared distance of the subspace from ERM's falls as 1/n, by 8
// from 250 to 2000 points, and the values come to ERM's. The mean of 4 samples varies by
// less than a factor of 2. Seeds are fixed.
func TestRMSGConverges(t *testing.T) {
	distance := map[int]float64{}
	for _, n := range []int{250, 2000} {
		for seed := range uint64(4) {
			p := methods.Sample{X: uniformPoints(7+seed, n, 2), Kernel: kernel.NewGaussian(2), Sizes: methods.Sizes{N: n, M: 30, Ell: 3}}
			erm := fitFeatures(t, method(t, &methods.RFFOptions{Features: "fourier", Center: "none"}), p, 5)
			got := fitFeatures(t, rmsgOf(t, "none", 0.03), p, 5)
			var across mat.Dense
			across.Mul(erm.Coef.T(), got.Coef)
			norm := mat.Norm(&across, 2)
			distance[n] += (3 - norm*norm) / 4
			for i, v := range got.Values {
				if off := v/erm.Values[i] - 1; n == 2000 && !(math.Abs(off) < 0.1) {
					t.Errorf("value %d is %.4g, that of ERM %.4g", i+1, v, erm.Values[i])
				}
			}
		}
	}
	if by := distance[250] / distance[2000]; !(by > 4 && by < 16) {
		t.Errorf("the squared distance falls from %.3g to %.3g, by %.3g", distance[250], distance[2000], by)
	}
}
