package data

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/data/generate"
)

// glyphs are fake images: a bar of the class's own height, its grey level the
// image's own number.
func glyphs(count, brightest int) files.Table {
	pixels, labels := mat.NewDense(count, generate.Pixels, nil), make([]int, count)
	for i := range count {
		labels[i] = i % 10
		for r := 6; r < 8+labels[i]; r++ {
			for c := 11; c < 17; c++ {
				pixels.Set(i, r*generate.Side+c, float64(brightest-i))
			}
		}
	}
	return files.WithLabels(files.DensePool{X: pixels}, labels)
}

func infinite(t *testing.T, o InfiniteOptions) Dataset {
	t.Helper()
	return must(newInfinite(glyphs(40, 250), glyphs(20, 120), o, Context{Streams: repeat(999)}))
}

// TestRowsAreTheSample: in any order, in blocks or one by one, at any n, for
// every kind of data set.
func TestRowsAreTheSample(t *testing.T) {
	c := table(t, 100)
	sets := map[string]Dataset{
		"infinite-mnist": infinite(t, defaultInfinite()),
		"csv":            must(open("csv", "{path: points.csv, label: 2, population: {held_out: 20}}", c)),
		"series":         must(open("series", "decay: {power: 2}", c)),
		"sphere":         must(open("sphere", "d: 3", c)),
	}
	for name, d := range sets {
		x, labels, err := must(d.Draw(repeat(3))).Sample(70)
		if err != nil {
			t.Fatal(err)
		}
		rows, rowLabels, err := must(d.Draw(repeat(3))).Rows(75)
		if err != nil {
			t.Fatal(err)
		}
		n, dim := x.Dims()
		if rows.Len() != 75 || rows.Dim() != dim {
			t.Errorf("%s: %d rows of %d", name, rows.Len(), rows.Dim())
		}
		if labels != nil && !slices.Equal(labels, rowLabels[:n]) {
			t.Errorf("%s: labels differ", name)
		}
		one := mat.NewDense(1, dim, nil)
		for i := n - 1; i >= 0; i -= 3 {
			if rows.Rows([]int{i}, one); !mat.Equal(one, x.Slice(i, i+1, 0, dim)) {
				t.Fatalf("%s: row %d by itself differs", name, i)
			}
		}
		var block mat.Dense
		rows.Rows([]int{5, 6, 7, 3}, &block)
		for place, i := range []int{5, 6, 7, 3} {
			if !slices.Equal(block.RawRowView(place), x.RawRowView(i)) {
				t.Fatalf("%s: row %d in a block differs", name, i)
			}
		}
	}
}

func TestInfiniteKeepsClasses(t *testing.T) {
	o := defaultInfinite()
	o.Population = PopulationOption{Kind: "held_out", HeldOut: 60}
	d := infinite(t, o)
	draw := must(d.Draw(repeat(1)))
	x, labels, err := draw.Sample(400)
	if err != nil {
		t.Fatal(err)
	}
	z, heldLabels := draw.HeldOut()
	for _, set := range []struct {
		x      *mat.Dense
		labels []int
		most   float64 // the grey levels of training and test images are apart
		least  float64
	}{{x, labels, 250, 211}, {z, heldLabels, 120, 101}} {
		count, rows := make([]int, 10), make([]float64, 10)
		for i, label := range set.labels {
			count[label]++
			row := set.x.RawRowView(i)
			if v := slices.Max(row) * 255; v > set.most || v < 0.8*set.least {
				t.Fatalf("image %d has brightest pixel %v, of images of %v to %v", i, v, set.least, set.most)
			}
			for r := range generate.Side {
				if line := row[r*generate.Side:][:generate.Side]; slices.Max(line) > slices.Max(row)/2 {
					rows[label] += 10 / float64(len(set.labels))
				}
			}
		}
		for class, c := range count {
			if c != len(set.labels)/10 {
				t.Errorf("%d images of class %d among %d", c, class, len(set.labels))
			}
			// A bar of 2 + class rows, stretched a little by ends that are not straight.
			if math.Abs(rows[class]-float64(2+class)) > 2 {
				t.Errorf("images of class %d have %.1f rows on average", class, rows[class])
			}
		}
	}
}

// TestInfiniteRepeats: repeats have images of their own, and held-out points
// another fingerprint.
func TestInfiniteRepeats(t *testing.T) {
	d := infinite(t, defaultInfinite())
	one, _, _ := must(d.Draw(repeat(1))).Sample(40)
	two, _, _ := must(d.Draw(repeat(2))).Sample(40)
	for i := range 40 {
		for j := range 40 {
			if slices.Equal(one.RawRowView(i), two.RawRowView(j)) {
				t.Errorf("image %d of a repeat is image %d of another", i, j)
			}
		}
	}
	prints := map[string]bool{d.Fingerprint(): true}
	for _, change := range []func(*InfiniteOptions){
		func(o *InfiniteOptions) { o.Population = PopulationOption{Kind: "held_out", HeldOut: 9} },
	} {
		o := defaultInfinite()
		change(&o)
		prints[infinite(t, o).Fingerprint()] = true
	}
	if len(prints) != 2 {
		t.Errorf("%d fingerprints of 2 data sets", len(prints))
	}
	for _, kind := range []string{"self", "test"} {
		if (&InfiniteOptions{Population: PopulationOption{Kind: kind}}).Validate() == nil {
			t.Errorf("population %s is taken", kind)
		}
	}
}
