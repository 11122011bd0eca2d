package data

import (
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestLIBSVMBytes: the same samples as from the file in memory, converted once;
// and again where the file is another.
func TestLIBSVMBytes(t *testing.T) {
	t.Setenv("MERCER_CACHE", t.TempDir())
	text := strings.Repeat("3 1:7 3:255\n0 2:1\n3 1:9\n", 20)
	c := written(t, "x.libsvm", text)
	var log strings.Builder
	c.Log = &log
	plain := must(open("libsvm", "{path: x.libsvm, dim: 3, population: {held_out: 12}}", c))
	kept := must(open("libsvm", "{path: x.libsvm, dim: 3, bytes: true, population: {held_out: 12}}", c))
	want, wantLabels, _ := must(plain.Draw(repeat(4))).Sample(40)
	draw := must(kept.Draw(repeat(4)))
	got, labels, err := draw.Sample(40)
	if err != nil || !mat.Equal(got, want) || labels[7] != wantLabels[7] || kept.Constants()["N"] != 48 {
		t.Errorf("another sample (%v)", err)
	}
	if x, _ := draw.HeldOut(); x.RawMatrix().Rows != 12 {
		t.Error("no held-out points")
	}
	if a, b := must(plain.Distances().RMS()), must(kept.Distances().RMS()); a != b {
		t.Errorf("distances %v and %v", a, b)
	}
	if strings.Count(log.String(), "converting") != 1 {
		t.Errorf("log: %s", log.String())
	}
	scaled := must(open("libsvm", "{path: x.libsvm, dim: 3, bytes: true, scale: true}", c))
	if strings.Count(log.String(), "converting") != 1 || scaled.Fingerprint() == kept.Fingerprint() {
		t.Errorf("scaling: fingerprint %s, log: %s", scaled.Fingerprint(), log.String())
	}
	for parameters, says := range map[string]string{
		"{path: x.libsvm, bytes: true}":         "give dim",
		"{path: x.libsvm, scale: true, dim: 3}": "divides bytes alone",
		"{path: nowhere, bytes: true, dim: 3}":  "nowhere: no such file",
		"{path: x.libsvm, bytes: true, dim: 2}": "index above dim: 2",
	} {
		if _, err := open("libsvm", parameters, c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", parameters, err, says)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	for _, cache := range []string{filepath.Join(c.Dir, "x.libsvm", "cache"), ""} {
		t.Setenv("MERCER_CACHE", cache)
		if _, err := open("libsvm", "{path: x.libsvm, dim: 3, bytes: true}", c); err == nil || !strings.Contains(err.Error(), "set MERCER_CACHE to a directory that can be written and has room") {
			t.Errorf("cache %q: %v", cache, err)
		}
	}
}
