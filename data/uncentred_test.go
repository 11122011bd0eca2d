package data

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// The image by coordinates agrees with Coefᵀ k⁽⁴⁾(p,p) Coef, k⁽⁴⁾ = Σ λ⁴ e e
// the iterated kernel in closed form. What coordinates leave out is below
// 1e-16·‖f‖² = 1e-15; the rest is rounding of sums of size 10.
func TestSeriesImageByIteratedKernels(t *testing.T) {
	for _, law := range seriesLaws {
		f := randomExpansion(law.kernel, 1, 9, 3)
		image := must(seriesPopulation{law.kernel}.Moments(f, 0)).Image()
		iterated := kernel.Expansion{Kernel: law.kernel.Iterated(4), Points: f.Points, Coef: f.Coef}.Eval(f.Points)
		want := linalg.SymmetricProduct(f.Coef, iterated)
		for i := range f.Len() {
			for j := range f.Len() {
				near(t, fmt.Sprintf("%s: image (%d, %d)", law.kernel, i, j), image.At(i, j), want.At(i, j), 1e-13)
			}
		}
	}
}

// uncentredCases are populations of all kinds, with points to look at and draws.
func uncentredCases() []uncentredCase {
	var all []uncentredCase
	for _, law := range seriesLaws {
		rng := newRand(31)
		all = append(all, uncentredCase{law.kernel.String(), seriesPopulation{law.kernel}, law.kernel, randomExpansion(law.kernel, 32, 9, 2).Points, rng.Float64})
	}
	for _, c := range gaussianCases {
		rng, k := newRand(33), kernel.NewGaussian(1/(2*c.sigma*c.sigma))
		p := must(newGaussianPopulation(c.std, k))
		all = append(all, uncentredCase{p.String(), p, k, lineExpansion(k, c.std, 34).Points, func() float64 { return c.std * rng.NormFloat64() }})
	}
	return all
}

type uncentredCase struct {
	name       string
	population Population
	kernel     kernel.Kernel
	points     *mat.Dense
	draw       func() float64
}

// ⟨u_i, C u_j⟩ = E u_i(X) u_j(X). See maxZ for false alarms:
// there are under 50 checks here.
func TestUncentredByMonteCarlo(t *testing.T) {
	const draws = 10_000
	for _, c := range uncentredCases() {
		u := must(c.population.Uncentred())
		p := min(3, u.Sigma.SymmetricDim())
		x := mat.NewDense(draws, 1, nil)
		x.Apply(func(int, int, float64) float64 { return c.draw() }, x)
		values := u.Coordinates(x)
		for i := range p {
			for j := range i + 1 {
				var e estimate
				for a := range draws {
					e.add(values.At(a, i) * values.At(a, j))
				}
				e.check(t, fmt.Sprintf("%s: ⟨u_%d, C u_%d⟩", c.name, i, j), u.Sigma.At(i, j))
			}
		}
	}
}

// What the u_j leave of k(x,y) is the rest of its expansion: Σ_{j>p} λ_j
// e_j(x) e_j(y), bounded by 2Σ_{j>p} λ_j on a series, summed on a Gaussian.
func TestUncentredCoordinatesReproduceTheKernel(t *testing.T) {
	for _, c := range uncentredCases() {
		u := must(c.population.Uncentred())
		n, _ := c.points.Dims()
		f, p := u.Coordinates(c.points), u.Sigma.SymmetricDim()
		for i := range n {
			for j := range n {
				left := c.kernel.At(c.points.RawRowView(i), c.points.RawRowView(j)) - mat.Dot(f.RowView(i), f.RowView(j))
				want, within := 0.0, 1e-13
				switch population := c.population.(type) {
				case seriesPopulation:
					within += 2 * population.kernel.PowerSum(1, p)
				case *gaussianPopulation:
					e := population.eigenfunctions(c.points)
					for a := p; a < len(population.lambda); a++ {
						want += population.lambda[a] * e.At(i, a) * e.At(j, a)
					}
				}
				near(t, fmt.Sprintf("%s: rest of k(%d, %d)", c.name, i, j), left, want, within)
			}
		}
		if first := u.Sigma.At(0, 0); !(math.Pow(u.Rest/first, 3) <= negligible) {
			t.Errorf("%s: leaves %g of C, of norm %g", c.name, u.Rest, first)
		}
	}
}

// An explicit feature space of the points of the population and of others:
// S = ΨᵀΨ/N and inner products ⟨S a, b⟩ of the features of any points. On the
// points of the population, and on others in its span, F Sigma Fᵀ is the same.
// Coordinates of the least pivots, of size √(N·2^−52), are uncertain by 1e-9.
func TestEmpiricalUncentredAgreesWithAnExplicitFeatureMatrix(t *testing.T) {
	const n, further = 60, 5
	for _, k := range []kernel.Kernel{
		kernel.NewGaussian(0.2), kernel.Laplace{Sigma: 3}, kernel.Polynomial{Degree: 2, Gamma: 0.3, Offset: 1},
	} {
		x := normalMatrix(newRand(35), n+further, 3)
		copy(x.RawRowView(7), x.RawRowView(3)) // duplicates
		copy(x.RawRowView(n), x.RawRowView(3))
		e := explicitFrom(k, x, n)
		u := must(newEmpiricalPopulation(mat.DenseCopyOf(x.Slice(0, n, 0, 3)), k, 0).Uncentred())
		var second mat.Dense // C between features, uncentred
		second.Mul(e.psi.Slice(0, n, 0, n+further).T(), e.psi.Slice(0, n, 0, n+further))
		second.Scale(1.0/n, &second)
		f := u.Coordinates(x)
		for i := range n + further {
			for j := range i + 1 {
				want := mat.Inner(e.psi.RowView(i), &second, e.psi.RowView(j))
				near(t, fmt.Sprintf("%s: ⟨k_%d, C k_%d⟩", k, i, j), mat.Inner(f.RowView(i), u.Sigma, f.RowView(j)), want, 1e-12*(1+math.Abs(want)))
				if j < n { // in the span of the population, whatever i is
					near(t, fmt.Sprintf("%s: ⟨k_%d, k_%d⟩", k, i, j), mat.Dot(f.RowView(i), f.RowView(j)), k.At(x.RawRowView(i), x.RawRowView(j)), 1e-11*(1+math.Abs(want)))
				}
			}
		}
		if !(u.Rest >= 0 && u.Rest <= 1e-12) {
			t.Errorf("%s: leaves %g", k, u.Rest)
		}
	}
}
