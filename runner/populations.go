package runner

import (
	"context"
	"errors"
	"fmt"

	"mercer/data"
	"mercer/kernel"
	"mercer/results"
	"mercer/theory"
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
		failed: map[string]error{}, kept: map[popKey]*rankedPopulation{}}
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
	sized, finite := opened.(sizedPopulation)
	changes := finite && !sized.PopulationShared()
	if !changes {
		key.repeat = 0
	}
	if kept := p.kept[key]; kept != nil {
		return kept, nil
	}
	draw, err := opened.Draw(streamsOf(p.plan.Spec.Seed, dataset, key.repeat))
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
	if changes {
		p.forget(sized.PopulationPoints())
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

// rankedPopulation opens its population again with more eigenpairs when those
// are asked for.
type rankedPopulation struct {
	data.Population
	rank int
	open func(rank int) (data.Population, error)
}

var _ theory.Population = (*rankedPopulation)(nil)

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
