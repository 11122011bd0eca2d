package runner

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/methods/landmark"
	"mercer/results"
	"mercer/runner/plan"
)

const countsSpec = `
name: counts
seed: 11
repeats: 2
datasets:
  - {id: even, use: atoms, atoms: 60, decay: {power: 2}}
  - {id: uneven, use: atoms, atoms: 60, decay: {power: 1.5}, masses: {power: 1}}
grid:
  n: [100, 3000, 1000000, 9007199254740992]
  ell: [3, 5]
  m: 12
methods:
  - {id: kpca, use: kpca}
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom, landmarks: uniform}
  - {id: rff, use: rff, features: mercer, m: 200}
measure: [recon_h, recon_l2, eigenspace_l2, skp_objective, flops]
`

// TestFewAtomsOccur: where 16 points lie on fewer than 8 atoms, a kernel of rank 2 has no
// coordinates that are a quarter of its matrix. The plan, which counts on them, has no
// matrix to share, and each fit computes its own.
func TestFewAtomsOccur(t *testing.T) {
	run, _ := runIn(t, t.TempDir(), planOf(t, `
name: few-atoms
seed: 3
repeats: 3
datasets: [{id: eight, use: atoms, atoms: 8, eigenvalues: [1, 0.1]}]
grid: {n: 16, d: 3, ell: 1}
methods:
  - {id: kjl, use: kjl, subsample: all}
  - {id: ekpca, use: ekpca, center: u}
measure: [flops]
`, ""), Options{Workers: 1})
	for _, r := range run.Rows {
		if r.Status != results.OK {
			t.Errorf("%s: %s: %s", r.Method(), r.Status, r.Reason)
		}
	}
}

// TestCountsRun: samples of counts up to 2^53 points give the same records with one
// worker and with several, and where a filter leaves one n alone.
func TestCountsRun(t *testing.T) {
	dir := t.TempDir()
	one, _ := runIn(t, filepath.Join(dir, "one"), planOf(t, countsSpec, ""), Options{Workers: 1})
	if len(one.Rows) != 2*2*(2+3*4*2) { // kpca has no n
		t.Fatalf("%d records", len(one.Rows))
	}
	for _, r := range one.Rows {
		if r.Status != results.OK {
			t.Errorf("%s: %s: %s", r.At, r.Status, r.Reason)
		}
	}
	several, _ := runIn(t, filepath.Join(dir, "several"), planOf(t, countsSpec, ""), Options{Workers: 4})
	if export(t, one) != export(t, several) {
		t.Error("several workers give other records")
	}
	alone, _ := runIn(t, filepath.Join(dir, "alone"), planOf(t, countsSpec, "n == 1000000"), Options{Workers: 1})
	for _, r := range alone.Rows {
		i := slices.IndexFunc(one.Rows, func(other results.Row) bool { return other.ID == r.ID })
		if i < 0 || metricsOf(t, one.Rows[i]) != metricsOf(t, r) {
			t.Errorf("%s, repeat %d: another row without other n", r.At, r.Repeat)
		}
	}
	if len(alone.Rows) != 2*2*(2+3*2) { // kpca has no n, and stands beside this one
		t.Errorf("%d records of one n", len(alone.Rows))
	}
}

