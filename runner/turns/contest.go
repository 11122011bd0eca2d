package turns

import (
	"context"
	"fmt"
	"math/rand/v2"

	"mercer/internal/compare"
	"mercer/internal/misuse"
	"mercer/results"
)

// Contest is two programs and what they are to run.
type Contest struct {
	Base, New Program
	Spec      string // as on a command line
	Profile   string
	Each      int    // repeats of each run
	Dir       string // an empty folder for what they write; it is left empty
}

// First has both programs run the first repeats. A spec that one of them refuses, or that
// they understand differently, is a misuse.
func (c Contest) First(ctx context.Context) (base, new results.Run, err error) {
	if base, err = c.Once(ctx, c.Base); err != nil {
		return base, new, err
	}
	if new, err = c.Once(ctx, c.New); err != nil {
		return base, new, err
	}
	return base, new, c.alike(base, new)
}

// Once has a program run the first repeats.
func (c Contest) Once(ctx context.Context, p Program) (results.Run, error) {
	return p.records(ctx, c.Dir, c.Spec, c.Profile, c.part(0, c.Each))
}

// alike refuses runs of different experiments.
func (c Contest) alike(base, new results.Run) error {
	if base.Manifest.Spec != new.Manifest.Spec {
		return misuse.Errorf("%s is not the same experiment in %s and in %s: write one of them to a file (mercer show) and give that", c.Spec, c.Base.Name, c.New.Name)
	}
	return nil
}

// repeatsOf is how many repeats of the spec both programs know.
func repeatsOf(base, new results.Run) int {
	repeats := min(base.Manifest.Repeats, new.Manifest.Repeats)
	for _, m := range []results.Manifest{base.Manifest, new.Manifest} {
		if m.FirstLook > 0 { // those that a run has in any case
			repeats = min(repeats, m.FirstLook)
		}
	}
	return repeats
}

// Blocks has both programs run in turns for so many rounds: in each round the repeats that
// follow those of the last, from the first again where none are left. Base and new are the
// runs of First. The callback is told how many of all turns are done.
func (c Contest) Blocks(ctx context.Context, base, new results.Run, rounds int, coins *rand.Rand, done func(turns int)) ([]compare.Block, error) {
	blocks, repeats := make([]compare.Block, rounds), repeatsOf(base, new)
	for round := range blocks {
		for i, isNew := range compare.DrawBlock(coins) {
			program := c.Base
			if isNew {
				program = c.New
			}
			run, err := program.records(ctx, c.Dir, c.Spec, c.Profile, c.part(round, repeats))
			if err != nil {
				return nil, err
			}
			blocks[round][i] = compare.Turn{New: isNew, Run: run}
			done(4*round + i + 1)
		}
	}
	return blocks, nil
}

// part is the condition on records that picks the repeats of a round, of all that there
// are.
func (c Contest) part(round, repeats int) string {
	parts := max(1, repeats/c.Each)
	first := round % parts * c.Each
	return fmt.Sprintf("repeat >= %d && repeat < %d", first, min(first+c.Each, repeats))
}
