package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// samePopulation compares all that populations say, with moments of some functions,
// to a tolerance relative to tr Σ.
func samePopulation(t *testing.T, got, want Population, f kernel.Functions, eigen int, tolerance float64) {
	t.Helper()
	for power := 1; power <= 2; power++ {
		for _, ell := range []int{0, 1, eigen} {
			near(t, fmt.Sprintf("tail of power %d after %d", power, ell), must(got.Tail(power, ell)), must(want.Tail(power, ell)), tolerance)
		}
	}
	values, wanted := must(got.Eigenvalues(eigen)), must(want.Eigenvalues(eigen))
	uncentred, wantUncentred := must(got.UncentredEigenvalues(eigen)), must(want.UncentredEigenvalues(eigen))
	for i := range wanted {
		near(t, fmt.Sprintf("eigenvalue %d", i+1), values[i], wanted[i], tolerance)
		near(t, fmt.Sprintf("uncentred eigenvalue %d", i+1), uncentred[i], wantUncentred[i], tolerance)
	}
	near(t, "kappa", got.Kappa(), want.Kappa(), tolerance)
	for _, level := range []float64{1e-3, 0.1} {
		near(t, "effective dimension", must(got.EffectiveDimension(level)), must(want.EffectiveDimension(level)), tolerance/level)
	}
	for power := 1; power <= 3; power++ {
		near(t, fmt.Sprintf("sum of uncentred eigenvalues to the power %d", power), must(got.UncentredSum(power)), must(want.UncentredSum(power)), tolerance)
	}
	sameMoments(t, "moments", must(got.Moments(f, eigen)), must(want.Moments(f, eigen)), tolerance)
	a, b := must(got.Uncentred()), must(want.Uncentred())
	near(t, "trace of C", mat.Trace(a.Sigma), mat.Trace(b.Sigma), tolerance+math.Abs(a.Rest-b.Rest)*100)
}

func someFunctions(k kernel.Kernel, points *mat.Dense) kernel.Expansion {
	n, _ := points.Dims()
	coef := normalMatrix(newRand(5), n, 3)
	coef.Scale(1/float64(n), coef)
	return kernel.Expansion{Kernel: k, Points: points, Coef: coef}
}

// TestAtomsPopulation holds the closed form to finite sums over the atoms.
func TestAtomsPopulation(t *testing.T) {
	for _, parameters := range []string{
		"{atoms: 40, decay: {power: 1.5}}",
		"{atoms: 40, eigenvalues: [3, 1, 0.5, 0.1]}",
		"{atoms: 41, decay: {exponential: 0.6}}",
	} {
		t.Run(parameters, func(t *testing.T) {
			set := must(open("atoms", parameters, Context{})).(*atomsDataset)
			draw := must(set.Draw(repeat(1)))
			atoms, _ := draw.HeldOut()
			population := must(draw.Population(set.Kernel(), 4))
			samePopulation(t, population, newEmpiricalPopulation(atoms, set.series, 4), someFunctions(set.series, atoms), 4, 1e-12*population.Kappa())
			if constant := set.Constants()["trace"]; math.Abs(constant-must(population.Tail(1, 0))) > 1e-14 {
				t.Errorf("the constant trace is %v", constant)
			}
		})
	}
}

// TestMasses holds a population under masses to the uniform one on points that are
// repeated as often as the masses say.
func TestMasses(t *testing.T) {
	times := []float64{3, 1, 4, 1, 5, 9, 2}
	x := normalMatrix(newRand(3), len(times), 2)
	repeated, _, err := expanded(x, nil, times)
	if err != nil {
		t.Fatal(err)
	}
	k := kernel.NewGaussian(0.3)
	masses := slices.Clone(times)
	floats.Scale(1/floats.Sum(times), masses)
	f := someFunctions(k, x)
	samePopulation(t, newEmpiricalPopulation(x, k, 3).under(masses), newEmpiricalPopulation(repeated, k, 3), f, 3, 1e-12)
	other := slices.Clone(masses)
	other[0], other[1] = other[1], other[0]
	a, b := newEmpiricalPopulation(x, k, 3).under(masses), newEmpiricalPopulation(x, k, 3).under(other)
	if math.Abs(must(a.Tail(1, 0))-must(b.Tail(1, 0))) < 1e-3 {
		t.Error("other masses give the same trace")
	}
}

