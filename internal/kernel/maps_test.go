package kernel

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// repeats draws of a map give a standard error for any map, known variance or
// not. maxT is the largest deviation of their mean, in those standard errors,
// that the check lets pass: Student's t with 99 degrees of freedom exceeds it
// with probability 3e-9, so that the 1300 pairs below raise a false alarm in
// 4e-6 of seeds.
const (
	repeats = 100
	maxT    = 6.5
)

// mapDeviation is the largest deviation over pairs of rows of x of the mean
// ⟨Φ(x),Φ(y)⟩ of independent draws from k(x,y), in standard errors.
func mapDeviation(k Kernel, draw func(rng *rand.Rand) FeatureMap, x *mat.Dense, seed uint64) float64 {
	n, _ := x.Dims()
	values := make([][]float64, n*n)
	for r := range uint64(repeats) {
		f := draw(newRand(seed<<32 + r))
		phi := mat.NewDense(n, f.Dim(), nil)
		f.Transform(phi, x)
		for i := range n {
			for j := range i {
				values[i*n+j] = append(values[i*n+j], floats.Dot(phi.RawRowView(i), phi.RawRowView(j)))
			}
		}
	}
	worst := 0.0
	for i := range n {
		for j := range i {
			mean, std := stat.MeanStdDev(values[i*n+j], nil)
			off := math.Abs(mean - k.At(x.RawRowView(i), x.RawRowView(j)))
			worst = max(worst, off*math.Sqrt(repeats)/max(std, 1e-12)) // 1e-12: rounding, where a draw does not matter
		}
	}
	return worst
}

func TestMapsApproachTheKernel(t *testing.T) {
	for _, name := range []string{"fourier", "offset", "orthogonal"} {
		entry := Maps[name]
		for i, k := range spectral {
			if entry.Check(k) != nil {
				continue
			}
			for _, d := range []int{1, 3} {
				const m = 150 // no multiple of D, no power of two
				seed := uint64(101 + i)
				right := func(rng *rand.Rand) FeatureMap { return entry.New(k, m, d, rng) }
				if z := mapDeviation(k, right, shifts(d), seed); z > maxT {
					t.Errorf("%s features of %s, D = %d: %.1f standard errors", name, k, d, z)
				}
				wrong := func(rng *rand.Rand) FeatureMap { return entry.New(scaledFrequency{k, 2}, m, d, rng) }
				if z := mapDeviation(k, wrong, shifts(d), seed); z < 2*maxT {
					t.Errorf("%s features of %s, D = %d: variance wrong by 2, yet only %.1f standard errors", name, k, d, z)
				}
			}
		}
	}
}

// rays are points of R^d at distances from near to far of each other.
func rays(d int) *mat.Dense {
	x := normalPoints(newRand(7), 6, d)
	for i, scale := range []float64{0, 0.1, 0.5, 1, 2, 4} {
		row := x.RawRowView(i)
		floats.Scale(scale/floats.Norm(row, 2), row)
	}
	return x
}

func TestMapsApproachTheGaussianInManyDimensions(t *testing.T) {
	g := NewGaussian(0.4)
	for _, name := range []string{"fourier", "offset", "orthogonal"} {
		for _, d := range []int{100, 784} {
			if d == 784 && name == "orthogonal" {
				continue // seconds of draws; R^100 says the same
			}
			const m = 120
			right := func(rng *rand.Rand) FeatureMap { return Maps[name].New(g, m, d, rng) }
			if z := mapDeviation(g, right, rays(d), 111); z > maxT {
				t.Errorf("%s features, D = %d: %.1f standard errors", name, d, z)
			}
			if z := mapDeviation(NewGaussian(0.2), right, rays(d), 111); z < 2*maxT {
				t.Errorf("%s features, D = %d: variance wrong by 2, yet only %.1f standard errors", name, d, z)
			}
		}
	}
}

