package plan

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"mercer/configs"
)

// countdown is a context that ends when it has been asked so many times whether it
// has.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPrepareStops: a context that ends while a plan is made ends that, at each
// stage.
func TestPrepareStops(t *testing.T) {
	in := Input{File: "many.yaml", Profile: configs.DefaultProfile, Spec: strings.ReplaceAll(`
name: many
seed: 1
repeats: 1
datasets: [{id: p, use: series, decay: {power: 2}}]
grid: {n: [50, 100], m: [5], ell: [2], a: TEN, b: TEN, c: TEN}
methods: [{id: nystrom, use: nystrom}]
measure: [recon_h]
`, "TEN", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]")}
	asked := 0
	for left := 0; ; left = 2*left + 1 {
		ctx := &countdown{context.Background(), left}
		_, err := in.Prepare(ctx, io.Discard)
		if err == nil {
			break
		}
		asked++
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d questions: %v", left, err)
		}
	}
	if asked < 3 {
		t.Errorf("the context was asked fewer than %d times", 1<<asked)
	}
}
