package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestBadSpecsThroughTheCommand runs every bad spec of package configs: exit
// code 2, its messages in their order, further ones only where names, parameters or
// sizes are wrong too, and nothing written.
func TestBadSpecsThroughTheCommand(t *testing.T) {
	archives, err := filepath.Glob("../configs/testdata/bad/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var files []txtar.File
	for _, file := range archives {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, archive.Files...)
	}
	if len(files) < 240 {
		t.Fatalf("found %d bad specs", len(files)/2)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for i := 0; i+1 < len(files); i += 2 { // NAME.bad.yml and NAME.want
		name, text, want := files[i].Name, files[i].Data, files[i+1].Data
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
