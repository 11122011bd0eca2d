// Package adaptive adds repeats to a run until the verdicts on its claims are decided.
//
// A run begins with the first repeats of every cell. Then the verdicts are read: a look.
// The cells of verdicts that more repeats may decide get twice as many, and so on, up
// to the most that the spec allows. What is computed is that part of the plan with all
// repeats, bit for bit. Which part depends on the rows alone, so that a run that is
// stopped goes on where it was.
package adaptive

import (
	"context"
	"io"
	"slices"

	"mercer/internal/claims"
	"mercer/internal/lists"
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

// Extension says how many repeats of each cell of a plan are due.
type Extension struct {
	plan  *plan.Plan
	dir   string // of the run
	looks []int
	taken int // looks
	cells map[results.Key]*plan.Cell
	flops map[results.Key]float64 // of a fit
}

// Needs that cost up to nearly times as much as the cheapest are met in the same round, and so are those of
// so few floating-point operations that they take less time than another round.
const (
	nearly = 4
	few    = 1e8
)

// New makes the first repeats of a plan due, for a run in a folder. Its error is about
// targets that cannot be sought in the grid.
func New(p *plan.Plan, dir string) (*Extension, error) {
	e := &Extension{plan: p, dir: dir, looks: p.Spec.Repeats.Looks(), cells: map[results.Key]*plan.Cell{}, flops: map[results.Key]float64{}}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				e.cells[c.At], e.flops[c.At] = c, g.Cost(f, c.Sizes).Flops
				c.Due = e.looks[0]
			}
		}
	}
	sought, err := targets.Sought(p.Spec, p.Catalog())
	for _, at := range sought {
		e.cells[at].Due = 0
	}
	if err == nil {
		_, _, err = e.ask(results.Run{Spec: p.Spec, Catalog: p.Catalog()})
	}
	return e, err
}

// ask searches for the answers to targets, and makes due what that needs; more says that
// something is. The cheapest comes first, so that answers which are soon known do not wait for
// the others: a run may be stopped.
func (e *Extension) ask(run results.Run) (answers []claims.Answer, more bool, err error) {
	answers, needs, err := targets.Find(run)
	needs = lists.Where(needs, func(need targets.Need) bool { return e.cells[need.At] != nil && e.cost(need) > 0 })
	if len(needs) == 0 || err != nil {
		return answers, false, err
	}
	most := max(few, nearly*slices.Min(lists.Map(needs, e.cost)))
	for _, need := range needs {
		if e.cost(need) <= most {
			e.cells[need.At].Due = need.Repeats
		}
	}
	return answers, true, nil
}

// cost is the floating-point operations of the fits that a need adds, times its repeats over those
// of a first look: to double many repeats says less than a first look elsewhere.
func (e *Extension) cost(need targets.Need) float64 {
	added := float64(need.Repeats - e.cells[need.At].Due)
	return added * e.flops[need.At] * float64(need.Repeats) / float64(e.looks[0])
}

// Next looks at the verdicts of the run and goes on with the search for its targets. It
// hands on what it saw, and says whether more repeats are due. Log gets warnings.
func (e *Extension) Next(ctx context.Context, log io.Writer, show func(Look)) (more bool, err error) {
	run, err := results.Load(e.dir)
	if err == nil {
		err = verdicts.Record(ctx, run, e.plan, log)
	}
	if err != nil {
		return false, err
	}
	var seen Look
	if e.taken < len(e.looks) {
		if err := e.look(run, &seen); err != nil {
			return false, err
		}
	}
	answers, more, err := e.ask(run)
	if err != nil {
		return false, err
	}
	seen.Answers = answers
	show(seen)
	return more || seen.Next > 0, nil
}

// look reads the verdicts. The cells of open ones are due with more repeats then.
func (e *Extension) look(run results.Run, seen *Look) (err error) {
	seen.Repeats = e.looks[e.taken]
	if seen.Verdicts, _, err = verdicts.Judge(run, e.looks[:e.taken+1]); err != nil {
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
		for _, row := range v.Rows() {
			if c := e.cells[row.At]; c != nil {
				c.Due = max(c.Due, seen.Next)
			}
		}
	}
	return nil
}
