package fetch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// images checks the tables of MNIST's shape: 60000 and 10000 images of 784
// pixels in [0,1], ten classes, in storage of a byte a pixel.
func images(t *testing.T, train, test files.Table) {
	t.Helper()
	digits := strings.Split("0123456789", "")
	for _, c := range []struct {
		t files.Table
		n int
	}{{train, 60000}, {test, 10000}} {
		if c.t.Len() != c.n || c.t.Dim() != 784 || len(c.t.Labels) != c.n {
			t.Fatalf("%d×%d with %d labels, want %d×784", c.t.Len(), c.t.Dim(), len(c.t.Labels), c.n)
		}
		if diff := cmp.Diff(digits, c.t.Classes); diff != "" {
			t.Errorf("classes:\n%s", diff)
		}
		var x mat.Dense
		c.t.X.Rows([]int{0, c.n - 1}, &x)
		if mat.Min(&x) != 0 || mat.Max(&x) > 1 || mat.Max(&x) < 0.5 {
			t.Errorf("pixels in [%v, %v]", mat.Min(&x), mat.Max(&x))
		}
		if _, ok := c.t.X.(*files.BytePool); !ok {
			t.Errorf("stored as %T", c.t.X)
		}
	}
}

// uci finds avila and banknote: in $MERCER_TEST_DATA, or beside the module.
func uci(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MERCER_TEST_DATA")
	if dir == "" {
		out, err := exec.Command("go", "env", "GOMOD").Output()
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(filepath.Dir(strings.TrimSpace(string(out))), "..", "shared", "data", "uci")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED, avila and banknote untested: set MERCER_TEST_DATA to a directory with avila/ and banknote/ (%v)", err)
	}
	return dir
}

func TestLoadUCI(t *testing.T) {
	dir := uci(t)
	o := LoadOptions{Options: Options{DataDir: dir, CacheDir: t.TempDir()}}
	train, test, err := Load(context.Background(), "avila", o)
	if err != nil {
		t.Fatal(err)
	}
	type shape struct{ train, test, d, classes, first, last int }
	got := shape{train.Len(), test.Len(), train.Dim(), len(train.Classes), train.Labels[0], test.Labels[0]}
	if diff := cmp.Diff(shape{10430, 10437, 10, 12, 0, 9}, got, cmp.AllowUnexported(shape{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(strings.Split("ABCDEFGHIWXY", ""), test.Classes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0.266074, -0.16562, 0.32098, 0.483299, 0.17234, 0.273364, 0.371178, 0.929823, 0.251173, 0.159345}, mat.Row(nil, 0, train.Dense())); diff != "" {
		t.Error(diff)
	}
	train, test, err = Load(context.Background(), "banknote", o)
	if err != nil {
		t.Fatal(err)
	}
	ones := 0
	for _, c := range train.Labels {
		ones += c
	}
	if train.Len() != 1372 || train.Dim() != 4 || test.Len() != 0 || ones != 610 {
		t.Errorf("banknote %d×%d, test %d, %d of class 1", train.Len(), train.Dim(), test.Len(), ones)
	}
	o.Scale = true
	_, _, err = Load(context.Background(), "banknote", o)
	says(t, err, "has no pixels to scale")
}

// nbaiotFile is a file of the user's own with d features.
func nbaiotFile(d int) string {
	var b strings.Builder
	for i := range d {
		fmt.Fprintf(&b, "f%d,", i)
	}
	b.WriteString("device\n")
	for i := range 4 {
		b.WriteString(strings.Repeat("0.5,", d) + fmt.Sprintf("d%d\n", i%2))
	}
	return b.String()
}

func TestLoadNBaIoT(t *testing.T) {
	own := t.TempDir()
	var log strings.Builder
	o := LoadOptions{Options: Options{DataDir: own, CacheDir: t.TempDir(), Log: &log}}
	_, _, err := Load(context.Background(), "n-baiot", o)
	says(t, err, "cannot be fetched", "n-baiot.csv", "115 numeric columns", "named device", "MERCER_DATA=DIR")
	os.MkdirAll(filepath.Join(own, "n-baiot"), 0o755)
	path := filepath.Join(own, "n-baiot", "n-baiot.csv")
	os.WriteFile(path, []byte(nbaiotFile(115)), 0o600)
	train, test, err := Load(context.Background(), "n-baiot", o)
	if err != nil || train.Len() != 4 || train.Dim() != 115 || len(train.Classes) != 2 || test.Len() != 0 {
		t.Errorf("%v: %d×%d", err, train.Len(), train.Dim())
	}
	if !strings.Contains(log.String(), "no published checksum; SHA-256 is ") {
		t.Errorf("log: %s", log.String())
	}
	os.WriteFile(path, []byte(nbaiotFile(114)), 0o600)
	_, _, err = Load(context.Background(), "n-baiot", o)
	says(t, err, "114 numeric columns, want 115")
}

func TestListAndPath(t *testing.T) {
	dir := uci(t)
	o := Options{DataDir: dir, CacheDir: t.TempDir()}
	here := map[string]bool{}
	for _, info := range List(o) {
		here[info.Name] = info.Cached
		if info.Describe == "" || info.Source == "" || info.N == 0 || info.D == 0 || len(info.Files) == 0 {
			t.Errorf("%+v", info)
		}
	}
	want := map[string]bool{"mnist": false, "fashion-mnist": false, "avila": true, "banknote": true, "n-baiot": false}
	if diff := cmp.Diff(want, here); diff != "" {
		t.Error(diff)
	}
	paths, err := Path("banknote", o)
	if err != nil || paths[banknote] != filepath.Join(dir, "banknote", banknote) {
		t.Errorf("%v %v", paths, err)
	}
	_, err = Path("mnist", o)
	says(t, err, "get it first (mercer data get mnist)")
	_, err = Get(context.Background(), "mnits", o)
	says(t, err, `no data set "mnits"; there are: mnist, fashion-mnist, avila, banknote, n-baiot`)
}

// The catalogue must be complete: sizes and checksums for what can be fetched,
// https alone, and the directories of the environment obeyed.
func TestCatalog(t *testing.T) {
	for _, set := range catalog {
		for _, f := range set.files {
			if pinned := f.size > 0 && len(f.sha256) == 64; pinned == (set.own != "") {
				t.Errorf("%s: %+v", set.name, f)
			}
		}
		for _, s := range set.sources {
			if s := s.String(); strings.Contains(s, "://") && !strings.HasPrefix(s, "https://") {
				t.Errorf("%s: %s is not https", set.name, s)
			}
		}
	}
	t.Setenv("MERCER_CACHE", "c")
	t.Setenv("MERCER_DATA", "d")
	if dir, err := (Options{}).cacheDir(); dir != "c" || err != nil || (Options{}).dataDir() != "d" {
		t.Errorf("cache %s, %v, data %s", dir, err, (Options{}).dataDir())
	}
	if dir, _ := (Options{CacheDir: "x"}).cacheDir(); dir != "x" || (Options{DataDir: "y"}).dataDir() != "y" {
		t.Error("the environment goes before the options")
	}
	t.Setenv("MERCER_CACHE", "")
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", "")
	never := sourceFunc(func() error { panic("tried") })
	g := getter{catalog: []dataset{{name: "set", files: []file{fileOf("points", nil)}, sources: []source{never}}}, limits: patient}
	_, err := g.get(context.Background(), "set", Options{})
	says(t, err, "no cache directory", "set MERCER_CACHE")
}
