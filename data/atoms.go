package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/configs"
	"mercer/internal/kernel"
)

// maxAtoms bounds the atoms: their operators need a K×K matrix.
const maxAtoms = maxEmpirical

// MassesOption says how likely the atoms are: "uniform", or {power: s}, atom j of
// probability proportional to (j+1)^−s.
type MassesOption struct{ Power float64 }

// DecodeNode reads one of the forms above.
func (o *MassesOption) DecodeNode(n *configs.Node, d *configs.Decoder) {
	*o = MassesOption{}
	if n.Kind != configs.Map {
		d.Choose(n, "uniform, or {power: s}", "uniform")
		return
	}
	var form massesForm
	d.Decode(n, &form)
	*o = MassesOption(form)
}

type massesForm struct {
	Power float64 `yaml:"power" required:"true" min:"0" max:"8"`
}

// AtomsOptions are the parameters of a population of finitely many atoms.
//
// The atoms are the midpoints x_j = (j+1/2)/K of [0,1], the kernel is Σ λ_i e_i e_i
// with e_i(x) = √2 cos(πix): under uniform masses the K−1 functions e_1 … e_{K−1} are
// orthonormal there, with mean 0, so that Σ has the eigenvalues λ_i themselves. It is
// the population series, seen at K points.
type AtomsOptions struct {
	Atoms       int              `yaml:"atoms" required:"true" min:"2" max:"30000" doc:"number of atoms K, the midpoints of [0,1] cut into K parts: what is computed costs K³ whatever n is; take ell ≤ K/10"`
	Decay       *kernel.Decay    `yaml:"decay" doc:"law of the eigenvalues: {power: 2}, any positive power, or {exponential: 0.7}; of all K-1 that are above 1e-30 of the first"`
	Eigenvalues []float64        `yaml:"eigenvalues" doc:"a positive, non-increasing list of at most K-1 instead of decay"`
	Masses      MassesOption     `yaml:"masses" doc:"probabilities of the atoms: uniform (default); {power: s}, proportional to (j+1)^-s. Eigenvalues are the given ones under uniform masses, and computed under others"`
	Sample      string           `yaml:"sample" enum:"counts,points" doc:"counts (default): how often each atom occurs, for n up to 2^53; points: equally likely atoms drawn one after another, for methods that take points in an order, at the cost of n points"`
	Response    *ResponseOptions `yaml:"response" doc:"responses for regression, with a known regression function; default none"`
	Classes     int              `yaml:"classes" min:"0" doc:"cut the atoms, in their order, into so many classes that differ by at most one atom; needs uniform masses; 0 (default): no classes"`
}

// Traits say that the population lives on the atoms.
func (o *AtomsOptions) Traits() Traits {
	return Traits{Population: true, HeldOut: true, Counts: o.Sample != asPoints, Response: o.Response != nil, Classes: o.Classes > 1}
}

// asPoints is the sample of atoms that are drawn one after another.
const asPoints = "points"

// Validate checks the parameters.
func (o *AtomsOptions) Validate() error {
	_, err := o.series()
	if o.Sample == asPoints && o.Masses.Power > 0 {
		err = errors.Join(err, errors.New("sample: points draws equally likely atoms; take masses: uniform, or sample: counts"))
	}
	return errors.Join(err, o.checkClasses(), o.Response.check())
}

func (o *AtomsOptions) checkClasses() error {
	switch {
	case o.Classes < 0 || o.Classes > o.Atoms:
		return fmt.Errorf("classes %d: must lie between 0 and the number of atoms, %d", o.Classes, o.Atoms)
	case o.Classes > 0 && o.Masses.Power > 0:
		return errors.New("classes need uniform masses: leave out one of classes and masses")
	case o.Classes > 0 && o.Sample == asPoints:
		return errors.New("classes are those of counts: leave out one of classes and sample: points")
	}
	return nil
}

// leastEigenvalue is the share of λ_1 below which a law is cut: squares of such
// eigenvalues are still numbers, and none is seen beside the rounding of the first.
const leastEigenvalue = 1e-30

func (o *AtomsOptions) series() (*kernel.Series, error) {
	if o.Atoms < 2 || o.Atoms > maxAtoms {
		return nil, fmt.Errorf("atoms %d: must lie between 2 and %d", o.Atoms, maxAtoms)
	}
	if (o.Decay == nil) == (o.Eigenvalues == nil) {
		return nil, errors.New("give exactly one of decay and eigenvalues")
	}
	if o.Eigenvalues != nil {
		return kernel.NewGridSeries(o.Eigenvalues, o.Atoms)
	}
	law, err := o.Decay.Law()
	if err != nil {
		return nil, err
	}
	var lambda []float64
	for i := 1; i < o.Atoms; i++ {
		v := law(i)
		if i > 1 && v < leastEigenvalue*lambda[0] {
			break
		}
		lambda = append(lambda, v)
	}
	return kernel.NewGridSeries(lambda, o.Atoms)
}

