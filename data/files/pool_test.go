package files

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

func pools(t *testing.T) map[string]Pool {
	x := mat.NewDense(4, 3, []float64{0, 1, 2, 3, 4, 5, 6, 7, 255, 9, 10, 11})
	file, err := points(saved(t, npyFile("|u1", "(4, 3)", false, []uint8{0, 1, 2, 3, 4, 5, 6, 7, 255, 9, 10, 11})))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Pool{
		"dense":     DensePool{x},
		"file":      file,
		"selection": Table{X: file}.Take([]int{3, 2, 1, 0}).Take([]int{3, 2, 1, 0}).X,
		"joined":    Join(Table{X: file}.Take([]int{0}), Table{X: DensePool{x}}.Take([]int{1, 2, 3})).X,
	}
}

// Every Pool must give the same rows, in the order asked for, with repeats.
func TestPoolRows(t *testing.T) {
	for name, p := range pools(t) {
		t.Run(name, func(t *testing.T) {
			if p.Len() != 4 || p.Dim() != 3 {
				t.Fatalf("%d×%d, want 4×3", p.Len(), p.Dim())
			}
			want := mat.NewDense(3, 3, []float64{6, 7, 255, 0, 1, 2, 6, 7, 255})
			var fresh mat.Dense
			p.Rows([]int{2, 0, 2}, &fresh)
			window := mat.NewDense(5, 4, nil).Slice(1, 4, 1, 4).(*mat.Dense)
			p.Rows([]int{2, 0, 2}, window)
			if !mat.Equal(&fresh, want) || !mat.Equal(window, want) {
				t.Errorf("got\n%v\n%v", mat.Formatted(&fresh), mat.Formatted(window))
			}
			for what, f := range map[string]func(){
				"wrong shape": func() { p.Rows([]int{0}, mat.NewDense(2, 3, nil)) },
				"too high":    func() { p.Rows([]int{4}, new(mat.Dense)) },
				"negative":    func() { p.Rows([]int{-1}, new(mat.Dense)) },
				"no rows":     func() { p.Rows(nil, new(mat.Dense)) },
			} {
				if !panics(f) {
					t.Errorf("%s: no panic", what)
				}
			}
		})
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// A draw of 10,000 of 60,000 images may cost its own 63 MB and no conversion of
// the rest.
func TestDrawMemory(t *testing.T) {
	p, err := points(sparseFile(t, idx(8, []uint32{60000, 784}, []byte{}), 60000*784+12))
	if err != nil {
		t.Fatal(err)
	}
	idx := rand.New(rand.NewPCG(1, 2)).Perm(60000)[:10000]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var x mat.Dense
	p.Rows(idx, &x)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 64<<20 {
		t.Errorf("the draw took %d bytes, want at most 64 MiB", got)
	}
}

func TestTable(t *testing.T) {
	tab := WithLabels(bytesPool([]byte{10, 20, 30, 40}, 1, 1), []int{10, 9, 10, 2})
	if diff := cmp.Diff([]string{"2", "9", "10"}, tab.Classes); diff != "" {
		t.Errorf("classes are not in numeric order:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"10", "9", "10", "2"}, tab.Names()); diff != "" {
		t.Error(diff)
	}
	part := tab.Take([]int{3, 0})
	if diff := cmp.Diff([]int{0, 2}, part.Labels); diff != "" {
		t.Error(diff)
	}
	if !mat.Equal(part.Dense(), mat.NewDense(2, 1, []float64{40, 10})) {
		t.Errorf("points %v", part.Dense())
	}
	if e := (Table{}); e.Len() != 0 || e.Dim() != 0 || e.Names() != nil {
		t.Error("the zero Table is not empty")
	}
	if !panics(func() { tab.Take([]int{4}) }) {
		t.Error("Take out of range: no panic")
	}
}

func TestAlign(t *testing.T) {
	x := bytesPool([]byte{1, 2}, 1, 1)
	a := Table{X: x, Labels: []int{0, 1}, Classes: []string{"A", "C"}}
	b := Table{X: x, Labels: []int{1, 0}, Classes: []string{"B", "C"}}
	out := Align(a, b, Table{X: x})
	want := [][]int{{0, 2}, {2, 1}, nil}
	for i, w := range want {
		if diff := cmp.Diff(w, out[i].Labels); diff != "" {
			t.Errorf("table %d:\n%s", i, diff)
		}
	}
	if diff := cmp.Diff([]string{"A", "B", "C"}, out[1].Classes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0, 1}, a.Labels); diff != "" {
		t.Error("Align changed its argument")
	}

	// Numbers that are equal are one class, words are as they are written.
	numbers := Align(Table{X: x, Labels: []int{0, 1}, Classes: []string{"1", "1.0"}}, Table{X: x, Labels: []int{1, 0}, Classes: []string{"0", "01"}})
	if diff := cmp.Diff([]string{"0", "01"}, numbers[0].Classes); diff != "" || numbers[0].Labels[0] != 1 || numbers[0].Labels[1] != 1 || numbers[1].Labels[0] != 1 || numbers[1].Labels[1] != 0 {
		t.Errorf("classes %v, labels %v and %v", numbers[0].Classes, numbers[0].Labels, numbers[1].Labels)
	}
	if words := Align(Table{X: x, Labels: []int{0, 1}, Classes: []string{"1", "1.0"}}, b); len(words[0].Classes) != 4 {
		t.Errorf("classes %v", words[0].Classes)
	}
}

// The fingerprint must see content, not storage: the same points as bytes and
// as float64 agree; a change of one value, one label, a row's place or the shape
// does not.
func TestFingerprint(t *testing.T) {
	n := 600 // more than two blocks
	raw := make([]byte, 2*n)
	x := mat.NewDense(n, 2, nil)
	labels := make([]int, n)
	for i := range raw {
		raw[i] = byte(i * 7)
		x.Set(i/2, i%2, float64(raw[i])/255)
		labels[i/2] = i % 3
	}
	base := WithLabels(bytesPool(raw, 2, 255), labels)
	if fingerprint(t, base) != fingerprint(t, WithLabels(DensePool{x}, labels)) {
		t.Error("bytes and float64 of the same values differ")
	}
	seen := map[string]string{fingerprint(t, base): "base"}
	for what, other := range map[string]Table{
		"scale":     WithLabels(bytesPool(raw, 2, 1), labels),
		"shape":     {X: bytesPool(raw, 1, 255)},
		"no labels": {X: base.X},
		"fewer":     base.Take(upto(n - 1)),
		"order":     base.Take(append([]int{1, 0}, upto(n)[2:]...)),
		"labels":    WithLabels(base.X, append([]int{7}, labels[1:]...)),
	} {
		if was, dup := seen[fingerprint(t, other)]; dup {
			t.Errorf("%s has the fingerprint of %s", what, was)
		}
		seen[fingerprint(t, other)] = what
	}
}

func fingerprint(t *testing.T, table Table) string {
	t.Helper()
	hash, err := table.Fingerprint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return hash
}
