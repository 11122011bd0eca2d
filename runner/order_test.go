package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/plan/plantest"
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
		var r results.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		order = append(order, fmt.Sprintf("%d %s %v", r.Repeat, r.Method, r.Point))
	}
	return order
}

// TestOrderOfTimedFits: timed fits are computed in the order that the plan draws, with
// any number of workers, in worker processes, after a stop, and in shards as far as
// these have them; the first fit is not always of the same method.
func TestOrderOfTimedFits(t *testing.T) {
	text := strings.Replace(plantest.Small, "measure: [", "measure: [time, ", 1)
	p := preparedFrom(t, text, "", nil)
	var want []string
	first := map[string]bool{}
	for _, g := range p.Groups {
		for i, pass := range p.Order(g) {
			want = append(want, fmt.Sprintf("%d %s %v", g.Repeat, pass[0].Method, g.Point(pass[0].Cells[0])))
			first[pass[0].Method] = first[pass[0].Method] || i == 0
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
	testShardOrder(t, p, want)
}

// testShardOrder: a shard computes its records in the order of the whole plan.
func testShardOrder(t *testing.T, whole *plan.Plan, want []string) {
	t.Helper()
	frozen := whole.Freeze(whole.Origin.Input, 5)
	count := 0
	for i := range frozen.Shards {
		p, err := frozen.Plan(context.Background(), io.Discard, i)
		if err != nil {
			t.Fatal(err)
		}
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