// Open returns the data set.
func (o *AtomsOptions) Open(c Context) (Dataset, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	series, err := o.series()
	if err != nil {
		return nil, err
	}
	if err := o.checkClasses(); err != nil {
		return nil, err
	}
	d := &atomsDataset{about: about{
		describe: fmt.Sprintf("%d atoms, %s", o.Atoms, series), kernel: series,
		support: Support{Points: o.Atoms, Shared: true, Atoms: o.Atoms, Independent: true},
	}, series: series, points: midpoints(o.Atoms), ordered: o.Sample == asPoints, classes: o.Classes, response: o.Response.response(series), known: map[int]Population{}}
	for j := range o.Atoms * min(o.Classes, 1) {
		d.labels = append(d.labels, j*o.Classes/o.Atoms)
	}
	d.kappa = sync.OnceValue(atomsPopulation{seriesPopulation{series}, o.Atoms}.Kappa)
	if o.Decay != nil && o.Decay.Power != nil {
		d.alpha = *o.Decay.Power
	}
	d.masses = o.masses()
	d.response.under(d.points, d.masses)
	if d.masses != nil {
		d.describe += fmt.Sprintf(", masses falling as j^-%v", o.Masses.Power)
	}
	if d.ordered {
		d.describe += ", drawn one after another"
		d.support.Atoms = 0
	}
	if d.classes > 0 {
		d.describe += fmt.Sprintf(", in %d classes", d.classes)
	}
	d.describe += d.response.String()
	return d, nil
}

// masses are the probabilities, of sum 1; nil where all are alike.
func (o *AtomsOptions) masses() []float64 {
	if o.Masses.Power == 0 {
		return nil
	}
	p := make([]float64, o.Atoms)
	for j := range p {
		p[j] = math.Pow(float64(j+1), -o.Masses.Power)
	}
	floats.Scale(1/floats.Sum(p), p)
	return p
}

// midpoints are (j+1/2)/K, j = 0 … K−1.
func midpoints(atoms int) *mat.Dense {
	x := mat.NewDense(atoms, 1, nil)
	for j := range atoms {
		x.Set(j, 0, (float64(j)+0.5)/float64(atoms))
	}
	return x
}

// atomsDataset draws counts of atoms.
type atomsDataset struct {
	about
	series *kernel.Series
	points *mat.Dense // K×1
	masses []float64  // nil for 1/K each
	alpha  float64    // exponent of a power law, 0 otherwise
	kappa  func() float64

	ordered  bool // samples are points, not counts
	classes  int
	response *Response
	labels   []int // of the atoms; nil without classes

	mu    sync.Mutex
	known map[int]Population // under masses, by rank
}

// Response is what regression estimates; nil for none.
func (d *atomsDataset) Response() *Response { return d.response }

// Constants are those of the population; the trace under other than uniform masses is
// none of them.
func (d *atomsDataset) Constants() map[string]float64 {
	constants := map[string]float64{"D": 1, "kappa": d.kappa(), "atoms": float64(d.atoms()), "terms": float64(d.series.Terms())}
	if d.masses == nil {
		constants["trace"] = d.series.PowerSum(1, 0)
	}
	if d.alpha > 0 {
		constants["alpha"] = d.alpha
	}
	if d.classes > 0 {
		constants["classes"] = float64(d.classes)
	}
	return constants
}

// atoms is K.
func (d *atomsDataset) atoms() int { n, _ := d.points.Dims(); return n }

// uniform is the population where all atoms are alike.
func (d *atomsDataset) uniform() Population {
	return atomsPopulation{seriesPopulation{d.series}, d.atoms()}
}

// Draw draws counts, one binomial an atom, or points.
func (d *atomsDataset) Draw(streams Streams) (Draw, error) {
	if d.ordered {
		return newAtomsPoints(d, streams), nil
	}
	masses := d.masses
	if masses == nil {
		masses = slices.Repeat([]float64{1}, d.atoms())
	}
	return atomsDraw{countedDraw{&Counts{Atoms: d.points, Labels: d.labels, Masses: d.masses, sequence: nested{streams, masses}}}, d}, nil
}

type atomsDraw struct {
	countedDraw
	dataset *atomsDataset
}

// Population is in closed form under uniform masses, and computed once for all repeats
// under others.
func (d atomsDraw) Population(_ kernel.Kernel, rank int) (Population, error) {
	set := d.dataset
	if set.masses == nil {
		return set.uniform(), nil
	}
	set.mu.Lock()
	defer set.mu.Unlock()
	if set.known[rank] == nil {
		set.known[rank] = newEmpiricalPopulation(set.points, set.series, rank).under(set.masses)
	}
	return set.known[rank], nil
}

// HeldOut are the atoms.
func (d atomsDraw) HeldOut() (*mat.Dense, []int) { return d.Atoms, d.Labels }

// atomsPopulation is that of K atoms under uniform masses: sums of eigenfunctions over
// the atoms are integrals over [0,1], so that all but suprema is as for the series.
type atomsPopulation struct {
	seriesPopulation
	atoms int
}

func (p atomsPopulation) String() string {
	return fmt.Sprintf("uniform on %d atoms, %s", p.atoms, p.kernel)
}

// Kappa is the largest k(x,x) of the atoms.
func (p atomsPopulation) Kappa() float64 {
	kappa := 0.0
	for j := range p.atoms {
		x := []float64{(float64(j) + 0.5) / float64(p.atoms)}
		kappa = max(kappa, p.kernel.At(x, x))
	}
	return kappa
}
