package main

import (
	"bytes"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table into docs/scale.md")

// steady is a cluster where nothing happens, as fast as can be.
func steady(nodes, cores int) cluster {
	return cluster{nodes: nodes, cores: cores, slowdown: 1, lifetime: math.Inf(1), startRate: 1e12}
}

// TestSteady: without stragglers, losses and limits the makespan is known in closed
// form: rounds of shards, each a start and its share of the work.
func TestSteady(t *testing.T) {
	for _, c := range []struct {
		shards int
		want   float64
	}{{4, 1 * (3 + 250)}, {8, 2 * (3 + 125)}, {9, 3 * (3 + 1000.0/9)}, {1, 1003}} {
		o := simulate(steady(2, 2), job{work: 1000, shards: c.shards, start: 3, limit: math.Inf(1)}, rand.New(rand.NewPCG(1, 2)))
		if math.Abs(o.makespan-c.want) > 1e-6 || o.starts != c.shards || math.Abs(o.starting-3*float64(c.shards)) > 1e-9 || o.lost != 0 {
			t.Errorf("%d shards: %+v, want %v", c.shards, o, c.want)
		}
	}
	// A limit of 103 s on a shard of 250 s and starts of 3 s: three starts, two waits.
	limited := steady(1, 1)
	limited.requeue = 120
	o := simulate(limited, job{work: 250, shards: 1, start: 3, limit: 103, cell: 1}, rand.New(rand.NewPCG(1, 2)))
	if want := 250 + 3*3 + 2*120.0; math.Abs(o.makespan-want) > 1e-9 || o.starts != 3 {
		t.Errorf("with a limit: %+v, want %v", o, want)
	}
	// The controller starts one task in ten seconds, and there are cores for all.
	slow := steady(100, 1)
	slow.startRate = 0.1
	o = simulate(slow, job{work: 100, shards: 100, limit: math.Inf(1)}, rand.New(rand.NewPCG(1, 2)))
	if math.Abs(o.makespan-1001) > 1e-6 {
		t.Errorf("with a slow controller: %+v, want 100 starts of 10 s and a last one of 1 s", o)
	}
}

// TestLosses: of one core that is lost at rate 1/lifetime, the number of losses in
// its work is Poisson with mean work/lifetime; over 2000 runs of mean 0.5 its mean
// is within 0.5 ± 0.063 but for one time in 10^4 (4 standard errors of
// sqrt(0.5/2000)).
func TestLosses(t *testing.T) {
	c := steady(1, 1)
	c.lifetime, c.absence, c.detection = 2000, 50, 30
	losses, lost := 0, 0.0
	const n = 2000
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		o := simulate(c, job{work: 1000, shards: 1, limit: math.Inf(1), cell: 1}, rng)
		losses, lost = losses+o.starts-1, lost+o.lost
		if want := 1000 + o.lost + 50*float64(o.starts-1); math.Abs(o.makespan-want) > 1e-6 {
			t.Fatalf("%+v, want a makespan of %v", o, want)
		}
	}
	if mean := float64(losses) / n; math.Abs(mean-0.5) > 4*math.Sqrt(0.5/n) {
		t.Errorf("%v losses a run, want 0.5", mean)
	}
	if each := lost / float64(losses); math.Abs(each-0.5) > 0.05 { // uniform on (0,1), 1000 of them: 5 standard errors
		t.Errorf("a loss costs %v of a cell, want a half", each)
	}
}

// TestDocument: docs/scale.md holds the table that the simulation prints.
func TestDocument(t *testing.T) {
	const path, begin, end = "../../../docs/scale.md", "<!-- scale -->\n", "<!-- end scale -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no %q or %q", path, begin, end)
	}
	var b bytes.Buffer
	table(&b)
	want := head + begin + b.String() + end + tail
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date: go test ./internal/bench/scale -update", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}
