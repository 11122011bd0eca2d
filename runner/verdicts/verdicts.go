// Package verdicts judges the claims of a run from the files of its folder, and stores
// there what theorems ask of its populations.
package verdicts

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/internal/claims"
	"mercer/internal/facts"
	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/populations"
	"mercer/runner/targets"
)

// SpecOf is the spec of a run, as its manifest and profile have it.
func SpecOf(run results.Run) (*configs.Spec, error) {
	file := cmp.Or(run.Manifest.File, run.Manifest.Experiment+".yaml") // older runs name none
	spec, err := source.Parse(file, []byte(run.Manifest.Spec))
	if err != nil {
		return nil, fmt.Errorf("the spec as this run has it: %w", err)
	}
	if spec, err = source.Under(spec, run.Manifest.Profile, run.Manifest.Set...); err == nil && run.Manifest.FirstLook > 0 {
		spec.Repeats.From, spec.Repeats.Value, spec.Repeats.Had = run.Manifest.FirstLook, run.Manifest.Repeats, run.Manifest.Planned()
	}
	return spec, err
}

// Judge gives the verdicts on the claims of a run's spec, from the files of its folder
// alone. It says whether the run lacks the facts that its claims ask for.
func Judge(run results.Run, spec *configs.Spec) (verdicts []claims.Verdict, lacking bool, err error) {
	known, err := facts.Load(run.Dir, spec, run.Manifest)
	if err != nil {
		return nil, false, err
	}
	verdicts, err = judge(run, spec, known, spec.Repeats.Looks())
	return verdicts, known.Lacks(), err
}

// After gives the verdicts on a run in progress whose repeats are added until they are
// decided, after the first looks.
func After(run results.Run, spec *configs.Spec, looks []int) ([]claims.Verdict, error) {
	known, err := facts.Load(run.Dir, spec, run.Manifest)
	if err != nil {
		return nil, err
	}
	return judge(run, spec, known, looks)
}

func judge(run results.Run, spec *configs.Spec, known *facts.Table, looks []int) ([]claims.Verdict, error) {
	resolved, _ := plan.Resolve(spec) // of a spec of another version: as far as it goes
	world := contextOf(resolved, known)
	answers, err := answersFor(run, spec)
	if err != nil {
		return nil, err
	}
	world.Answers = answers
	if spec.Repeats.Adaptive() {
		return claims.JudgeLooks(spec.Statements(), run, world, looks)
	}
	return claims.Judge(spec.Statements(), run, world)
}

// answersFor are the answers that claims of a spec name; nil where none does.
func answersFor(run results.Run, spec *configs.Spec) ([]claims.Answer, error) {
	if !slices.ContainsFunc(spec.Statements(), func(c configs.Claim) bool { return c.OnTarget }) {
		return nil, nil
	}
	return targets.Answers(run, spec)
}

// Record stores beside a run's records what its claims ask of its populations. It takes
// over what is known already, there and in other folders, and opens the run's data for
// what is not. Log gets warnings, and the progress of downloads.
func Record(ctx context.Context, run results.Run, spec *configs.Spec, log io.Writer, others ...string) error {
	if len(onTheorems(spec)) == 0 {
		return nil
	}
	resolved, err := plan.Resolve(spec)
	if err != nil {
		return err
	}
	known := facts.New(spec, run.Manifest)
	for _, dir := range append([]string{run.Dir}, others...) {
		if err := known.Add(dir); err != nil {
			fmt.Fprintln(log, "warning:", err)
		}
	}
	known.Record(populations.New(ctx, log, resolved, run.Manifest, run.Manifest.Dir).At)
	_, err = claims.Judge(onTheorems(spec), run, contextOf(resolved, known))
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return err
	}
	return known.Save(run.Dir)
}

// onTheorems are the claims that name a theorem.
func onTheorems(spec *configs.Spec) []configs.Claim {
	return slices.DeleteFunc(spec.Statements(), func(claim configs.Claim) bool {
		return claim.Checks().Value == ""
	})
}

// contextOf is what claims are judged by, beside the records.
func contextOf(resolved *plan.Resolved, known *facts.Table) claims.Context {
	c := claims.Context{Methods: map[string]claims.Method{}, Population: known.At}
	for _, m := range resolved.Spec.Methods {
		c.Methods[m.ID] = claims.Method{Use: m.Use.Value, Sizes: resolved.Methods[m.ID].Uses}
	}
	return c
}
