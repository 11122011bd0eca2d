// Package verdicts judges the claims of a run from the files of its folder, and stores there
// what theorems ask of its populations.
package verdicts

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/facts"
	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/populations"
	"mercer/runner/targets"
)

// Judge gives the verdicts on the claims of a run, from the files of its folder alone; those of
// a run whose repeats are added until they are decided, after the first looks of them. It says
// whether the run lacks the facts that its claims ask for.
func Judge(run results.Run, looks []int) (verdicts []claims.Verdict, lacking bool, err error) {
	known, err := facts.Load(run.Dir)
	if err != nil {
		return nil, false, err
	}
	world := claims.Context{Population: known.At}
	statements := run.Spec.Statements()
	if slices.ContainsFunc(statements, func(c configs.Claim) bool { return c.OnTarget }) {
		if world.Answers, _, err = targets.Find(run); err != nil {
			return nil, false, err
		}
	}
	if run.Spec.Repeats.Adaptive() {
		verdicts, err = claims.JudgeLooks(statements, run, world, looks)
	} else {
		verdicts, err = claims.Judge(statements, run, world)
	}
	return verdicts, known.Lacks(), err
}

// Record stores beside a run's rows what its claims ask of its populations. It takes over
// what is known already, and opens the populations of the plan for what is not. Log gets
// warnings.
func Record(ctx context.Context, run results.Run, p *plan.Plan, log io.Writer) error {
	onTheorems := slices.DeleteFunc(run.Spec.Statements(), func(c configs.Claim) bool { return c.Checks().Value == "" && c.Bound == nil })
	if len(onTheorems) == 0 {
		return nil
	}
	known := facts.New()
	if err := known.Add(run.Dir); err != nil {
		fmt.Fprintln(log, "warning:", err)
	}
	known.Record(populations.Of(p).At)
	_, err := claims.Judge(onTheorems, run, claims.Context{Population: known.At})
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return err
	}
	return known.Save(run.Dir)
}
