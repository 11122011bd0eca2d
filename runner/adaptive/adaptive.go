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
}

// New makes the first repeats of a plan due, for a run in a folder. Its error is about
// targets that cannot be sought in the grid.
func New(p *plan.Plan, dir string) (*Extension, error) {
	e := &Extension{plan: p, dir: dir, looks: p.Spec.Repeats.Looks(), cells: map[results.Key]*plan.Cell{}}
	for c := range p.Cells {
		e.cells[c.At] = c
		c.Due = e.looks[0]
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
// something is.
func (e *Extension) ask(run results.Run) (answers []claims.Answer, more bool, err error) {
	answers, needs, err := targets.Find(run)
	for _, need := range needs {
		if c := e.cells[need.At]; c != nil && c.Due < need.Repeats {
			c.Due, more = need.Repeats, true
		}
	}
	return answers, more, err
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
