package claims

import (
	"mercer/internal/facts"
	"mercer/internal/inference"
	"mercer/internal/selection"
	"mercer/internal/theory"
	"mercer/results"
)

// Context is what verdicts need to know beside the records. Its zero value
// serves all claims but those about theorems on populations.
type Context struct {
	// Constants are those of the datasets by id, beside or in place of what the
	// run's manifest knows.
	Constants map[string]map[string]float64
	// Methods are the spec's methods by id: a bound is judged only for methods that
	// its theorem is about. A method that is not in it counts as one of them,
	// and as using all sizes.
	Methods map[string]Method
	// Population is what is known of the P that a repeat's errors were measured
	// against; the same value for repeats that share it. Nil where nothing is known.
	Population func(dataset, kernel string, repeat int) *facts.Population
	// Planned is the number of the look at the verdicts, from 1, where there are as many
	// looks as it takes to decide them; 0 for a look that nobody has planned.
	Planned int
	// Answers are those to the targets of the spec, by which claims on them are judged.
	Answers []Answer
	// Theorems are those that claims may name; nil for theory.Registry.
	Theorems map[string]theory.Theorem
}

// Method is what verdicts need to know of a method.
type Method struct {
	Use   string   // its registered name
	Sizes []string // those of n, m, d, ell and k that it uses
}

// judge is a run made ready to be asked.
type judge struct {
	*selection.Records
	world Context
	look  inference.Look
}

func newJudge(run results.Run, world Context) *judge {
	if world.Theorems == nil {
		world.Theorems = theory.Registry
	}
	return &judge{selection.New(run, world.Constants), world, lookAt(run, world.Planned)}
}
