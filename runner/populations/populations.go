// Package populations opens again the populations that a run's errors were measured
// against, with the run's seeds, for the theorems that claims are about. A run does so
// once, at its end; see package facts.
package populations

import (
	"errors"
	"fmt"

	"mercer/data"
	"mercer/internal/facts"
	"mercer/runner/plan"
)

// keptBytes is about how much memory populations that change with the repeat
// may take together; one is always kept.
const keptBytes = 1 << 30

// firstRank is how many eigenpairs a population is opened with; it is opened again
// when more are asked for.
const firstRank = 32

// Populations are those of a plan. It is not safe for concurrent use.
type Populations struct {
	plan  *plan.Plan
	kept  map[id]*ranked
	order []id // of those that change with the repeat, first used first
}

type id struct {
	population string
	repeat     int
}

// Of are the populations of a plan. Nothing is opened yet.
func Of(p *plan.Plan) *Populations { return &Populations{plan: p, kept: map[id]*ranked{}} }

// At is a population, by the name that rows have for it, in a repeat; the same value for all
// repeats where they share it. It fails where the data set declares none.
func (p *Populations) At(population string, repeat int) (facts.Opened, error) {
	for _, g := range p.plan.Groups {
		if g.Population == population {
			return p.of(g, repeat)
		}
	}
	return facts.Opened{}, fmt.Errorf("the plan has no population %q: its data have changed; run again", population)
}

func (p *Populations) of(g *plan.Group, repeat int) (facts.Opened, error) {
	support := g.Dataset.Support()
	points := 0 // of a population that changes with the repeat
	if !support.Closed && !support.Shared {
		points = support.Points
	}
	at := id{g.Population, repeat}
	if points == 0 {
		at.repeat = 0
	}
	population, err := p.ranked(g, at, points)
	return facts.Opened{Population: population, Shared: points == 0, Independent: support.Independent}, err
}

// ranked is the population itself, opened where it is not kept. Those that repeats
// share are never forgotten.
func (p *Populations) ranked(g *plan.Group, at id, points int) (*ranked, error) {
	if kept := p.kept[at]; kept != nil {
		return kept, nil
	}
	draw, err := data.DrawOf(g.Dataset.Dataset, at.repeat, plan.RepeatStreams(p.plan.Spec.Seed, g.Dataset.ID, at.repeat))
	if err != nil {
		return nil, err
	}
	population := &ranked{rank: firstRank, open: func(rank int) (data.Population, error) { return draw.Population(g.Kernel, rank) }}
	if population.Population, err = population.open(firstRank); err != nil {
		return nil, err
	}
	if population.Population == nil {
		return nil, errors.New("it declares none; give the data set one, such as population: {held_out: 2000}")
	}
	if points > 0 {
		p.forget(points)
		p.order = append(p.order, at)
	}
	p.kept[at] = population
	return population, nil
}

// forget makes room for one more population of so many points.
func (p *Populations) forget(points int) {
	room := int(keptBytes / (8 * float64(points) * float64(points)))
	for len(p.order) > 0 && len(p.order) >= room {
		delete(p.kept, p.order[0])
		p.order = p.order[1:]
	}
}

// ranked opens its population again with more eigenpairs when those are asked for.
type ranked struct {
	data.Population
	rank int
	open func(rank int) (data.Population, error)
}

// reach makes sure that there are so many eigenpairs.
func (r *ranked) reach(rank int) error {
	if rank <= r.rank {
		return nil
	}
	deeper, err := r.open(2 * rank)
	if err == nil {
		r.Population, r.rank = deeper, 2*rank
	}
	return err
}

func (r *ranked) Eigenvalues(count int) ([]float64, error) {
	if err := r.reach(count); err != nil {
		return nil, err
	}
	return r.Population.Eigenvalues(count)
}

func (r *ranked) Tail(power, ell int) (float64, error) {
	if err := r.reach(ell); err != nil {
		return 0, err
	}
	return r.Population.Tail(power, ell)
}
