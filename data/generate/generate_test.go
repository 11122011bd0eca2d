package generate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

// zMax bounds each comparison of a sample mean with its closed form, in standard
// errors. By the normal approximation one comparison fails by chance with
// probability 6.7e-9 (two-sided); all the files' comparisons together, fewer than
// 200, with less than 2e-6. The seeds are fixed, so a run is either always right
// or always wrong; the rate is that of having picked an unlucky seed.
const zMax = 5.8

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

// near compares the mean of the values with its expectation.
func near(t *testing.T, what string, values []float64, want float64) {
	t.Helper()
	n := float64(len(values))
	sum, square := 0.0, 0.0
	for _, v := range values {
		sum += v - want
		square += (v - want) * (v - want)
	}
	if square == 0 {
		return
	}
	if z := sum / math.Sqrt(square); !(math.Abs(z) <= zMax) {
		t.Errorf("%s: mean %v, want %v: %.1f standard errors off", what, want+sum/n, want, z)
	}
}

// moments compares mean and second moments about 0 with closed forms.
func moments(t *testing.T, what string, rows [][]float64, mean []float64, second *mat.SymDense) {
	t.Helper()
	for i, m := range mean {
		near(t, fmt.Sprintf("%s: E x%d", what, i), each(rows, func(x []float64) float64 { return x[i] }), m)
		for j := range i + 1 {
			near(t, fmt.Sprintf("%s: E x%d·x%d", what, i, j), each(rows, func(x []float64) float64 { return x[i] * x[j] }), second.At(i, j))
		}
	}
}

func each(rows [][]float64, f func(x []float64) float64) []float64 {
	out := make([]float64, len(rows))
	for i, x := range rows {
		out[i] = f(x)
	}
	return out
}

// byLabel returns the points of each class; class -1 is all.
func byLabel(x *mat.Dense, labels []int) map[int][][]float64 {
	out := map[int][][]float64{}
	for i, c := range labels {
		row := mat.Row(nil, i, x)
		out[c] = append(out[c], row)
		out[-1] = append(out[-1], row)
	}
	return out
}

// shares compares each class's frequency with its probability.
func shares(t *testing.T, labels []int, want []float64) {
	t.Helper()
	for c, w := range want {
		hits := make([]float64, len(labels))
		for i, l := range labels {
			if l == c {
				hits[i] = 1
			}
		}
		near(t, fmt.Sprintf("share of class %d", c), hits, w)
	}
}

func isotropic(v float64) *mat.SymDense { return mat.NewSymDense(2, []float64{v, 0, 0, v}) }

const draws = 200000

// momentsOf are a mixture's mean and covariance in closed form.
func momentsOf(g Mixture) (mean []float64, cov *mat.SymDense) {
	c, w := g.Means(), g.Shares()
	mean = make([]float64, g.D)
	for j, wj := range w {
		for i, v := range c.RawRowView(j) {
			mean[i] += wj * v
		}
	}
	cov = mat.NewSymDense(g.D, nil)
	for i := range g.D {
		cov.SetSym(i, i, g.Sigma*g.Sigma)
	}
	for j, wj := range w {
		dev := mat.NewVecDense(g.D, nil)
		dev.SubVec(c.RowView(j), mat.NewVecDense(g.D, mean))
		cov.SymRankOne(cov, wj, dev)
	}
	return mean, cov
}

func TestMixtureMoments(t *testing.T) {
	g := Mixture{K: 3, D: 3, Spread: 2, Sigma: 0.7, Weights: []float64{1, 2, 5}, CenterSeed: 4}
	x, labels := Draw(g, draws, stream(1))
	parts := byLabel(x, labels)
	mean, cov := momentsOf(g)
	second := mat.NewSymDense(3, nil)
	second.SymRankOne(cov, 1, mat.NewVecDense(3, mean))
	moments(t, "mixture", parts[-1], mean, second)
	for j := range 3 {
		c := g.Means().RawRowView(j)
		own := mat.NewSymDense(3, []float64{0.49, 0, 0, 0, 0.49, 0, 0, 0, 0.49})
		own.SymRankOne(own, 1, mat.NewVecDense(3, c))
		moments(t, fmt.Sprintf("component %d", j), parts[j], c, own)
	}
	shares(t, labels, []float64{1. / 8, 2. / 8, 5. / 8})
}

