package runner

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
)

var update = flag.Bool("update", false, "rewrite testdata/bad/*.want; read what changed")

// TestBadSpecs holds what Resolve says of each spec that only the registries
// show to be wrong against the text beside it.
func TestBadSpecs(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.bad.yml")
	if err != nil || len(files) < 5 {
		t.Fatalf("found %d bad specs, error %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := configs.Parse(filepath.Base(file), text)
		if err != nil {
			t.Errorf("%s: a mistake of the file alone, which belongs to package configs: %v", file, err)
			continue
		}
		_, err = Resolve(spec)
		if err == nil {
			t.Errorf("%s: Resolve accepts it", file)
			continue
		}
		wantFile := strings.TrimSuffix(file, ".bad.yml") + ".want"
		if *update {
			if err := os.WriteFile(wantFile, []byte(err.Error()+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, readErr := os.ReadFile(wantFile)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if diff := cmp.Diff(string(want), err.Error()+"\n"); diff != "" {
			t.Errorf("%s: error (-want +got):\n%s", file, diff)
		}
	}
}
