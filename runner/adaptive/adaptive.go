// Package adaptive adds repeats to a run until the verdicts on its claims are decided.
//
// A run begins with the first repeats of every cell. Then the verdicts are read: a look.
// The cells of verdicts that more repeats may decide get twice as many, and so on, up
// to the most that the spec allows. What is computed is that part of the plan with all
// repeats, bit for bit. Which part depends on the records alone, so that a run that is
// stopped goes on where it was.
package adaptive

import (
	"context"
	"io"
	"slices"

	"mercer/internal/claims"
	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/verdicts"
)

// Look is what is known after a look at the verdicts.
type Look struct {
	Repeats  int // of the cells of verdicts that were open
	Next     int // repeats of the next look; 0: this was the last
	Verdicts []claims.Verdict
}

// Open are the verdicts that more repeats may decide.
func (l Look) Open() []claims.Verdict {
	return slices.DeleteFunc(slices.Clone(l.Verdicts), func(v claims.Verdict) bool { return !v.Open() })
}

// Extension is a plan with all repeats, of which a run carries out what is due.
type Extension struct {
	plan  *plan.Plan
	dir   string // of the run
	looks []int
	taken int // looks
	due   map[computation]int
	cells map[string]computation // by the key of a record
}

// computation is what all repeats of a cell share, and cells that differ only in sizes
// that their method does not use.
type computation struct{ dataset, kernel, method, work string }

// New is the extension of a plan with all repeats, for a run in a folder.
func New(p *plan.Plan, dir string) *Extension {
	e := &Extension{plan: p, dir: dir, looks: p.Spec.Repeats.Looks(), due: map[computation]int{}, cells: map[string]computation{}}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				at := e.computationOf(g, f, c)
				e.due[at], e.cells[g.Key(c)] = e.looks[0], at
			}
		}
	}
	return e
}

func (e *Extension) computationOf(g *plan.Group, f *plan.Fit, c plan.Cell) computation {
	return computation{g.Dataset, g.Kernel, f.Method, e.plan.Work(f.Method, c)}
}

// Due is the plan with the repeats that are due now.
func (e *Extension) Due() *plan.Plan {
	return e.plan.UpTo(func(g *plan.Group, f *plan.Fit, c plan.Cell) int { return e.due[e.computationOf(g, f, c)] })
}

// Next looks at the verdicts of the run, tells, and gives the plan with more repeats; nil
// where no verdict is left that these may decide. Log gets warnings and the progress of
// downloads.
func (e *Extension) Next(ctx context.Context, log io.Writer, tell func(Look)) (*plan.Plan, error) {
	run, err := results.Load(e.dir)
	if err != nil {
		return nil, err
	}
	if err := verdicts.Record(ctx, run, e.plan.Spec, log); err != nil {
		return nil, err
	}
	seen := Look{Repeats: e.looks[e.taken]}
	if seen.Verdicts, err = verdicts.After(run, e.plan.Spec, e.looks[:e.taken+1]); err != nil {
		return nil, err
	}
	e.taken++
	open := seen.Open()
	if len(open) > 0 && e.taken < len(e.looks) {
		seen.Next = e.looks[e.taken]
	}
	tell(seen)
	if seen.Next == 0 {
		return nil, nil
	}
	for _, v := range open {
		for _, r := range v.Records() {
			e.due[e.cells[r.Key]] = seen.Next
		}
	}
	return e.Due(), nil
}