// With δ = x−y, the variance of 2cos(⟨ω,x⟩+b)cos(⟨ω,y⟩+b) is 1 + k(2δ)/2 − k(δ)²,
// exactly; the false-alarm rate is that of maxZ.
func TestOffsetFeaturesHaveTheirVariance(t *testing.T) {
	deviation := func(k ShiftInvariant, o *Offset, x *mat.Dense) (worst float64) {
		n, d := x.Dims()
		phi, zero := mat.NewDense(n, o.Dim(), nil), make([]float64, d)
		o.Transform(phi, x)
		for i := range n {
			for j := range i + 1 {
				delta, twice := make([]float64, d), make([]float64, d)
				floats.SubTo(delta, x.RawRowView(i), x.RawRowView(j))
				floats.AddTo(twice, delta, delta)
				want := k.At(delta, zero)
				variance := 1 + k.At(twice, zero)/2 - want*want
				got := floats.Dot(phi.RawRowView(i), phi.RawRowView(j))
				worst = max(worst, math.Abs(got-want)/math.Sqrt(variance/float64(o.Features())))
			}
		}
		return worst
	}
	for i, k := range spectral {
		for _, d := range []int{1, 3} {
			seed := uint64(121 + i)
			if z := deviation(k, newOffset(k, manyFeatures, d, newRand(seed)), shifts(d)); z > maxZ {
				t.Errorf("%s, D = %d: %.1f standard errors", k, d, z)
			}
			if z := deviation(k, newOffset(scaledFrequency{k, 2}, manyFeatures, d, newRand(seed)), shifts(d)); z < 2*maxZ {
				t.Errorf("%s, D = %d: variance wrong by 2, yet only %.1f standard errors", k, d, z)
			}
			unmoved := newOffset(k, manyFeatures, d, newRand(seed))
			clear(unmoved.Phases)
			if z := deviation(k, unmoved, shifts(d)); z < 2*maxZ {
				t.Errorf("%s, D = %d: no phases, yet only %.1f standard errors", k, d, z)
			}
		}
	}
}

// frequenciesOf are the m×D frequencies of a map and its phases, or nil.
func frequenciesOf(f FeatureMap) (*mat.Dense, []float64) {
	switch f := f.(type) {
	case *Fourier:
		return f.Frequencies, nil
	case *Offset:
		return f.Frequencies, f.Phases
	}
	panic("no frequencies")
}

// directly is Φ(x) by definition, a coordinate at a time.
func directly(f FeatureMap, x []float64) []float64 {
	m := f.Features()
	phi := make([]float64, f.Dim())
	omega, phases := frequenciesOf(f)
	for a := range m {
		angle := inner(x, omega.RawRowView(a))
		if phases != nil {
			phi[a] = math.Sqrt(2/float64(m)) * math.Cos(angle+phases[a])
			continue
		}
		phi[a], phi[m+a] = math.Cos(angle)/math.Sqrt(float64(m)), math.Sin(angle)/math.Sqrt(float64(m))
	}
	return phi
}

// Angles are sums of D products of standard normal points and frequencies of
// length about 1: 1e-13 is some 100 roundings.
func TestTransformIsItsDefinition(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(Maps)) {
		if name == "mercer" { // no frequencies
			continue
		}
		for _, d := range []int{1, 5, 784} {
			const n, m = 300, 37
			x := normalPoints(newRand(131), n, d)
			f := Maps[name].New(NewGaussian(0.5/float64(d)), m, d, newRand(132))
			phi := mat.NewDense(n, f.Dim(), nil)
			f.Transform(phi, x)
			for _, i := range []int{0, 1, 255, 256, 299} {
				if worst := floats.Distance(phi.RawRowView(i), directly(f, x.RawRowView(i)), math.Inf(1)); !(worst <= 1e-13) {
					t.Errorf("%s features, D = %d: row %d is off by %.1e", name, d, i, worst)
				}
			}
			if f.Features() != m || f.Dim() != m*Maps[name].Coordinates {
				t.Errorf("%s features: %d in %d coordinates, want %d in %d each", name, f.Features(), f.Dim(), m, Maps[name].Coordinates)
			}
			mustPanic(t, name+" features into another shape", func() { f.Transform(mat.NewDense(n, f.Dim()+1, nil), x) })
			mustPanic(t, name+" features of other points", func() { f.Transform(phi, normalPoints(newRand(1), n, d+1)) })
		}
	}
}