func TestMassesOfAtoms(t *testing.T) {
	set := must(open("atoms", "{atoms: 3, decay: {power: 2}, masses: {power: 1}}", Context{})).(*atomsDataset)
	if want := []float64{6. / 11, 3. / 11, 2. / 11}; !floats.EqualApprox(set.masses, want, 1e-15) {
		t.Errorf("masses: %v", set.masses)
	}
	if draw := must(set.Draw(repeat(1))); !slices.Equal(draw.Counted().Masses, set.masses) {
		t.Error("the draw has other masses")
	}
	if _, known := set.Constants()["trace"]; known {
		t.Error("the trace of a series under masses is not the sum of its eigenvalues")
	}
	if set.Fingerprint() == must(open("atoms", "{atoms: 3, decay: {power: 2}, masses: {power: 2}}", Context{})).Fingerprint() {
		t.Error("other masses have the same fingerprint")
	}
	for parameters, says := range map[string]string{
		"{atoms: 3, decay: {power: 2}, masses: {power: -1}}":                "must be at least 0",
		"{atoms: 3, decay: {power: 2}, masses: even}":                       "must be uniform",
		"{atoms: 3, decay: {power: 2}, masses: {path: masses.csv}}":         "is no longer there: masses are uniform or {power: s}",
		"{atoms: 3, decay: {power: -2}}":                                    "must be positive",
		"{atoms: 3, decay: {exponential: 1}}":                               "strictly between 0 and 1",
		"{atoms: 3, decay: {}}":                                             "exactly one of power and exponential",
		"{atoms: 3, decay: {power: 2}, masses: {power: 1}, sample: points}": "equally likely atoms",
		"{atoms: 3}":                                                    "exactly one of decay and eigenvalues",
		"{atoms: 3, eigenvalues: [3, 2, 1]}":                            "at most 2 functions",
		"{atoms: 40000, decay: {power: 2}}":                             "30000",
		"{atoms: 3, decay: {power: 2}, classes: 4}":                     "classes 4: must lie between 0 and the number of atoms, 3",
		"{atoms: 3, decay: {power: 2}, classes: 2, masses: {power: 1}}": "leave out one of classes and masses",
		"{atoms: 3, decay: {power: 2}, classes: 2, sample: points}":     "leave out one of classes and sample",
	} {
		if _, err := open("atoms", parameters, Context{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", parameters, err, says)
		}
	}
}

// TestAtomsAsPoints: the population and held-out points are those of counts, and atoms are
// equally likely: of 90,000 draws of 9 atoms Pearson's statistic is below 32, which chance
// exceeds once in 10^4.
func TestAtomsAsPoints(t *testing.T) {
	const n, atoms = 90_000, 9
	set := must(open("atoms", "{atoms: 9, decay: {power: 2}, sample: points}", Context{}))
	counts := must(open("atoms", "{atoms: 9, decay: {power: 2}}", Context{}))
	if s := set.Support(); s.Atoms != 0 || s.Points != atoms || !s.Independent || set.Fingerprint() == counts.Fingerprint() {
		t.Errorf("support %+v, fingerprint %s", s, set.Fingerprint())
	}
	draw := must(set.Draw(repeat(1)))
	other := must(counts.Draw(repeat(1)))
	points, _ := draw.HeldOut()
	if wanted, _ := other.HeldOut(); draw.Counted() != nil || !mat.Equal(points, wanted) {
		t.Error("other held-out points than those of counts")
	}
	samePopulation(t, must(draw.Population(nil, 3)), must(other.Population(nil, 3)), someFunctions(set.Kernel(), points), 3, 1e-15)
	x, _, err := draw.Sample(n)
	if err != nil {
		t.Fatal(err)
	}
	times := map[float64]float64{}
	for _, v := range x.RawMatrix().Data {
		times[v]++
	}
	statistic := 0.0
	for j := range atoms {
		statistic += math.Pow(times[points.At(j, 0)]-n/atoms, 2) / (n / atoms)
	}
	if !(statistic < 32) {
		t.Errorf("Pearson's statistic %.1f, atoms %v", statistic, times)
	}
}

// TestClassesOfAtoms: parts of [0,1], in the sample and in what is held out.
func TestClassesOfAtoms(t *testing.T) {
	for parameters, want := range map[string][]int{
		"{atoms: 4, decay: {power: 2}, classes: 2}": {0, 0, 1, 1},
		"{atoms: 5, decay: {power: 2}, classes: 3}": {0, 0, 1, 1, 2},
		"{atoms: 3, decay: {power: 2}, classes: 3}": {0, 1, 2},
		"{atoms: 3, decay: {power: 2}}":             nil,
	} {
		set := must(open("atoms", parameters, Context{}))
		draw := must(set.Draw(repeat(1)))
		_, held := draw.HeldOut()
		if !slices.Equal(draw.Counted().Labels, want) || !slices.Equal(held, want) {
			t.Errorf("%s: classes %v of the sample and %v held out, want %v", parameters, draw.Counted().Labels, held, want)
		}
		if classes, known := set.Constants()["classes"]; known != (want != nil) || known && int(classes) != want[len(want)-1]+1 {
			t.Errorf("%s: the constant classes is %v, known %v", parameters, classes, known)
		}
		if want != nil && !strings.HasSuffix(set.Fingerprint(), " classes") {
			t.Errorf("%s: the fingerprint %q says nothing of classes", parameters, set.Fingerprint())
		}
	}
}

// TestWithReplacement: counts of the rows of a file, their classes, and what is held
// out.
func TestWithReplacement(t *testing.T) {
	c := table(t, 10)
	set := must(open("csv", "{path: points.csv, label: -1, sample: with_replacement, population: self}", c))
	draw := must(set.Draw(repeat(1)))
	points, labels := draw.HeldOut()
	counted := draw.Counted()
	atoms, classes := counted.Atoms, counted.Labels
	if points != atoms || !slices.Equal(labels, classes) || counted.Masses != nil {
		t.Error("the population is not that of the atoms")
	}
	x, sampled := must2(draw.Sample(25))
	counts := must(counted.First(25))
	if n, _ := x.Dims(); n != 25 || len(sampled) != 25 || floats.Sum(counts) != 25 {
		t.Errorf("%d points, %d classes, counts of %v", n, len(sampled), floats.Sum(counts))
	}
	row := 0
	for j, count := range counts {
		for range int(count) {
			if !mat.Equal(x.RowView(row), atoms.RowView(j)) || sampled[row] != classes[j] {
				t.Fatalf("point %d is not atom %d", row, j)
			}
			row++
		}
	}
	held := must(open("csv", "{path: points.csv, label: -1, sample: with_replacement, population: {held_out: 4}}", c))
	apart := must(held.Draw(repeat(1)))
	inside := apart.Counted().Atoms
	outside, _ := apart.HeldOut()
	for i := range inside.RawMatrix().Rows {
		for j := range outside.RawMatrix().Rows {
			if mat.Equal(inside.RowView(i), outside.RowView(j)) {
				t.Errorf("point %d is drawn and held out", i)
			}
		}
	}
	plain := must(open("csv", "{path: points.csv, label: -1}", c))
	if set.Support().Atoms != 10 || held.Support().Atoms != 6 || plain.Support().Atoms != 0 || must(plain.Draw(repeat(1))).Counted() != nil {
		t.Error("numbers of atoms")
	}
}

func must2[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		panic(err)
	}
	return a, b
}