func TestMixtureCenters(t *testing.T) {
	g := Mixture{K: 40000, D: 2, Spread: 3, Sigma: 1, CenterSeed: 1}
	var rows [][]float64
	c := g.Means()
	for j := range g.K {
		rows = append(rows, c.RawRowView(j))
	}
	moments(t, "centres", rows, []float64{0, 0}, isotropic(9))
	other := g
	other.CenterSeed = 2
	if mat.Equal(c, other.Means()) || !mat.Equal(c, g.Means()) {
		t.Error("the centres do not follow the seed")
	}
	given := Mixture{K: 2, D: 2, Spread: 3, Centers: [][]float64{{1, 2}, {3, 4}}}
	x, labels := Draw(given, 50, stream(1))
	for i, l := range labels {
		if diff := cmp.Diff(given.Centers[l], mat.Row(nil, i, x)); diff != "" {
			t.Fatalf("sigma 0, point %d:\n%s", i, diff)
		}
	}
	shares(t, labels, []float64{0.5, 0.5})
}

func TestRingsMoments(t *testing.T) {
	g := Rings{Core: 1, Inner: 2, Outer: 5, Share: 0.3, Noise: 0.5}
	x, labels := Draw(g, draws, stream(2))
	parts := byLabel(x, labels)
	moments(t, "core", parts[0], []float64{0, 0}, isotropic(1./4+0.25))
	moments(t, "ring", parts[1], []float64{0, 0}, isotropic((4.+25.)/4+0.25))
	shares(t, labels, []float64{0.3, 0.7})
	g.Noise = 0
	between(t, g, 0, 0, 1)
	between(t, g, 1, 2, 5)
}

func TestMoonsMoments(t *testing.T) {
	g := Moons{Full: 5, Inner: 10, Outer: 15, Share: 0.25, Noise: 0.5}
	x, labels := Draw(g, draws, stream(3))
	parts := byLabel(x, labels)
	rho := 2. / 3 * (15*15*15 - 10*10*10) / (15*15 - 10*10)
	moments(t, "moon", parts[0], []float64{0, 0}, isotropic(25./4+0.25))
	moments(t, "crescent", parts[1], []float64{0, -2 * rho / math.Pi}, isotropic((100.+225.)/4+0.25))
	shares(t, labels, []float64{0.25, 0.75})
	g.Noise = 0
	between(t, g, 0, 0, 5)
	between(t, g, 1, 10, 15)
	y, labels := Draw(g, 5000, stream(4))
	for i, l := range labels {
		if l == 1 && y.At(i, 1) > 1e-12 {
			t.Fatalf("a point of the crescent at height %v", y.At(i, 1))
		}
	}
}

// between checks that without noise a class keeps to its radii and that its
// squared radius is uniform between their squares (a point uniform in area).
func between(t *testing.T, g Generator, class int, inner, outer float64) {
	t.Helper()
	x, labels := Draw(g, draws/4, stream(5))
	var u []float64
	for _, row := range byLabel(x, labels)[class] {
		r := math.Hypot(row[0], row[1])
		if r < inner*(1-1e-12) || r > outer*(1+1e-12) {
			t.Fatalf("class %d at radius %v, want %v … %v", class, r, inner, outer)
		}
		u = append(u, (r*r-inner*inner)/(outer*outer-inner*inner))
	}
	near(t, "relative area", u, 0.5)
	for i := range u {
		u[i] *= u[i]
	}
	near(t, "relative area squared", u, 1./3)
}

func TestSmileMoments(t *testing.T) {
	x, labels := Draw(Smile{Mouth: 0.3, Eyes: 0.2}, draws, stream(9))
	parts := byLabel(x, labels)
	moments(t, "outline", parts[0], []float64{0, 0}, isotropic(50))
	// y = x²/16 − 5 with E x² = 25/3, E x⁴ = 125
	moments(t, "mouth", parts[1], []float64{0, 25./48 - 5}, mat.NewSymDense(2, []float64{25. / 3, 0, 0, 125./256 - 250./48 + 25}))
	moments(t, "eyes", parts[2], []float64{0, 4}, isotropic(16.25))
	shares(t, labels, []float64{0.5, 0.3, 0.2})
	for i, l := range labels {
		a, b := x.At(i, 0), x.At(i, 1)
		if l == 0 && math.Abs(math.Hypot(a, b)-10) > 1e-12 || l == 1 && math.Abs(a) > 5 || l == 2 && math.Hypot(math.Abs(a)-4, b-4) > 1+1e-12 {
			t.Fatalf("label %d at (%v, %v)", l, a, b)
		}
	}
}

