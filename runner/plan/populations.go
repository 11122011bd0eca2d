package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/theory"
	"mercer/results"
)

// keptBytes is about how much memory populations that change with the repeat
// may take together; one is always kept.
const keptBytes = 1 << 30

// firstRank is how many eigenpairs a population is opened with; more are had
// when they are asked for.
const firstRank = 32

// Populations are those that a run's errors were measured against, opened again
// with the run's seeds as they are asked for. It is not safe for concurrent use.
type Populations struct {
	ctx      context.Context
	manifest results.Manifest
	options  PrepareOptions

	plan   *Plan            // with the data sets that were asked for
	failed map[string]error // by data set that was asked for
	kept   map[popKey]*rankedPopulation
	order  []popKey // of those that change with the repeat, first used first
	known  map[popKey]*remembered
}

type popKey struct {
	dataset, kernel string
	repeat          int
}

// NewPopulations are the populations of the run that a manifest describes; r is
// its spec, under its profile. Data sets that the manifest does not know are
// taken as they are. Nothing is opened yet.
func NewPopulations(ctx context.Context, r *Resolved, manifest results.Manifest, o PrepareOptions) *Populations {
	return &Populations{ctx: ctx, manifest: manifest, options: o,
		plan:   &Plan{Resolved: r, Datasets: map[string]data.Dataset{}, Kernels: map[string]map[string]kernel.Kernel{}},
		failed: map[string]error{}, kept: map[popKey]*rankedPopulation{}, known: map[popKey]*remembered{}}
}

// At is the population of one repeat under a kernel of the data set; the same
// value for all repeats where the repeats share it. It fails where the data set
// declares no population, cannot be opened, or is not what the run saw.
func (p *Populations) At(dataset, kernelID string, repeat int) (theory.Population, error) {
	opened, err := p.open(dataset)
	if err != nil {
		return nil, err
	}
	k, ok := p.plan.Kernels[dataset][kernelID]
	if !ok {
		return nil, fmt.Errorf("the spec has no kernel %q for it", kernelID)
	}
	key := popKey{dataset, kernelID, repeat}
	support := opened.Support()
	changes := !support.Closed && !support.Shared
	if !changes {
		key.repeat = 0
	}
	if known := p.known[key]; known != nil {
		return known, nil
	}
	points := 0
	if changes {
		points = support.Points
	}
	again := func() (*rankedPopulation, error) { return p.ranked(opened, k, key, points) }
	first, err := again()
	if err != nil {
		return nil, err
	}
	p.known[key] = &remembered{text: first.String(), kappa: first.Kappa(), open: again, answers: map[question]answer{}}
	return p.known[key], nil
}

// ranked is the population itself, opened where it is not kept. points are those
// of one that changes with the repeat, 0 for others, which are never forgotten.
func (p *Populations) ranked(opened data.Dataset, k kernel.Kernel, key popKey, points int) (*rankedPopulation, error) {
	if kept := p.kept[key]; kept != nil {
		return kept, nil
	}
	draw, err := opened.Draw(RepeatStreams(p.plan.Spec.Seed, key.dataset, key.repeat))
	if err != nil {
		return nil, err
	}
	population := &rankedPopulation{rank: firstRank, open: func(rank int) (data.Population, error) { return draw.Population(k, rank) }}
	if population.Population, err = population.open(firstRank); err != nil {
		return nil, err
	}
	if population.Population == nil {
		return nil, errors.New("it declares none; give the data set one, such as population: {held_out: 2000}")
	}
	if points > 0 {
		p.forget(points)
		p.order = append(p.order, key)
	}
	p.kept[key] = population
	return population, nil
}

// Kernels are the ids of the kernels of a data set, in the spec's order.
func (p *Populations) Kernels(dataset string) ([]string, error) {
	if _, err := p.open(dataset); err != nil {
		return nil, err
	}
	return p.plan.kernelIDs(dataset), nil
}

// Constants are those of a data set that At has opened.
func (p *Populations) Constants(dataset string) map[string]float64 {
	return p.plan.Datasets[dataset].Constants()
}

// forget makes room for one more population of so many points.
func (p *Populations) forget(points int) {
	room := int(keptBytes / (8 * float64(points) * float64(points)))
	for len(p.order) > 0 && len(p.order) >= room {
		delete(p.kept, p.order[0])
		p.order = p.order[1:]
	}
}

