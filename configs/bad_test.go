package configs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	. "mercer/configs"
	"mercer/configs/source"
)

// TestBadSpecs compares the full error of each spec with a mistake with the text
// beside it: NAME.bad.yml and NAME.want of the archives.
func TestBadSpecs(t *testing.T) {
	archives, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	specs := 0
	for _, file := range archives {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(archive.Files); i += 2 {
			bad := archive.Files[i]
			name := strings.TrimSuffix(bad.Name, ".bad.yml")
			if i+1 == len(archive.Files) || archive.Files[i+1].Name != name+".want" {
				t.Fatalf("%s: %s is not followed by %s.want", file, bad.Name, name)
			}
			want := &archive.Files[i+1]
			specs++
			t.Run(name, func(t *testing.T) {
				_, err := source.Parse(bad.Name, bad.Data)
				if err == nil {
					t.Fatal("Parse accepts it")
				}
				if *Update {
					want.Data = []byte(err.Error() + "\n")
				}
				if diff := cmp.Diff(string(want.Data), err.Error()+"\n"); diff != "" {
					t.Errorf("error (-want +got):\n%s", diff)
				}
			})
		}
		if *Update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if specs < 120 {
		t.Errorf("found %d bad specs", specs)
	}
}
