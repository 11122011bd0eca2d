package results

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzManifest: no text makes reading a run panic; a manifest that is read is
// written and read again as it was.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"schema":2,"experiment":"e","profile":"paper","keys":["a"],"cells":1,"variables":["n"],"datasets":{"x":{"describe":"d","constants":{"N":3},"fingerprint":"f"}}` + "\n}\n"))
	f.Add([]byte(`{"schema":2` + "\n}\n"))
	f.Add([]byte(`{"schema":2,"cells":-5,"started":"yesterday","finished":"1970"` + "\n}\n"))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), sealed(text), 0o666); err != nil {
			t.Fatal(err)
		}
		run, err := Load(dir)
		if err != nil {
			return
		}
		if run.Missing() < 0 {
			t.Errorf("%d records are missing", run.Missing())
		}
		if err := WriteManifest(dir, run.Manifest); err != nil {
			t.Fatalf("%s was read but cannot be written: %v", text, err)
		}
		again, err := ReadManifest(dir)
		if err != nil {
			t.Fatalf("%s was written but cannot be read: %v", text, err)
		}
		if diff := cmp.Diff(run.Manifest, again, cmp.Comparer(func(a, b []string) bool { return len(a) == len(b) && (len(a) == 0 || cmp.Equal(a, b)) })); diff != "" {
			first, _ := os.ReadFile(filepath.Join(dir, ManifestFile))
			if err := WriteManifest(dir, again); err != nil {
				t.Fatal(err)
			}
			if second, _ := os.ReadFile(filepath.Join(dir, ManifestFile)); !bytes.Equal(first, second) {
				t.Errorf("%s changes at every reading:\n%s", text, diff)
			}
		}
	})
}

// FuzzPoints: a file of points is refused, or is written and read again as it was.
func FuzzPoints(f *testing.F) {
	f.Add([]byte(`{"input":[[1,2]],"image":[[3,4]],"class":[0]}`))
	f.Add([]byte(`{"input":[[1],[2]]}`))
	f.Add([]byte(`{"input":[[1e999,2]],"image":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		path := pointsPath(dir, "k")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := ReadPoints(dir, "k")
		if err != nil || len(p.Input) == 0 {
			return
		}
		if err := WritePoints(dir, "k", p); err != nil {
			t.Fatalf("%q was read but cannot be written: %v", text, err)
		}
		first, _ := os.ReadFile(path)
		if p, err = ReadPoints(dir, "k"); err != nil {
			t.Fatalf("%q was written but cannot be read: %v", first, err)
		}
		if err := WritePoints(dir, "k", p); err != nil {
			t.Fatal(err)
		}
		if second, _ := os.ReadFile(path); !bytes.Equal(first, second) {
			t.Errorf("%q becomes %q", first, second)
		}
	})
}

// FuzzScan: of any file of records, those that are read are read again from what
// an open store leaves of it, and nothing else.
func FuzzScan(f *testing.F) {
	var whole []byte
	for i := range 3 {
		line, err := Encode(sample(i))
		if err != nil {
			f.Fatal(err)
		}
		whole = append(append(whole, line...), '\n')
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Add(append(bytes.Clone(whole), whole...))
	f.Add([]byte("\n\n{\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		first, err := scanRows(bytes.NewReader(text), "f", 0)
		if err != nil {
			return
		}
		if first.end < 0 || first.end > int64(len(text)) {
			t.Fatalf("%d good bytes of %d", first.end, len(text))
		}
		again, err := scanRows(bytes.NewReader(text[:first.end]), "f", 0)
		if err != nil || !cmp.Equal(first.rows, again.rows) || again.end != first.end {
			t.Errorf("%q: %v, %s", text, err, cmp.Diff(first.rows, again.rows))
		}
	})
}
