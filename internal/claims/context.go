package claims

import (
	"mercer/internal/facts"
	"mercer/internal/inference"
	"mercer/internal/theory"
	"mercer/results"
)

// Context is what verdicts need to know beside the run. Its zero value serves all claims but
// those about theorems on populations.
type Context struct {
	// Population is what is known of the P that a row's errors were measured against, by
	// Row.Population and the repeat; the same value for repeats that share it. Nil where
	// nothing is known.
	Population func(population string, repeat int) *facts.Population
	// Planned is the number of the look at the verdicts, from 1, where there are as many
	// looks as it takes to decide them; 0 for a look that nobody has planned.
	Planned int
	// Answers are those to the targets of the spec, by which claims on them are judged.
	Answers []Answer
	// Theorems are those that claims may name; nil for theory.Registry.
	Theorems map[string]theory.Theorem
}

// judge is a run made ready to be asked.
type judge struct {
	*results.Run
	rows  []*results.Row // without those of absent data sets
	world Context
	look  inference.Look
}

func newJudge(run results.Run, world Context) *judge {
	if world.Theorems == nil {
		world.Theorems = theory.Registry
	}
	return &judge{&run, run.Present(), world, lookAt(run, world.Planned)}
}
