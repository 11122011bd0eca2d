package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBadSpecsThroughTheCommand runs every bad spec of package configs: exit
// code 2, its messages in their order, further ones only where names, parameters or
// sizes are wrong too, and nothing written.
func TestBadSpecsThroughTheCommand(t *testing.T) {
	files, err := filepath.Glob("../configs/testdata/bad/*.bad.yml")
	if err != nil || len(files) < 25 {
		t.Fatalf("found %d bad specs, error %v", len(files), err)
	}
	sources, err := filepath.Abs("../configs/testdata/bad")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, file := range files {
		name := filepath.Base(file)
		text, err := os.ReadFile(filepath.Join(sources, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(sources, strings.TrimSuffix(name, ".bad.yml")+".want"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if code := Main([]string{"run", name}, strings.NewReader(""), &stdout, &stderr); code != exitUsage {
			t.Errorf("%s: exit code %d, want %d", name, code, exitUsage)
		}
		ours := map[string]bool{}
		for line := range strings.Lines(string(want)) {
			ours[line] = true
		}
		got := ""
		for line := range strings.Lines(stderr.String()) {
			switch {
			case ours[line]:
				got += line
			case !strings.HasPrefix(line, name+":"):
				t.Errorf("%s: a message without a place: %s", name, line)
			}
		}
		if diff := cmp.Diff(string(want), got); diff != "" || stdout.Len() > 0 {
			t.Errorf("%s: stdout %q, stderr (-want +got):\n%s", name, stdout.String(), diff)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Fatalf("%s: left %v behind, %v", name, left, err)
		}
	}
}
