//go:build system

package cmd

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mercer/internal/compare"
	"mercer/results"
)

var realTurns = flag.Bool("turns.real", false, "compare a program with itself in times of this machine beside a busy neighbour")

const turnsSpec = `
name: turns
seed: 3
repeats: 400
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [300, 600], ell: [3], m: [60]}
methods:
  - {id: nystrom, use: nystrom}
measure: [time]
`

// TestTurnsOfRealTimes: a program is compared with itself 6000 times, each in 20 rounds of
// times that a run has measured one after the other, from a random one on, while other
// goroutines work and rest by turns. The coins alone decide who has which time; so each
// comparison has an interval that misses 1 with probability 1 % at most, and 91 of 6000 are
// passed by chance with probability 1e-4.
func TestTurnsOfRealTimes(t *testing.T) {
	if !*realTurns {
		t.Skip("only with -turns.real: it takes a minute of all processors")
	}
	times := measuredBesideANeighbour(t)
	const tries, rounds = 6000, 20
	o := compare.Options{Thresholds: compare.Thresholds{Drift: 1e-9, Elsewhere: 1e-6, Worse: 0.005, Slower: 1.03, Confidence: 0.99}, Metrics: compare.MetricOf}
	rng := rand.New(rand.NewPCG(20270401, 1))
	alarms, missed := 0, 0
	for range tries {
		c := compare.CompareTurns("base", "new", times.blocks(rng, rounds), o, rng)
		cells := c.Experiments[0].Turns.Cells
		if len(cells) != 2 {
			t.Fatalf("%d cells have times, want 2", len(cells))
		}
		if slices.ContainsFunc(cells, func(c compare.PairedTime) bool {
			return c.Verdict == compare.PaceSlower || c.Verdict == compare.PaceFaster
		}) {
			alarms++
		}
		if slices.ContainsFunc(cells, func(c compare.PairedTime) bool { return c.Low > 1 || c.High < 1 }) {
			missed++
		}
	}
	t.Logf("of %d comparisons of a program with itself, %d call a cell slower or faster, and in %d an interval misses 1; the slowest turn took %.1f times the median",
		tries, alarms, missed, times.slowest())
	if missed > 91 || times.slowest() < 1.5 {
		t.Errorf("%d intervals miss 1, and the slowest turn took %.1f times the median: either too many, or no neighbour", missed, times.slowest())
	}
}

// turnTimes are the records of a run by repeat.
type turnTimes struct {
	results.Manifest
	turns [][]results.Record
}

func measuredBesideANeighbour(t *testing.T) turnTimes {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "turns.yaml"), []byte(turnsSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	stop := make(chan bool)
	for range 2 {
		go neighbour(stop)
	}
	text, err := mercerCommand(dir, "run", "turns.yaml", "--out", "run", "--quiet").CombinedOutput()
	close(stop)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	run, err := results.Load(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	times := turnTimes{run.Manifest, make([][]results.Record, run.Manifest.Repeats)}
	for _, r := range run.Records {
		times.turns[r.Repeat] = append(times.turns[r.Repeat], r)
	}
	return times
}

// neighbour works and rests for up to 30 ms each.
func neighbour(stop chan bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	part := func() time.Duration { return time.Duration(rng.Float64() * float64(30*time.Millisecond)) }
	for {
		for until := time.Now().Add(part()); time.Now().Before(until); {
		}
		select {
		case <-stop:
			return
		case <-time.After(part()):
		}
	}
}

// blocks are rounds of turns in the order of the run, from a random turn on. All have the
// records of the first repeat but for the times.
func (m turnTimes) blocks(rng *rand.Rand, rounds int) []compare.Block {
	at := rng.IntN(len(m.turns) - 4*rounds + 1)
	blocks := make([]compare.Block, rounds)
	for b := range blocks {
		for i, isNew := range compare.DrawBlock(rng) {
			turn := compare.Turn{New: isNew, Run: results.Run{Manifest: m.Manifest}}
			for k, r := range m.turns[at] {
				first := m.turns[0][k]
				r.Key, r.Repeat, r.Point, r.Sizes = first.Key, first.Repeat, first.Point, first.Sizes
				turn.Records = append(turn.Records, r)
			}
			blocks[b][i] = turn
			at++
		}
	}
	return blocks
}

// slowest is the longest time of the first cell over the median one.
func (m turnTimes) slowest() float64 {
	var all []float64
	for _, turn := range m.turns {
		seconds, _ := turn[0].Metrics.Get("time_total")
		all = append(all, seconds.Value)
	}
	slices.Sort(all)
	return all[len(all)-1] / all[len(all)/2]
}
