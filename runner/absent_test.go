package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/results"
	"mercer/runner/plan"
)

// TestAbsentDataset: the cells of an optional data set that is not there are
// skipped with the reason, and the rest is as without it; once the data are there, they
// are run.
func TestAbsentDataset(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	prepared := func() *plan.Plan { return planWith(t, absentSpec, plan.Input{Dir: dir}) }
	p := prepared()
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], `dataset "lost" is skipped`) {
		t.Errorf("notes %q", p.Notes)
	}
	run, summary := runIn(t, out, p, Options{Workers: 2})
	skipped := 0
	for _, r := range run.Rows {
		switch {
		case r.Dataset() == "lost" && r.Status == results.Skipped && strings.HasPrefix(r.Reason, "data: ") && strings.Contains(r.Reason, "not-there.csv"):
			skipped++
		case r.Dataset() == "lost" || r.Status != results.OK:
			t.Errorf("%s: %s %s", r.At, r.Status, r.Reason)
		}
	}
	if skipped != 2*2 || len(run.Rows) != 4+2*2*2 || summary.Failed != 0 || run.Missing() != 0 {
		t.Errorf("%d of %d rows skipped, %d failed, %d missing", skipped, len(run.Rows), summary.Failed, run.Missing())
	}
	if why := run.Catalog.Absent["lost"]; !strings.Contains(why, "not-there.csv") {
		t.Errorf("the catalogue says %q", why)
	}
	if _, again := runIn(t, out, prepared(), Options{}); again.Written != 0 {
		t.Errorf("%d rows written again", again.Written)
	}

	points := strings.Repeat("0.5,1,a\n3,2,b\n0.25,7,a\n", 30)
	if err := os.WriteFile(filepath.Join(dir, "not-there.csv"), []byte(points), 0o600); err != nil {
		t.Fatal(err)
	}
	found, summary := runIn(t, out, prepared(), Options{})
	if summary.Written != 2*2*2 || len(found.Rows) != 2*2*2*2 || summary.Failed != 0 {
		t.Errorf("with the data there: %d rows written of %d, %d failed", summary.Written, len(found.Rows), summary.Failed)
	}
}
