package runner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/results"
	"mercer/runner/plan"
	"mercer/runner/plan/plantest"
)

// TestAbsentDataset: the cells of an optional data set that is not there are
// skipped with the reason, claims do not apply to it, and the rest is as without
// it; once the data are there, they are run.
func TestAbsentDataset(t *testing.T) {
	dir := t.TempDir()
	plan := func(text string) *plan.Plan {
		t.Helper()
		resolved, err := plan.Resolve(parsed(t, text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Prepare(context.Background(), nil, resolved, plan.Input{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := plan(plantest.Absent)
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], `dataset "lost" is skipped`) {
		t.Errorf("notes %q", p.Notes)
	}
	out := t.TempDir()
	run, summary := runIn(t, out, p, Options{Workers: 2})
	skipped := 0
	for _, r := range run.Records {
		switch {
		case r.Dataset == "lost" && r.Status == results.Skipped && strings.HasPrefix(r.Reason, "data: ") && strings.Contains(r.Reason, "not-there.csv"):
			skipped++
		case r.Dataset == "lost" || r.Status != results.OK:
			t.Errorf("%s %s: %s %s", r.Dataset, r.Method, r.Status, r.Reason)
		}
	}
	if skipped != 2*2 || len(run.Records) != 4+2*2*2 || summary.Failed != 0 || run.Missing() != 0 {
		t.Errorf("%d of %d records skipped, %d failed, %d missing", skipped, len(run.Records), summary.Failed, run.Missing())
	}
	verdicts, err := claims.Judge(p.Spec.Claims, run, claims.Context{})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string][]string{}
	for _, v := range verdicts {
		lost := len(v.Group) == 1 && v.Group[0].Value == "lost"
		if lost != (v.Outcome == claims.NotApplicable) || lost && !strings.Contains(v.Reason, "not-there.csv") {
			t.Errorf("%s %v: %s: %s", v.Claim, v.Group, v.Outcome, v.Reason)
		}
		outcomes[v.Claim] = append(outcomes[v.Claim], string(v.Outcome))
	}
	if len(outcomes["all"]) != 3 || len(outcomes["of-lost"]) != 1 || len(outcomes["of-rings"]) != 1 {
		t.Errorf("verdicts %v", outcomes)
	}
	if _, again := runIn(t, out, plan(plantest.Absent), Options{}); again.Written != 0 {
		t.Errorf("%d records written again", again.Written)
	}
	var points strings.Builder
	for i := range 90 {
		points.WriteString([]string{"0.5,1,a\n", "3,2,b\n", "0.25,7,a\n"}[i%3])
	}
	if err := os.WriteFile(filepath.Join(dir, "not-there.csv"), []byte(points.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	found, summary := runIn(t, out, plan(plantest.Absent), Options{})
	if summary.Written != 2*2*2 || len(found.Records) != 2*2*2*2 || summary.Failed != 0 {
		t.Errorf("with the data there: %d records written of %d, %d failed", summary.Written, len(found.Records), summary.Failed)
	}
}
