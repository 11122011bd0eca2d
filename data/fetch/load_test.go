package fetch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// uci finds avila and banknote in $MERCER_TEST_DATA.
func uci(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MERCER_TEST_DATA")
	if dir == "" {
		t.Skip("SKIPPED: avila and banknote are not read: set MERCER_TEST_DATA to a directory with avila/ and banknote/")
	}
	return dir
}

func TestLoadUCI(t *testing.T) {
	dir := uci(t)
	cache(t)
	t.Setenv("MERCER_DATA", dir)
	from := files.Opener{Context: context.Background()}
	train, test, err := Load(from, "avila", false, io.Discard)
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
	train, test, err = Load(from, "banknote", false, io.Discard)
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
	_, _, err = Load(from, "banknote", true, io.Discard)
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
	cache(t)
	own := t.TempDir()
	t.Setenv("MERCER_DATA", own)
	var log strings.Builder
	from := files.Opener{Context: context.Background()}
	_, _, err := Load(from, "n-baiot", false, &log)
	says(t, err, "cannot get n-baiot.csv", "115 numeric columns", "named device", "MERCER_DATA=DIR")
	os.MkdirAll(filepath.Join(own, "n-baiot"), 0o755)
	path := filepath.Join(own, "n-baiot", "n-baiot.csv")
	os.WriteFile(path, []byte(nbaiotFile(115)), 0o600)
	train, test, err := Load(from, "n-baiot", false, &log)
	if err != nil || train.Len() != 4 || train.Dim() != 115 || len(train.Classes) != 2 || test.Len() != 0 {
		t.Errorf("%v: %d×%d", err, train.Len(), train.Dim())
	}
	if !strings.Contains(log.String(), "no published checksum; SHA-256 is ") {
		t.Errorf("log: %s", log.String())
	}
	os.WriteFile(path, []byte(nbaiotFile(114)), 0o600)
	_, _, err = Load(from, "n-baiot", false, &log)
	says(t, err, "114 numeric columns, want 115")
}

func TestListAndPath(t *testing.T) {
	dir := uci(t)
	cache(t)
	t.Setenv("MERCER_DATA", dir)
	here := map[string]bool{}
	for _, info := range List() {
		here[info.Name] = info.Cached
	}
	want, names := map[string]bool{}, []string{}
	for _, set := range All() {
		_, err := os.Stat(filepath.Join(dir, set.Name))
		want[set.Name] = err == nil
		names = append(names, set.Name)
	}
	if diff := cmp.Diff(want, here); diff != "" {
		t.Error(diff)
	}
	paths, err := Path("banknote")
	if err != nil || paths["data_banknote_authentication.txt"] != filepath.Join(dir, "banknote", "data_banknote_authentication.txt") {
		t.Errorf("%v %v", paths, err)
	}
	_, err = Path("fashion-mnist")
	says(t, err, "get it first (mercer data get fashion-mnist)")
	_, err = Get(context.Background(), "mnits", io.Discard)
	says(t, err, `no data set "mnits"; there are: `+strings.Join(names, ", "))
}

// The catalogue must be complete: sizes and checksums for what can be fetched, a
// description of all, https alone, and the directories of the environment obeyed.
func TestCatalog(t *testing.T) {
	for _, info := range List() {
		if info.Describe == "" || info.Source == "" || info.N == 0 || info.D == 0 || len(info.Files) == 0 {
			t.Errorf("%+v", info)
		}
	}
	for _, set := range catalog {
		if set.classes == 0 || set.own == "" && len(set.addresses) == 0 {
			t.Errorf("%s: %d classes, addresses %v", set.name, set.classes, set.addresses)
		}
		for _, f := range set.files {
			if pinned := f.size > 0 && len(f.sha256) == 64; pinned == (set.own != "") {
				t.Errorf("%s: %+v", set.name, f)
			}
		}
		for _, address := range set.addresses {
			if !strings.HasPrefix(address, "https://") {
				t.Errorf("%s: %s is not https", set.name, address)
			}
		}
	}
	t.Setenv("MERCER_CACHE", "c")
	t.Setenv("MERCER_DATA", "d")
	if dir, err := CacheDir(); dir != "c" || err != nil || DataDir() != "d" {
		t.Errorf("cache %s, %v, data %s", dir, err, DataDir())
	}
	t.Setenv("MERCER_CACHE", "")
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", "")
	_, err := set().get(context.Background(), io.Discard)
	says(t, err, "no cache directory", "set MERCER_CACHE")
}
