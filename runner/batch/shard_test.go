//go:build unix

package batch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mercer/runner"
)

// TestUnfinished: a warned shard goes back into the queue if it got anywhere; records
// that failed are no way forward.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	if err := os.WriteFile(filepath.Join(dir, "scontrol"), []byte("#!/bin/sh\necho \"$*\" > "+asked+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("SLURM_ARRAY_JOB_ID", "7")
	t.Setenv("SLURM_ARRAY_TASK_ID", "3")
	for failed, requeued := range map[int]bool{2: false, 1: true} {
		err := (&shard{dir: "run"}).unfinished(t.Context(), runner.Summary{Total: 5, Resumed: 1, Written: 2, Failed: failed}, true, func(string) {})
		if stopped := errors.As(err, new(Stopped)); err == nil || stopped != requeued {
			t.Errorf("%d of 2 failed: %#v", failed, err)
		}
		if text, _ := os.ReadFile(asked); string(text) == "requeue 7_3\n" != requeued {
			t.Errorf("%d of 2 failed: asked %q", failed, text)
		}
		os.Remove(asked)
	}
}
