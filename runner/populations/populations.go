// Package populations opens again the populations that a run's errors were measured
// against, with the run's seeds, for the theorems that claims are about. A run does so
// once, at its end; see package facts.
package populations

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mercer/data"
	"mercer/internal/facts"
	"mercer/internal/kernel"
	"mercer/results"
	"mercer/runner/plan"
)

// keptBytes is about how much memory populations that change with the repeat
// may take together; one is always kept.
const keptBytes = 1 << 30

// firstRank is how many eigenpairs a population is opened with; it is opened again
// when more are asked for.
const firstRank = 32

// Populations are those of a run. It is not safe for concurrent use.
type Populations struct {
	ctx      context.Context
	resolved *plan.Resolved
	manifest results.Manifest
	dir      string    // of the spec
	log      io.Writer // of downloads

	datasets map[string]*dataset // that were asked for
	kept     map[id]*ranked
	order    []id // of those that change with the repeat, first used first
}

type id struct {
	dataset, kernel string
	repeat          int
}

// dataset is a data set that was opened, or why it was not.
type dataset struct {
	data.Dataset
	kernels map[string]kernel.Kernel
	err     error
}

// New are the populations of the run that a manifest describes; r is its spec, under
// its profile, whose paths start from dir. Data sets that the manifest does not know are
// taken as they are. Nothing is opened yet; log gets the progress of downloads.
func New(ctx context.Context, log io.Writer, r *plan.Resolved, manifest results.Manifest, dir string) *Populations {
	return &Populations{ctx: ctx, resolved: r, manifest: manifest, dir: dir, log: log, datasets: map[string]*dataset{}, kept: map[id]*ranked{}}
}

// At is the population of one repeat under a kernel of the data set; the same
// value for all repeats where the repeats share it. It fails where the data set
// declares no population, cannot be opened, or is not what the run saw.
func (p *Populations) At(datasetID, kernelID string, repeat int) (facts.Opened, error) {
	d := p.open(datasetID)
	if d.err != nil {
		return facts.Opened{}, d.err
	}
	k, ok := d.kernels[kernelID]
	if !ok {
		return facts.Opened{}, fmt.Errorf("the spec has no kernel %q for it", kernelID)
	}
	support := d.Dataset.Support()
	points := 0 // of a population that changes with the repeat
	if !support.Closed && !support.Shared {
		points = support.Points
	}
	at := id{datasetID, kernelID, repeat}
	if points == 0 {
		at.repeat = 0
	}
	population, err := p.ranked(d, k, at, points)
	return facts.Opened{Population: population, Shared: points == 0, Independent: support.Independent}, err
}

// ranked is the population itself, opened where it is not kept. Those that repeats
// share are never forgotten.
func (p *Populations) ranked(d *dataset, k kernel.Kernel, at id, points int) (*ranked, error) {
	if kept := p.kept[at]; kept != nil {
		return kept, nil
	}
	draw, err := d.Draw(plan.RepeatStreams(p.resolved.Spec.Seed, at.dataset, at.repeat))
	if err != nil {
		return nil, err
	}
	population := &ranked{rank: firstRank, open: func(rank int) (data.Population, error) { return draw.Population(k, rank) }}
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

// Kernels are the ids of the kernels of a data set, in the spec's order.
func (p *Populations) Kernels(datasetID string) ([]string, error) {
	d := p.open(datasetID)
	return p.resolved.KernelIDs(d.kernels), d.err
}

// Constants are those of a data set that At has opened.
func (p *Populations) Constants(datasetID string) map[string]float64 {
	return p.datasets[datasetID].Constants()
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
func (p *Populations) open(datasetID string) *dataset {
	if d := p.datasets[datasetID]; d != nil {
		return d
	}
	d := &dataset{}
	p.datasets[datasetID] = d
	d.Dataset, d.kernels, d.err = p.resolved.OpenDataset(p.ctx, p.log, datasetID, p.dir)
	if d.err != nil {
		return d
	}
	was, known := p.manifest.Datasets[datasetID]
	if now := d.Fingerprint(); known && was.Fingerprint != now {
		d.err = fmt.Errorf("its data are not those of the run: their fingerprint was %s and is %s; run again", was.Fingerprint, now)
	}
	return d
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
