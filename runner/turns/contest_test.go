package turns

import (
	"testing"

	"mercer/results"
)

// TestParts: rounds go through the repeats that there are, and begin again where no full
// part is left.
func TestParts(t *testing.T) {
	for _, tt := range []struct {
		each, repeats int
		want          []string // of the first rounds
	}{
		{1, 2, []string{"repeat >= 0 && repeat < 1", "repeat >= 1 && repeat < 2", "repeat >= 0 && repeat < 1"}},
		{2, 5, []string{"repeat >= 0 && repeat < 2", "repeat >= 2 && repeat < 4", "repeat >= 0 && repeat < 2"}},
		{10, 3, []string{"repeat >= 0 && repeat < 3", "repeat >= 0 && repeat < 3"}},
	} {
		for round, want := range tt.want {
			if got := (Contest{Each: tt.each}).part(round, tt.repeats); got != want {
				t.Errorf("%d of %d repeats, round %d: %s, want %s", tt.each, tt.repeats, round, got, want)
			}
		}
	}
}

// TestRepeatsOf: only repeats that both programs run in any case count.
func TestRepeatsOf(t *testing.T) {
	run := func(repeats, first int) results.Run {
		return results.Run{Manifest: results.Manifest{Repeats: repeats, FirstLook: first}}
	}
	for _, tt := range []struct {
		base, new results.Run
		want      int
	}{{run(5, 0), run(5, 0), 5}, {run(5, 0), run(3, 0), 3}, {run(320, 8), run(320, 8), 8}, {run(320, 0), run(320, 16), 16}} {
		if got := repeatsOf(tt.base, tt.new); got != tt.want {
			t.Errorf("%+v and %+v: %d, want %d", tt.base.Manifest, tt.new.Manifest, got, tt.want)
		}
	}
}
