package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/results"
	"mercer/runner/plan"
)

// computed lists the records of a run in the order in which they were stored, which is
// that in which one worker computes them.
func computed(t *testing.T, dir string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, results.RecordsFile))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for line := range strings.Lines(string(text)) {
		r, err := results.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, fmt.Sprint(r.At, r.Repeat))
	}
	return order
}

// TestOrderOfTimedFits: timed fits are computed in the order that the plan draws, with
// any number of workers, in worker processes, after a stop, and in shards as far as
// these have them; the first fit is not always of the same method.
func TestOrderOfTimedFits(t *testing.T) {
	text := strings.Replace(smallSpec, "measure: [", "measure: [time, ", 1)
	p := planOf(t, text, "")
	var want []string
	first := map[string]bool{}
	for repeat := range p.Repeats() {
		for i, u := range p.Units(p.Groups[0], repeat) {
			at := u.Cells[0][0].At
			want = append(want, fmt.Sprint(at, repeat))
			first[at.Text("method")] = first[at.Text("method")] || i == 0
		}
	}
	if methods := slices.DeleteFunc([]string{"ekpca", "nystrom", "rff"}, func(m string) bool { return !first[m] }); len(methods) < 2 {
		t.Errorf("in 4 repeats only %v comes first", methods)
	}
	dir := t.TempDir()
	runIn(t, dir, p, Options{Workers: 1})
	if diff := cmp.Diff(want, computed(t, dir)); diff != "" {
		t.Errorf("in one process:\n%s", diff)
	}
	file := filepath.Join(dir, results.RecordsFile)
	text17, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text17), "\n")
	if err := os.WriteFile(file, []byte(strings.Join(lines[:17], "")), 0o666); err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, p, Options{Workers: 4})
	if diff := cmp.Diff(want, computed(t, dir)); diff != "" {
		t.Errorf("stopped after 17 records:\n%s", diff)
	}
	apart := t.TempDir()
	runIn(t, apart, p, isolating(t))
	if diff := cmp.Diff(want, computed(t, apart)); diff != "" {
		t.Errorf("in worker processes:\n%s", diff)
	}
	testShardOrder(t, text, want)
}

// testShardOrder: a shard computes its records in the order of the whole plan.
func testShardOrder(t *testing.T, spec string, want []string) {
	t.Helper()
	count := 0
	for i := range 5 {
		p := planWith(t, spec, plan.Input{Shard: plan.Shard{I: i + 1, N: 5}})
		dir := t.TempDir()
		runIn(t, dir, p, Options{Workers: 1})
		here := computed(t, dir)
		count += len(here)
		due := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return !slices.Contains(here, s) })
		if diff := cmp.Diff(due, here); diff != "" {
			t.Errorf("shard %d:\n%s", i, diff)
		}
	}
	if count != len(want) {
		t.Errorf("the shards have %d records of %d", count, len(want))
	}
}
