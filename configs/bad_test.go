package configs

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/bad/*.want; read what changed")

// TestBadSpecs holds the full error of each file with a mistake against the
// text beside it.
func TestBadSpecs(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.bad.yml")
	if err != nil || len(files) < 30 {
		t.Fatalf("found %d bad specs, error %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".bad.yml")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Parse(filepath.Base(file), text)
			if err == nil {
				t.Fatal("Parse accepts it")
			}
			wantFile := strings.TrimSuffix(file, ".bad.yml") + ".want"
			if *update {
				if err := os.WriteFile(wantFile, []byte(err.Error()+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err2 := os.ReadFile(wantFile)
			if err2 != nil {
				t.Fatal(err2)
			}
			if diff := cmp.Diff(string(want), err.Error()+"\n"); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}