// TestCountsByCoordinates computes errors of cells at n = 10^6 again, in explicit
// coordinates F (K×r): the population is Fᵀ(diag p − ppᵀ)F, the sample the same with
// c/n for p. It uses of the program the counts and which landmarks were drawn.
func TestCountsByCoordinates(t *testing.T) {
	p := planOf(t, countsSpec, "n == 1000000 && repeat == 0")
	run, _ := runIn(t, t.TempDir(), p, Options{Workers: 1})
	for _, g := range p.Groups {
		id := g.Dataset.ID
		draw, err := g.Dataset.Draw(plan.RepeatStreams(p.Spec.Seed, id, 0))
		if err != nil {
			t.Fatal(err)
		}
		w := coordinatesOf(t, draw, map[string]float64{"even": 2, "uneven": 1.5}[id])
		set, err := landmark.Pick(t.Context(), g.Kernel, draw.Counted().Atoms, w.counts, nil, 12,
			plan.MethodStream(p.Spec.Seed, id, 0, "nystrom"), landmark.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for _, r := range run.Rows {
			if r.Dataset() != id || r.Method() != "ekpca" && r.Method() != "nystrom" {
				continue
			}
			span := identity(w.r)
			if r.Method() == "nystrom" {
				span = w.spanOf(set.Indices)
			}
			want := w.errors(span, at(r, "ell"))
			for metric, v := range want {
				got, ok := r.Metrics[metric]
				if !ok || !(math.Abs(got-v) <= 1e-9*math.Abs(v)) {
					t.Errorf("%s: %s is %.15g, by coordinates %.15g", r.At, metric, got, v)
				}
				checked++
			}
		}
		if checked != 12 {
			t.Errorf("%s: %d values", id, checked)
		}
	}
}

// coordinates are a population and a sample on atoms.
type coordinates struct {
	f            *mat.Dense // K×r, rows √λ_i √2 cos(πi x_j)
	r            int
	p, counts    []float64
	mean, sample *mat.VecDense // Fᵀp, Fᵀc/n
	sigma        *mat.SymDense // Fᵀ(diag p − ppᵀ)F
	estimate     *mat.SymDense // that of the sample, n/(n−1) times
}

func coordinatesOf(t *testing.T, draw data.Draw, alpha float64) coordinates {
	t.Helper()
	counted := draw.Counted()
	atoms, _ := counted.Atoms.Dims()
	c := coordinates{r: atoms - 1, f: mat.NewDense(atoms, atoms-1, nil), p: make([]float64, atoms)}
	floats.AddConst(1/float64(atoms), c.p)
	if counted.Masses != nil {
		c.p = counted.Masses
	}
	var err error
	if c.counts, err = counted.First(1e6); err != nil {
		t.Fatal(err)
	}
	c.f.Apply(func(j, i int, _ float64) float64 {
		return math.Sqrt2 * math.Pow(float64(i+1), -alpha/2) * math.Cos(math.Pi*float64(i+1)*counted.Atoms.At(j, 0))
	}, c.f)
	shares := slices.Clone(c.counts)
	floats.Scale(1e-6, shares)
	c.mean, c.sigma = c.moments(c.p)
	c.sample, c.estimate = c.moments(shares)
	c.estimate.ScaleSym(1e6/(1e6-1), c.estimate)
	return c
}

func (c coordinates) moments(p []float64) (*mat.VecDense, *mat.SymDense) {
	var mean mat.VecDense
	mean.MulVec(c.f.T(), mat.NewVecDense(len(p), p))
	second := mat.NewSymDense(c.r, nil)
	for j, mass := range p {
		second.SymRankOne(second, mass, c.f.RowView(j))
	}
	second.SymRankOne(second, -1, &mean)
	return &mean, second
}

func identity(n int) *mat.Dense {
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	return one
}

// spanOf is an orthonormal basis of the span of some atoms' rows, r×m.
func (c coordinates) spanOf(at []int) *mat.Dense {
	rows := mat.NewDense(c.r, len(at), nil)
	for a, j := range at {
		rows.SetCol(a, c.f.RawRowView(j))
	}
	var qr mat.QR
	qr.Factorize(rows)
	var q mat.Dense
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, c.r, 0, len(at)))
}

// errors are those of the ell leading components of the sample in a span.
func (c coordinates) errors(span *mat.Dense, ell int) map[string]float64 {
	var half, compressed mat.Dense
	half.Mul(c.estimate, span)
	compressed.Mul(span.T(), &half)
	_, dim := span.Dims()
	symmetric := mat.NewSymDense(dim, nil)
	for i := range dim {
		for j := i; j < dim; j++ {
			symmetric.SetSym(i, j, (compressed.At(i, j)+compressed.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(symmetric, true)
	var all, v mat.Dense
	eigen.VectorsTo(&all)
	v.Mul(span, all.Slice(0, dim, dim-ell, dim)) // components, r×ell
	var offset, delta, projected mat.VecDense
	offset.SubVec(c.mean, c.sample)
	delta.MulVec(v.T(), &offset)
	// R = ‖Σ^(1/2)(I − P)‖² + ‖δ‖², T = ‖Σ^(1/2)(I − P)Σ^(1/2)‖² + ‖Σ^(1/2)Pδ‖².
	var p, rest, left mat.Dense
	p.Mul(&v, v.T())
	rest.Sub(identity(c.r), &p)
	left.Mul(c.sigma, &rest)
	var square mat.Dense
	square.Mul(&left, &left)
	projected.MulVec(&v, &delta)
	return map[string]float64{
		"recon_h":       mat.Trace(&left) + mat.Dot(&delta, &delta),
		"recon_l2":      mat.Trace(&square) + mat.Inner(&projected, c.sigma, &projected),
		"skp_objective": mat.Trace(mulTrace(&p, c.sigma)) + mat.Inner(c.mean, &p, c.mean),
	}
}

func mulTrace(a *mat.Dense, b mat.Matrix) *mat.Dense {
	var product mat.Dense
	product.Mul(a, b)
	return &product
}
