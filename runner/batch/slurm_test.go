package batch

import (
	"testing"
	"time"

	"mercer/runner/plan"
)

// TestOwnArguments: in whatever way sbatch reads them.
func TestOwnArguments(t *testing.T) {
	for _, own := range []string{"--array=0-3", "-a0-3", "-Jx", "--wra=x", "--clusters=x", "--cluster=x", "-Mx", "-QW", "--", "-D", "--job-name"} {
		if err := (Slurm{}).Check(Settings{Args: []string{own}}); err == nil {
			t.Errorf("%s is let through", own)
		}
	}
	args := []string{"--account=math", "-Amath-Ja", "-pJ", "--constraint=icelake", "--wait-all-nodes=1", "-Q", "--wckey=a", "-x", "-C[a|M]"}
	if err := (Slurm{}).Check(Settings{Args: args}); err != nil {
		t.Error(err)
	}
}

// TestWarning: half of the time is left in any case.
func TestWarning(t *testing.T) {
	for _, c := range []struct {
		limit   string
		longest float64
		want    time.Duration
	}{{"1", 0, 30 * time.Second}, {"1", 100, 30 * time.Second}, {"60", 0, time.Minute}, {"60", 100, 400 * time.Second}, {"60", 1000, 30 * time.Minute}, {"9-0", 1e6, mostWarning}} {
		if _, got := timeLimit(c.limit, []plan.Shard{{Seconds: c.longest, Longest: c.longest}}); got != c.want {
			t.Errorf("--time %s, longest fit %v s: %v, want %v", c.limit, c.longest, got, c.want)
		}
	}
}