// open opens a data set once.
func (p *Populations) open(id string) (data.Dataset, error) {
	if _, tried := p.failed[id]; !tried {
		p.failed[id] = p.openFirst(id)
	}
	return p.plan.Datasets[id], p.failed[id]
}

func (p *Populations) openFirst(id string) error {
	for _, c := range p.plan.Spec.Datasets {
		if c.ID != id {
			continue
		}
		if err := p.plan.open(p.ctx, c, p.options); err != nil {
			return err
		}
		was, known := p.manifest.Datasets[id]
		if now := p.plan.Datasets[id].Fingerprint(); known && was.Fingerprint != now {
			return fmt.Errorf("its data are not those of the run: their fingerprint was %s and is %s; run again", was.Fingerprint, now)
		}
		return nil
	}
	return errors.New("the spec has no such data set")
}

// remembered keeps a population's answers, which are few numbers, when the
// population itself, which is large, is forgotten: every claim asks every repeat.
type remembered struct {
	text    string
	kappa   float64
	open    func() (*rankedPopulation, error)
	answers map[question]answer
}

var _ theory.Population = (*remembered)(nil)

type question struct {
	name         string
	count, power int
	t            float64
}

type answer struct {
	values []float64
	err    error
}

func (r *remembered) ask(q question, of func(*rankedPopulation) ([]float64, error)) ([]float64, error) {
	known, ok := r.answers[q]
	if !ok {
		population, err := r.open()
		if err == nil {
			known.values, err = of(population)
		}
		known.err = err
		r.answers[q] = known
	}
	return slices.Clone(known.values), known.err
}

func (r *remembered) number(q question, of func(*rankedPopulation) (float64, error)) (float64, error) {
	values, err := r.ask(q, func(p *rankedPopulation) ([]float64, error) {
		value, err := of(p)
		return []float64{value}, err
	})
	if err != nil {
		return 0, err
	}
	return values[0], nil
}

func (r *remembered) String() string { return r.text }

func (r *remembered) Kappa() float64 { return r.kappa }

func (r *remembered) Eigenvalues(count int) ([]float64, error) {
	return r.ask(question{name: "eigenvalues", count: count}, func(p *rankedPopulation) ([]float64, error) { return p.Eigenvalues(count) })
}

func (r *remembered) Tail(power, ell int) (float64, error) {
	return r.number(question{name: "tail", count: ell, power: power}, func(p *rankedPopulation) (float64, error) { return p.Tail(power, ell) })
}

func (r *remembered) EffectiveDimension(t float64) (float64, error) {
	return r.number(question{name: "effective dimension", t: t}, func(p *rankedPopulation) (float64, error) { return p.EffectiveDimension(t) })
}

func (r *remembered) MaxLeverage(t float64) (float64, error) {
	return r.number(question{name: "leverage", t: t}, func(p *rankedPopulation) (float64, error) { return p.MaxLeverage(t) })
}

func (r *remembered) UncentredEigenvalues(count int) ([]float64, error) {
	return r.ask(question{name: "uncentred eigenvalues", count: count}, func(p *rankedPopulation) ([]float64, error) { return p.UncentredEigenvalues(count) })
}

func (r *remembered) UncentredSum(power int) (float64, error) {
	return r.number(question{name: "uncentred sum", power: power}, func(p *rankedPopulation) (float64, error) { return p.UncentredSum(power) })
}

// rankedPopulation opens its population again with more eigenpairs when those
// are asked for.
type rankedPopulation struct {
	data.Population
	rank int
	open func(rank int) (data.Population, error)
}

// reach makes sure that there are so many eigenpairs.
func (r *rankedPopulation) reach(rank int) error {
	if rank <= r.rank {
		return nil
	}
	deeper, err := r.open(2 * rank)
	if err == nil {
		r.Population, r.rank = deeper, 2*rank
	}
	return err
}

func (r *rankedPopulation) Eigenvalues(count int) ([]float64, error) {
	if err := r.reach(count); err != nil {
		return nil, err
	}
	return r.Population.Eigenvalues(count)
}

func (r *rankedPopulation) Tail(power, ell int) (float64, error) {
	if err := r.reach(ell); err != nil {
		return 0, err
	}
	return r.Population.Tail(power, ell)
}
