package plan

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mercer/configs/source"
)

var update = flag.Bool("update", false, "rewrite the .want files in testdata/bad/measures.txtar; read what changed")

// TestBadSpecs holds what Resolve says of each spec that only the registries
// show to be wrong against the text beside it: NAME.bad.yml and NAME.want.
func TestBadSpecs(t *testing.T) {
	const file = "testdata/bad/measures.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil || len(archive.Files) < 12 {
		t.Fatalf("too few bad specs, error %v", err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		bad := archive.Files[i]
		name := strings.TrimSuffix(bad.Name, ".bad.yml")
		if i+1 == len(archive.Files) || archive.Files[i+1].Name != name+".want" {
			t.Fatalf("%s is not followed by %s.want", bad.Name, name)
		}
		want := &archive.Files[i+1]
		spec, err := source.Parse(bad.Name, bad.Data)
		if err != nil {
			t.Errorf("%s: a mistake of the file alone, which belongs to package configs: %v", name, err)
			continue
		}
		if _, err = Resolve(spec); err == nil {
			t.Errorf("%s: Resolve accepts it", name)
			continue
		}
		if *update {
			want.Data = []byte(err.Error() + "\n")
		}
		if diff := cmp.Diff(string(want.Data), err.Error()+"\n"); diff != "" {
			t.Errorf("%s: error (-want +got):\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