// kernelOf is the kernel of a map, in a dimension that it has: the Gaussian where that
// serves.
func kernelOf(name string, g Gaussian, d int) (Kernel, int) {
	switch name {
	case "mercer":
		return must(NewPowerSeries(2)), 1
	}
	return g, d
}

func TestMapsDoNotDependOnProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, name := range slices.Sorted(maps.Keys(Maps)) {
		k, d := kernelOf(name, NewGaussian(0.1), 20)
		x := normalPoints(newRand(141), 1000, d)
		var first *mat.Dense
		for _, processors := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(processors)
			f := Maps[name].New(k, 53, d, newRand(142))
			phi := mat.NewDense(1000, f.Dim(), nil)
			f.Transform(phi, x)
			if first == nil {
				first = phi
			}
			if !mat.Equal(first, phi) {
				t.Errorf("%s features differ at GOMAXPROCS = %d", name, processors)
			}
		}
	}
}

// The first 7 of 50 features are those of a draw of 7, to rounding for orthogonal
// ones within a block; D = 20 and P = 32 cut the block, D = 4 does not.
func TestDrawsNest(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(Maps)) {
		if name == "mercer" { // no frequencies
			continue
		}
		tolerance := 0.0
		if name == "orthogonal" {
			tolerance = 1e-13
		}
		for _, k := range spectral {
			for _, d := range []int{1, 4, 20} {
				if Maps[name].Check(k) != nil {
					continue
				}
				draw := func(m int, seed uint64) *mat.Dense {
					omega, phases := frequenciesOf(Maps[name].New(k, m, d, newRand(seed)))
					if phases != nil {
						omega = mat.DenseCopyOf(omega.Grow(0, 1))
						omega.SetCol(d, phases)
					}
					return omega
				}
				short, long := draw(7, 151), draw(50, 151)
				_, width := short.Dims()
				if !mat.EqualApprox(short, long.Slice(0, 7, 0, width), tolerance) {
					t.Errorf("%s features of %s, D = %d: the first 7 of 50 are not those of 7", name, k, d)
				}
				if d > 1 && mat.EqualApprox(short, draw(7, 152), 1e-3) {
					t.Errorf("%s features of %s, D = %d: two seeds, the same frequencies", name, k, d)
				}
			}
		}
	}
}

func TestMapsSayWhatTheyNeed(t *testing.T) {
	gaussian, laplace, cauchy := NewGaussian(1), Laplace{Sigma: 1}, Cauchy{Sigma: 1}
	matern, series, linear := Matern{Half: 3, Sigma: 1}, must(NewPowerSeries(2)), Polynomial{Degree: 1, Gamma: 1}
	fits := map[string][]Kernel{
		"fourier": {gaussian, laplace, cauchy, matern}, "offset": {gaussian, laplace, cauchy, matern},
		"orthogonal": {gaussian, matern}, "mercer": {series},
	}
	for name, entry := range Maps {
		for _, k := range []Kernel{gaussian, laplace, cauchy, matern, series, linear} {
			want := slices.Contains(fits[name], k)
			if err := entry.Check(k); (err == nil) != want {
				t.Errorf("%s features of %s: %v, want %v", name, k, err, want)
			}
		}
	}
	if got, says := fmt.Sprint(Maps["orthogonal"].Check(laplace)), "orthogonal features need a kernel of the Euclidean distance, whose spectral measure every rotation leaves as it is: gaussian, matern or rational-quadratic, not laplace exp(-|d|_1/1)"; got != says {
		t.Errorf("error %s, want %s", got, says)
	}
	mustPanic(t, "orthogonal features of a product kernel", func() { newOrthogonal(laplace, 2, 2, newRand(1)) })
}
