package plan

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/configs/source"
	"mercer/runner/plan/plantest"
)

// TestAbsentIsAnError: without optional, and of data that are there but wrong.
func TestAbsentIsAnError(t *testing.T) {
	for _, test := range []struct{ text, file, says string }{
		{strings.Replace(plantest.Absent, ", optional: true", "", 1), "", "not-there.csv"},
		{plantest.Absent, "1,2,a\n1,x,b\n", "not a number"},
	} {
		dir := t.TempDir()
		if test.file != "" {
			if err := os.WriteFile(filepath.Join(dir, "not-there.csv"), []byte(test.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		resolved, err := Resolve(parsed(t, test.text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Prepare(context.Background(), nil, resolved, Input{Dir: dir}); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("error %v, want %s", err, test.says)
		}
	}
}

// TestCheckFindsAllAtOnce: a parameter that is missing or wrong hides neither a measure that
// no method has nor sizes that the grid lacks.
func TestCheckFindsAllAtOnce(t *testing.T) {
	const text = `name: bad
seed: 1
repeats: 2
datasets: [{id: ball, use: sphere, d: 5, population: {held_out: 50}}]
kernels:
  - {id: rbf, use: gaussian, bandwidth: 1}
grid: {n: 100, m: [10, 20]}
methods:
  - {id: nystrom, use: nystrom, landmarks: uniform}
  - {id: rff, use: rff}
  - {id: kjl, use: kjl}
measure: [partition_cost, reconstruction]
`
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Check(context.Background(), spec, t.TempDir())
	const want = `test.yaml:6:5: missing key "form" in kernel "rbf"; it takes two-sigma-squared, sigma-squared
test.yaml:6:41: "bandwidth" of kernel "rbf" must be a mapping such as {rms: 1} or {median: 1}, found the number 1
test.yaml:9:5: method "nystrom" can be run at no point of the grid: the grid gives no ell
test.yaml:10:5: missing key "features" in method "rff"; it takes fourier, offset, orthogonal, sorf, halton, sobol, positive, tensorsketch, mercer
test.yaml:10:5: method "rff" can be run at no point of the grid: the grid gives no ell
test.yaml:11:5: method "kjl" can be run at no point of the grid: the grid gives no d: kjl needs the dimension of its sketch
test.yaml:12:11: measure "partition_cost" is defined for no method of this spec: method "nystrom" on dataset "ball": partition_cost is not defined for a subspace of H: it measures clusters; give the embedding a block kmeans; it is defined for kernel-kmeans (sizes n, k), kmeans (sizes n, k)
test.yaml:12:27: unknown measure "reconstruction"; the nearest of`
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error\n%v\nwant\n%s", err, want)
	}
	// Of what nobody said nothing is assumed to be wrong: features of a kernel that has none.
	text2 := strings.NewReplacer("{id: rbf, use: gaussian, bandwidth: 1}", "{id: lin, use: linear}", "n: 100,", "n: 100, ell: 2,", "  - {id: kjl, use: kjl}\n", "", "partition_cost, reconstruction", "recon_l2").Replace(text)
	if spec, err = source.Parse("test.yaml", []byte(text2)); err != nil {
		t.Fatal(err)
	}
	if _, err = Check(context.Background(), spec, t.TempDir()); err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), `missing key "features"`) {
		t.Errorf("of a method without its features: %v", err)
	}
}
