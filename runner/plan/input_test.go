package plan

import (
	"context"
	"io"
	"testing"

	"mercer/runner/plan/plantest"
)

// TestInput: an input makes the same plan every time, another one for another
// seed.
func TestInput(t *testing.T) {
	input := Input{File: "small.yaml", Spec: plantest.Small, Dir: "testdata", Profile: "ci", Filter: "repeat < 2"}
	plan := func(r Input) *Plan {
		t.Helper()
		p, err := r.PrepareShard(context.Background(), io.Discard, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first, again := plan(input), plan(input)
	if first.Records() != 24 || first.Digest() != again.Digest() {
		t.Errorf("%d records (want 2·2·2·3), digests %s and %s", first.Records(), first.Digest(), again.Digest())
	}
	input.Filter = "repeat == 0"
	if fewer := plan(input); fewer.Digest() == first.Digest() {
		t.Error("plans of other records have one digest")
	}
}
