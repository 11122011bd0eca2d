// Package adaptive adds repeats to a run until the verdicts on its claims are decided.
//
// A run begins with the first repeats of every cell. Then the verdicts are read: a look.
// The cells of verdicts that more repeats may decide get twice as many, and so on, up
// to the most that the spec allows. What is computed is that part of the plan with all
// repeats, bit for bit. Which part depends on the records alone, so that a run that is
// stopped goes on where it was.
package adaptive

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"mercer/internal/claims"
	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/targets"
	"mercer/runner/verdicts"
)

// Look is what is known after a look at the verdicts.
type Look struct {
	Repeats  int // of the cells of verdicts that were open
	Next     int // repeats of the next look; 0: this was the last
	Verdicts []claims.Verdict
	Answers  []claims.Answer
}

// Open are the verdicts that more repeats may decide.
func (l Look) Open() []claims.Verdict {
	return slices.DeleteFunc(slices.Clone(l.Verdicts), func(v claims.Verdict) bool { return !v.Open() })
}

// Extension is a plan with all repeats, of which a run carries out what is due.
type Extension struct {
	plan   *plan.Plan
	dir    string // of the run
	search targets.Search
	looks  []int
	taken  int // looks
	due    map[cell]int
	cells  map[targets.Computation][]cell
	keys   map[string]targets.Computation // of records
}

// cell is a cell of the grid, which all repeats share.
type cell struct {
	targets.Design
	number int
}

// New is the extension of a plan with all repeats, for a run in a folder. Its error is
// about targets that cannot be sought in the grid.
func New(p *plan.Plan, dir string) (*Extension, error) {
	e := &Extension{
		plan: p, dir: dir, looks: p.Spec.Repeats.Looks(), due: map[cell]int{},
		cells: map[targets.Computation][]cell{}, keys: map[string]targets.Computation{},
		search: targets.Search{Spec: p.Spec, Resolved: p.Resolved, Constants: map[string]map[string]float64{}},
	}
	for id, d := range p.Datasets {
		e.search.Constants[id] = d.Constants()
	}
	for _, g := range p.Groups {
		design := targets.Design{Dataset: g.Dataset, Kernel: g.Kernel}
		if g.Repeat == 0 && p.Datasets[g.Dataset] != nil {
			e.search.Designs = append(e.search.Designs, design)
		}
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				of, at := targets.Computation{Design: design, Method: f.Method, Work: p.Work(f.Method, c)}, cell{design, c.Number()}
				if e.keys[g.Key(c)] = of; e.due[at] == 0 {
					e.due[at], e.cells[of] = e.looks[0], append(e.cells[of], at)
				}
			}
		}
	}
	sought, err := e.search.Of()
	for of := range sought {
		for _, at := range e.cells[of] {
			e.due[at] = 0
		}
	}
	if err == nil {
		_, _, err = e.ask(results.Run{})
	}
	return e, err
}

// ask searches for the answers to targets. What that needs is due then, of cells that
// share a computation in one of them; more says that something is.
func (e *Extension) ask(run results.Run) (answers []claims.Answer, more bool, err error) {
	answers, needs, err := e.search.Find(run)
	for _, need := range needs {
		if cells := e.cells[need.Computation]; len(cells) > 0 && e.due[cells[0]] < need.Repeats {
			e.due[cells[0]], more = need.Repeats, true
		}
	}
	return answers, more, err
}

// Repeats are those that are due now.
func (e *Extension) Repeats() []plan.Due {
	var list []plan.Due
	index := map[targets.Design]int{}
	for at, repeats := range e.due {
		i, known := index[at.Design]
		if !known {
			i, index[at.Design] = len(list), len(list)
			list = append(list, plan.Due{Dataset: at.Dataset, Kernel: at.Kernel})
		}
		list[i].Repeats = append(list[i].Repeats, make([]int, max(0, at.number+1-len(list[i].Repeats)))...)
		list[i].Repeats[at.number] = repeats
	}
	slices.SortFunc(list, func(a, b plan.Due) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Kernel, b.Kernel))
	})
	return list
}

// Due is the plan with the repeats that are due now.
func (e *Extension) Due() *plan.Plan { return e.plan.UpTo(e.Repeats()) }

// Resume looks at the verdicts as often as the records in the run's folder allow. It gives
// the plan that is due then, and says whether the folder has all of its records, failed ones
// included: then nothing needs more repeats.
func (e *Extension) Resume(ctx context.Context, log io.Writer) (due *plan.Plan, done bool, err error) {
	run, err := results.Load(e.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, false, err
	}
	stored := map[string]results.Record{}
	for _, r := range run.Records {
		stored[r.Key] = r
	}
	for due = e.Due(); ; {
		at := run // as it was when these were all
		at.Records, at.Manifest.Keys = nil, due.Keys()
		for _, key := range at.Manifest.Keys {
			r, ok := stored[key]
			if !ok {
				return due, false, nil
			}
			at.Records = append(at.Records, r)
		}
		results.SortRecords(at.Records, at.Manifest.Variables)
		more, err := e.next(ctx, at, log, func(Look) {})
		if more == nil {
			return due, true, err
		}
		due = more
	}
}

// Next looks at the verdicts of the run and goes on with the search for its targets. It
// tells what it saw, and gives the plan with more repeats; nil where none are needed. Log
// gets warnings and the progress of downloads.
func (e *Extension) Next(ctx context.Context, log io.Writer, tell func(Look)) (*plan.Plan, error) {
	run, err := results.Load(e.dir)
	if err != nil {
		return nil, err
	}
	return e.next(ctx, run, log, tell)
}

func (e *Extension) next(ctx context.Context, run results.Run, log io.Writer, tell func(Look)) (*plan.Plan, error) {
	if err := verdicts.Record(ctx, run, e.plan.Spec, log); err != nil {
		return nil, err
	}
	var seen Look
	if e.taken < len(e.looks) {
		if err := e.look(run, &seen); err != nil {
			return nil, err
		}
	}
	answers, more, err := e.ask(run)
	if err != nil {
		return nil, err
	}
	seen.Answers = answers
	if tell(seen); seen.Next == 0 && !more {
		return nil, nil
	}
	return e.Due(), nil
}

// look reads the verdicts. The cells of open ones are due with more repeats then.
func (e *Extension) look(run results.Run, seen *Look) (err error) {
	seen.Repeats = e.looks[e.taken]
	if seen.Verdicts, err = verdicts.After(run, e.plan.Spec, e.looks[:e.taken+1]); err != nil {
		return err
	}
	open := seen.Open()
	if e.taken++; len(open) == 0 {
		e.taken = len(e.looks)
	}
	if e.taken < len(e.looks) {
		seen.Next = e.looks[e.taken]
	}
	for _, v := range open {
		for _, r := range v.Records() {
			for _, at := range e.cells[e.keys[r.Key]] {
				e.due[at] = max(e.due[at], seen.Next)
			}
		}
	}
	return nil
}