func TestSphereMoments(t *testing.T) {
	for _, g := range []Sphere{{2, 1}, {3, 2}, {10, 1}} {
		x, labels := Draw(g, draws/4, stream(6))
		rows := byLabel(x, labels)[-1]
		d, r := float64(g.D), g.Radius
		for i, row := range rows {
			if got := mat.Norm(mat.NewVecDense(g.D, row), 2); math.Abs(got-r) > 1e-14*r*d {
				t.Fatalf("point %d has norm %v, want %v", i, got, r)
			}
		}
		near(t, "E x", each(rows, func(x []float64) float64 { return x[0] }), 0)
		near(t, "E x·y", each(rows, func(x []float64) float64 { return x[0] * x[1] }), 0)
		near(t, "E x²", each(rows, func(x []float64) float64 { return x[g.D-1] * x[g.D-1] }), r*r/d)
		near(t, "E x⁴", each(rows, func(x []float64) float64 { return math.Pow(x[0], 4) }), 3*math.Pow(r, 4)/(d*(d+2)))
	}
	x, _ := Draw(Sphere{1, 2}, 1000, stream(7))
	near(t, "E x in one dimension", x.RawMatrix().Data, 0)
	if x.At(0, 0)*x.At(0, 0) != 4 {
		t.Errorf("one dimension: %v, want ±2", x.At(0, 0))
	}
}

var all = map[string]Generator{
	"mixture":         Mixture{K: 3, D: 4, Spread: 1, Sigma: 1, Weights: []float64{1, 1, 3}},
	"default mixture": DefaultMixture, "rings": DefaultRings, "moons": DefaultMoons,
	"smile": DefaultSmile, "noisy moons": Moons{Full: 1, Inner: 2, Outer: 3, Share: 0.5, Noise: 1}, "sphere": DefaultSphere, "sphere 50": Sphere{50, 1},
}

// The first k points of a draw are the same for every n, and another stream
// gives others.
func TestNested(t *testing.T) {
	for name, g := range all {
		t.Run(name, func(t *testing.T) {
			long, longLabels := Draw(g, 777, stream(8))
			for _, k := range []int{1, 2, 100, 776} {
				short, labels := Draw(g, k, stream(8))
				if !mat.Equal(short, long.Slice(0, k, 0, g.Dim())) {
					t.Errorf("the first %d points depend on n", k)
				}
				if diff := cmp.Diff(longLabels[:k], labels); diff != "" {
					t.Error(diff)
				}
			}
			if other, _ := Draw(g, 777, stream(9)); mat.Equal(long, other) {
				t.Error("the points do not depend on the stream")
			}
			for _, l := range longLabels {
				if l < 0 || l >= g.Classes() {
					t.Fatalf("label %d of %d classes", l, g.Classes())
				}
			}
		})
	}
}

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		g    interface{ Validate() error }
		want []string // one a line
	}{
		{"mixture", Mixture{}, []string{"k: 0; want at least 1", "d: 0; want at least 1"}},
		{"mixture sizes", Mixture{K: 1 << 20, D: 1 << 20}, []string{"k·d: more than 268435456"}},
		{"mixture scales", Mixture{K: 1, D: 1, Spread: -1, Sigma: nan},
			[]string{"spread: -1; want a finite number, not negative", "sigma: NaN; want a finite number, not negative"}},
		{"mixture weights", Mixture{K: 3, D: 1, Weights: []float64{0, -1}},
			[]string{"weights: 2 for k = 3 components", "weights: entry 0 is 0; want a positive number", "weights: entry 1 is -1; want a positive number"}},
		{"mixture weights' sum", Mixture{K: 2, D: 1, Weights: []float64{1e308, 1e308}}, []string{"weights: their sum is beyond float64"}},
		{"mixture centres", Mixture{K: 2, D: 2, Centers: [][]float64{{1}}},
			[]string{"centers: 1 for k = 2 components", "centers: entry 0 has 1 coordinates, d is 2"}},
		{"mixture centre", Mixture{K: 1, D: 1, Centers: [][]float64{{inf}}}, []string{"centers: entry 0 has the coordinate +Inf"}},
		{"sphere", Sphere{}, []string{"d: 0; want 1 … 268435456", "radius: 0; want a positive number"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.g.Validate()
			if err == nil {
				t.Fatal("valid")
			}
			if diff := cmp.Diff(c.want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, g := range []interface{ Validate() error }{all["mixture"].(Mixture), DefaultMixture, DefaultSphere} {
		if err := g.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name string
		g    Generator
	}{{"mixture", DefaultMixture}, {"rings", DefaultRings}, {"moons", DefaultMoons}, {"sphere", DefaultSphere}} {
		b.Run(fmt.Sprintf("generator=%s/n=4096", c.name), func(b *testing.B) {
			for b.Loop() {
				Draw(c.g, 4096, stream(1))
			}
		})
	}
}
