package plan

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/runner/plan/plantest"
)

// TestAbsentIsAnError: without optional, and of data that are there but wrong.
func TestAbsentIsAnError(t *testing.T) {
	for _, test := range []struct{ text, file, says string }{
		{strings.Replace(plantest.Absent, ", optional: true", "", 1), "", "not-there.csv"},
		{plantest.Absent, "1,2,a\n1,x,b\n", "not a number"},
	} {
		dir := t.TempDir()
		if test.file != "" {
			if err := os.WriteFile(filepath.Join(dir, "not-there.csv"), []byte(test.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		resolved, err := Resolve(parsed(t, test.text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Prepare(context.Background(), nil, resolved, Input{Dir: dir}); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("error %v, want %s", err, test.says)
		}
	}
}
