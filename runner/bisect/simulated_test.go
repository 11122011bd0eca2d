//go:build system

package bisect

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"mercer/internal/compare"
	"mercer/results"
	"mercer/runner/turns"
)

// simulated are programs of one cell that from a commit on take longer by a factor, on a
// machine with a slow wander and bursts that last some turns.
type simulated struct {
	rng    *rand.Rand
	first  int // commit that is slower
	factor float64
	builds int
	wander float64
	burst  float64
	left   int
}

func (s *simulated) build(_ context.Context, commit int) (side, error) {
	s.builds++
	return side{Program: turns.Program{Name: strconv.Itoa(commit)}, first: s.run(commit, 0)}, nil
}

func (s *simulated) inTurns(_ context.Context, good, tried side, rounds int) ([]compare.Block, error) {
	blocks := make([]compare.Block, rounds)
	for round := range blocks {
		for i, isNew := range compare.DrawBlock(s.rng) {
			name := good.Name
			if isNew {
				name = tried.Name
			}
			commit, err := strconv.Atoi(name)
			if err != nil {
				return nil, err
			}
			blocks[round][i] = compare.Turn{New: isNew, Run: s.run(commit, round)}
		}
	}
	return blocks, nil
}

// run is one turn of a commit.
func (s *simulated) run(commit, repeat int) results.Run {
	s.wander = 0.95*s.wander + 0.02*s.rng.NormFloat64()
	if s.left--; s.left <= 0 && s.rng.Float64() < 0.1 {
		s.burst, s.left = 0.2/math.Sqrt(s.rng.Float64()), 1+s.rng.IntN(5)
	}
	log := s.wander + 0.02*s.rng.NormFloat64()
	if s.left > 0 {
		log += s.burst
	}
	seconds := 0.01 * math.Exp(log)
	if commit >= s.first {
		seconds *= s.factor
	}
	r := results.Record{
		Schema: results.SchemaVersion, Key: "key" + strconv.Itoa(repeat), Experiment: "exp", Dataset: "data", Method: "a",
		Point: map[string]float64{"n": 100}, Repeat: repeat, Status: results.OK, Version: "1",
	}
	r.N = 100
	r.Metrics.Set("time_total", results.Metric{Value: seconds, Unit: "s"})
	r.Metrics.Set("recon_h", results.Metric{Value: 0.5})
	return results.Run{
		Manifest: results.Manifest{Experiment: "exp", Profile: "timing", Variables: []string{"n"}},
		Records:  []results.Record{r},
	}
}

// TestErrorRateByTimes searches 1000 times for the first slower one of 32 commits in
// simulated times, slower by 25 %, 50 % or 100 % where 20 % are looked for. At most 5 % of
// searches may leave it out of their suspects, as docs/compare.md states: more than 72 of
// 1000 do with probability 0.001 at a rate of 5 %. Seven programs are built.
func TestErrorRateByTimes(t *testing.T) {
	const searches, commits = 1000, 32
	rng := rand.New(rand.NewPCG(20270302, 1))
	wrong, found, ranges := 0, 0, 0
	for i := range searches {
		s := &simulated{rng: rng, first: 1 + rng.IntN(commits), factor: []float64{1.25, 1.5, 2}[i%3]}
		h := Hunt{
			Commits: make([]Commit, commits+1), Coins: rng, programs: s, Say: func(string, ...any) {},
			Thresholds: compare.Thresholds{Drift: 1e-9, Elsewhere: 1e-6, Worse: 0.005, Slower: 1.2, Confidence: 0.95},
		}
		for c := range h.Commits {
			h.Commits[c].Hash = strconv.Itoa(c)
		}
		a, err := h.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		inside := false
		for _, c := range a.Suspects {
			inside = inside || c.Hash == strconv.Itoa(s.first)
		}
		switch {
		case !inside:
			wrong++
		case len(a.Suspects) == 1:
			found++
		default:
			ranges++
		}
		if a.Builds > 7 || a.Builds != s.builds {
			t.Errorf("%d builds", a.Builds)
		}
	}
	t.Logf("of %d searches %d found the commit, %d left a range with it, %d were wrong", searches, found, ranges, wrong)
	if wrong > 72 {
		t.Errorf("%d of %d searches were wrong", wrong, searches)
	}
	if found < searches/2 {
		t.Errorf("only %d of %d searches found the commit", found, searches)
	}
}
