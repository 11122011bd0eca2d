package data

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSequenceIsTheSample: of every kind of data set that draws points, rows asked
// for in any order, alone, in blocks of any bounds and from several goroutines are
// those of the sample, bit for bit, and so are the labels.
func TestSequenceIsTheSample(t *testing.T) {
	const n = 3*stepPoints + 17
	for use, parameters := range map[string]string{
		"gaussian-mixture": "{k: 3, d: 5}", "crescent-full-moon": "{}", "cluster-in-cluster": "{}", "smile": "{}", "sphere": "{d: 4}",
		"gaussian": "{sigma: 1}", "series": "{decay: {power: 2}}",
		"atoms": "{atoms: 30, decay: {power: 2}, sample: points}",
	} {
		dataset, err := open(use, parameters, Context{})
		if err != nil {
			t.Fatalf("%s: %v", use, err)
		}
		draw := must(dataset.Draw(repeat(3)))
		x, labels, err := draw.Sample(n)
		if err != nil {
			t.Fatal(err)
		}
		rows, rowLabels, err := draw.Rows(n)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(labels, rowLabels) {
			t.Errorf("%s: the labels of rows are not those of the sample", use)
		}
		if rows.Len() != n || rows.Dim() != x.RawMatrix().Cols {
			t.Fatalf("%s: %d×%d rows", use, rows.Len(), rows.Dim())
		}
		check := func(idx []int) error {
			var got mat.Dense
			rows.Rows(idx, &got)
			for row, i := range idx {
				if !slices.Equal(got.RawRowView(row), x.RawRowView(i)) {
					return fmt.Errorf("%s: point %d of %v is %v, in the sample %v", use, i, idx, got.RawRowView(row), x.RawRowView(i))
				}
			}
			return nil
		}
		backward := make([]int, n)
		for i := range backward {
			backward[i] = n - 1 - i
		}
		asked := [][]int{
			{0}, {n - 1}, {stepPoints}, {stepPoints - 1, stepPoints}, {2, 2, 1}, backward, repeat(5).rand("order").Perm(n),
		}
		for _, size := range []int{stepPoints, 100, n} {
			for from := 0; from < n; from += size {
				var idx []int
				for i := from; i < min(from+size, n); i++ {
					idx = append(idx, i)
				}
				asked = append(asked, idx)
			}
		}
		failures := make([]error, len(asked))
		var group sync.WaitGroup
		for i, idx := range asked {
			group.Go(func() { failures[i] = check(idx) })
		}
		group.Wait()
		for _, err := range failures {
			if err != nil {
				t.Fatal(err)
			}
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a point past the end is given", use)
				}
			}()
			_ = check([]int{n})
		}()
	}
}
