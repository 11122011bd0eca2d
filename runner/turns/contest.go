package turns

import (
	"context"
	"fmt"
	"math/rand/v2"

	"mercer/internal/compare"
	"mercer/results"
)

// Contest is two programs and what they are to run.
type Contest struct {
	Base, New Program
	Spec      string // as on a command line
	Profile   string
	Dir       string // an empty folder for what they write; it is left empty
}

// First has both programs run the first repeat. A spec that one of them refuses, or that
// they understand differently, is a Misuse.
func (c Contest) First(ctx context.Context) (base, new results.Run, err error) {
	if base, err = c.Base.records(ctx, c.Dir, c.Spec, c.Profile, repeat(0)); err != nil {
		return base, new, err
	}
	if new, err = c.New.records(ctx, c.Dir, c.Spec, c.Profile, repeat(0)); err != nil {
		return base, new, err
	}
	if base.Manifest.Spec != new.Manifest.Spec {
		err = Misuse{fmt.Errorf("%s is not the same experiment in %s and in %s: write one of them to a file (mercer show) and give that", c.Spec, c.Base.Name, c.New.Name)}
	}
	return base, new, err
}

// Repeats is how many repeats both runs of First have, of which each block is one.
func Repeats(base, new results.Run) int {
	repeats := min(base.Manifest.Repeats, new.Manifest.Repeats)
	for _, m := range []results.Manifest{base.Manifest, new.Manifest} {
		if m.FirstLook > 0 { // those that a run has in any case
			repeats = min(repeats, m.FirstLook)
		}
	}
	return repeats
}

// Blocks has both programs run in turns for so many rounds, each round one of so many
// repeats, from the first again after the last. The callback is told how many of all
// turns are done.
func (c Contest) Blocks(ctx context.Context, rounds, repeats int, coins *rand.Rand, done func(turns int)) ([]compare.Block, error) {
	blocks := make([]compare.Block, rounds)
	for round := range blocks {
		for i, isNew := range compare.DrawBlock(coins) {
			program := c.Base
			if isNew {
				program = c.New
			}
			run, err := program.records(ctx, c.Dir, c.Spec, c.Profile, repeat(round%repeats))
			if err != nil {
				return nil, err
			}
			blocks[round][i] = compare.Turn{New: isNew, Run: run}
			done(4*round + i + 1)
		}
	}
	return blocks, nil
}

// repeat is the condition on records that picks a repeat.
func repeat(n int) string { return fmt.Sprintf("repeat == %d", n) }
