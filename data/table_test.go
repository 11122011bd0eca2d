package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
)

// table writes n points in the plane with a class each: point i is (i, i²),
// class i mod 3.
func table(t *testing.T, n int) Context {
	t.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%d,%d,c%d\n", i, i*i, i%3)
	}
	return written(t, "points.csv", text.String())
}

func written(t *testing.T, name, text string) Context {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Context{Dir: dir}
}

// first is the first coordinate of each point, which tells the points of table
// apart.
func first(x *mat.Dense) []float64 { return mat.Col(nil, 0, x) }

func TestSamplesAreNested(t *testing.T) {
	c := table(t, 100)
	for _, test := range []struct{ use, parameters string }{
		{"csv", "{path: points.csv, label: 2}"},
		{"csv", "{path: points.csv, label: 2, population: {held_out: 30}}"},
		{"csv", "{path: points.csv, label: 2, sample: first}"},
		{"series", "decay: {power: 2}"},
		{"gaussian", "sigma: 1"},
		{"gaussian-mixture", "{k: 3, d: 4}"},
		{"cluster-in-cluster", ""},
		{"crescent-full-moon", ""},
		{"sphere", "d: 5"},
	} {
		t.Run(test.use+" "+test.parameters, func(t *testing.T) {
			d := must(open(test.use, test.parameters, c))
			large, labels, err := must(d.Draw(repeat(1))).Sample(70)
			if err != nil {
				t.Fatal(err)
			}
			if r, width := large.Dims(); r != 70 || float64(width) != d.Constants()["D"] {
				t.Errorf("the sample of 70 is %d×%d, D is %v", r, width, d.Constants()["D"])
			}
			if len(labels) != 70 && labels != nil {
				t.Errorf("%d labels of 70 points", len(labels))
			}
			for _, n := range []int{1, 35, 69} {
				draw := must(d.Draw(repeat(1)))
				if _, err := draw.Population(kernel.NewGaussian(1), 0); err != nil { // asked first, it changes nothing
					t.Fatal(err)
				}
				small, few, err := draw.Sample(n)
				if err != nil {
					t.Fatal(err)
				}
				_, width := large.Dims()
				if !mat.Equal(small, large.Slice(0, n, 0, width)) {
					t.Errorf("the sample of %d is not the beginning of that of 70", n)
				}
				if labels != nil && !slices.Equal(few, labels[:n]) {
					t.Errorf("the labels of %d are not the beginning of those of 70", n)
				}
			}
			other, _, _ := must(d.Draw(repeat(2))).Sample(70)
			if same := mat.Equal(other, large); same != strings.Contains(test.parameters, "first") {
				t.Errorf("two repeats have the same sample: %v", same)
			}
		})
	}
}

func TestSamplesOfATable(t *testing.T) {
	c := table(t, 50)
	d := must(open("csv", "{path: points.csv, label: 2}", c))
	x, labels, _ := must(d.Draw(repeat(1))).Sample(50)
	values := first(x)
	for i, v := range values {
		if x.At(i, 1) != v*v || labels[i] != int(v)%3 {
			t.Errorf("point %v of class %d: its coordinates and class do not belong together", x.RawRowView(i), labels[i])
		}
	}
	slices.Sort(values)
	for i, v := range values {
		if v != float64(i) {
			t.Fatalf("the sample of all points is not a permutation: %v", values)
		}
	}
	x, _, _ = must(must(open("csv", "{path: points.csv, label: 2, sample: first}", c)).Draw(repeat(1))).Sample(5)
	if diff := cmp.Diff([]float64{0, 1, 2, 3, 4}, first(x)); diff != "" {
		t.Errorf("sample: first (-want +got):\n%s", diff)
	}
}

func TestHeldOutPointsAreNeverInTheSample(t *testing.T) {
	c := table(t, 60)
	for _, sample := range []string{"random", "first"} {
		d := must(open("csv", "{path: points.csv, label: 2, population: {held_out: 20}, sample: "+sample+"}", c))
		if n := d.Constants()["N"]; n != 40 {
			t.Errorf("N = %v points to draw from, want 40", n)
		}
		var before []float64
		for r := range uint64(5) {
			draw := must(d.Draw(repeat(r)))
			x, _, err := draw.Sample(40)
			if err != nil {
				t.Fatal(err)
			}
			p := must(draw.Population(kernel.NewGaussian(1e-3), 2)).(*empiricalPopulation)
			held := first(p.points)
			all := append(first(x), held...)
			slices.Sort(all)
			if len(held) != 20 || len(slices.Compact(all)) != 60 {
				t.Fatalf("repeat %d: held out %v, sample %v", r, held, first(x))
			}
			if before != nil && slices.Equal(before, held) != (sample == "first") {
				t.Errorf("sample: %s, repeat %d: held out are the same points as before: %v", sample, r, sample != "first")
			}
			before = held
			if _, _, err := draw.Sample(41); err == nil || !strings.Contains(err.Error(), "n = 41 points asked for, 40 to draw from") {
				t.Errorf("n = 41 of 40: %v", err)
			}
		}
	}
}

// The population is the distribution it is declared to be.
func TestPopulationsOfATable(t *testing.T) {
	c := table(t, 12)
	k := kernel.NewGaussian(0.01)
	d := must(open("csv", "{path: points.csv, label: 2, population: self}", c))
	draw, other := must(d.Draw(repeat(1))), must(d.Draw(repeat(2)))
	p := must(draw.Population(k, 3))
	if got := first(p.(*empiricalPopulation).points); len(got) != 12 {
		t.Errorf("population self is of %v", got)
	}
	if q := must(other.Population(k, 3)); p != q {
		t.Error("population self is not shared between repeats")
	}
	for what, q := range map[string]Population{
		"another kernel":      must(other.Population(kernel.NewGaussian(0.02), 3)),
		"more of its rank":    must(other.Population(k, 5)),
		"another data set's":  must(must(must(open("csv", "{path: points.csv, label: 2, population: self}", c)).Draw(repeat(1))).Population(k, 3)),
		"that of another law": must(must(must(open("series", "decay: {power: 2}", c)).Draw(repeat(1))).Population(nil, 3)),
	} {
		if p == q {
			t.Errorf("%s: the same population", what)
		}
	}
	for _, parameters := range []string{"{path: points.csv, label: 2}", "{path: points.csv, label: 2, population: none}"} {
		if p := must(must(must(open("csv", parameters, c)).Draw(repeat(1))).Population(k, 3)); p != nil {
			t.Errorf("%s: population %s", parameters, p)
		}
	}
	generated := must(open("sphere", "population: {held_out: 9}", c))
	g1 := must(must(generated.Draw(repeat(1))).Population(k, 2)).(*empiricalPopulation)
	g2 := must(must(generated.Draw(repeat(2))).Population(k, 2)).(*empiricalPopulation)
	x, _, _ := must(generated.Draw(repeat(1))).Sample(9)
	if n, d := g1.points.Dims(); n != 9 || d != 3 || mat.Equal(g1.points, g2.points) || mat.Equal(g1.points, x) {
		t.Errorf("generated population: %d×%d points, the same in two repeats: %v, the sample itself: %v", n, d, mat.Equal(g1.points, g2.points), mat.Equal(g1.points, x))
	}
}

// idx writes n points of d bytes each.
func idx(t *testing.T, c Context, name string, n, d int) {
	t.Helper()
	raw := []byte{0, 0, 8, 2}
	raw = binary.BigEndian.AppendUint32(raw, uint32(n))
	raw = binary.BigEndian.AppendUint32(raw, uint32(d))
	for i := range n * d {
		raw = append(raw, byte(7*i))
	}
	if err := os.WriteFile(filepath.Join(c.Dir, name), raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTestPartAsPopulation(t *testing.T) {
	train, other := files.Table{X: RowsOf(mat.NewDense(20, 4, nil))}, files.Table{X: RowsOf(mat.NewDense(6, 4, nil))}
	d := must(openTable("parts", train, other, nil, TableOptions{Population: PopulationOption{Kind: "test"}}, Context{}))
	p := must(must(d.Draw(repeat(1))).Population(kernel.NewGaussian(1), 2)).(*empiricalPopulation)
	if n, width := p.points.Dims(); n != 6 || width != 4 {
		t.Errorf("population of %d×%d points", n, width)
	}
	if want := "parts, 20 points in R^4; population: its 6 test points"; d.Describe() != want {
		t.Error(d.Describe())
	}
}

func TestDataSetsThatCannotBe(t *testing.T) {
	c := table(t, 10)
	wide := "x\n" + strings.Repeat("1\n", maxEmpirical+1)
	if err := os.WriteFile(filepath.Join(c.Dir, "long.csv"), []byte(wide), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ use, parameters, want string }{
		{"csv", "{path: points.csv, label: 2, population: test}", "no test part"},
		{"csv", "{path: points.csv, label: 2, population: {held_out: 10}}", "leaves nothing to draw from 10 points"},
		{"csv", "{path: points.csv, label: 2, population: {held_out: 1}}", "at least 2"},
		{"csv", "{path: points.csv, label: 2, population: {heldout: 5}}", `did you mean "held_out"`},
		{"csv", "{path: points.csv, label: 2, population: {}}", `missing key "held_out"`},
		{"csv", "{path: points.csv, label: 2, population: all}", "must be self"},
		{"csv", "{path: points.csv, label: 2, population: [self]}", "population"},
		{"csv", "{path: points.csv, label: 2, sample: last}", `unknown value "last"`},
		{"csv", "{path: missing.csv}", "missing.csv"},
		{"csv", "label: 2", `missing key "path"`},
		{"csv", "path: points.csv", "label"},
		{"csv", "{path: points.csv, label: 7}", "there is no column"},
		{"csv", "{path: points.csv, label: class}", "column"},
		{"csv", "{path: points.csv, label: [2]}", "single word"},
		{"csv", "{path: points.csv, label: 2, header: maybe}", "true, false or auto"},
		{"csv", "{path: points.csv, label: 2, comma: abc}", "the separator is found from the first line"},
		{"sphere", "population: self", "no fixed points"},
		{"sphere", "population: test", "no fixed points"},
		{"sphere", "d: 0", "d: 0"},
		{"gaussian-mixture", "{k: 2, weights: [1]}", "weights: 1 for k = 2"},
		{"series", "", "exactly one of decay and eigenvalues"},
		{"series", "decay: {power: 3}", "has no closed form"},
		{"csv", "{path: points.csv, missing: drop}", "leave out their rows"},
		{"idx", "{path: x, test_path: y}", "join the two files"},
	} {
		if d, err := open(test.use, test.parameters, c); err == nil {
			t.Errorf("%s %s: no error but %s", test.use, test.parameters, d.Describe())
		} else if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: error %q does not say %q", test.use, test.parameters, err, test.want)
		}
	}
}

func TestLabelAndHeaderForms(t *testing.T) {
	c := written(t, "t.csv", "a,b,class\n1,2,5\n3,4,6\n5,6,5\n")
	if err := os.WriteFile(filepath.Join(c.Dir, "bare.csv"), []byte("5,1,2\n6,3,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		parameters string
		n, d       int
		labels     []int // of the first two points
	}{
		{"{path: t.csv, header: true, label: -1}", 3, 2, []int{0, 1}},
		{"{path: t.csv, header: auto, label: 2}", 3, 2, []int{0, 1}},
		{"{path: t.csv, label: class}", 3, 2, []int{0, 1}},
		{`{path: t.csv, header: "true", label: "class"}`, 3, 2, []int{0, 1}},
		{"{path: t.csv, header: true, label: none}", 3, 3, nil},
		{"{path: t.csv, header: true}", 3, 3, nil},
		{"{path: t.csv, label: -3}", 3, 2, []int{0, 1}},
		{"{path: bare.csv, header: false, label: 0}", 2, 2, []int{0, 1}},
		{"{path: bare.csv, header: false}", 2, 3, nil},
		{"{path: bare.csv, header: true, label: -3}", 1, 2, []int{0}},
	} {
		d, err := open("csv", strings.Replace(test.parameters, "}", ", sample: first}", 1), c)
		if err != nil {
			t.Errorf("%s: %v", test.parameters, err)
			continue
		}
		n := int(d.Constants()["N"])
		x, labels, _ := must(d.Draw(repeat(1))).Sample(n)
		_, width := x.Dims()
		if n != test.n || width != test.d || !slices.Equal(labels[:min(2, len(labels))], test.labels) {
			t.Errorf("%s: %d×%d points of classes %v; want %d×%d, beginning with %v", test.parameters, n, width, labels, test.n, test.d, test.labels)
		}
		if _, ok := d.Constants()["classes"]; ok != (test.labels != nil) {
			t.Errorf("%s: constants %v", test.parameters, d.Constants())
		}
	}
}

// TestFilesOfSpecs: a relative path is one beside the spec, then one in
// $MERCER_DATA; the error names the first.
func TestFilesOfSpecs(t *testing.T) {
	beside, own := written(t, "t.csv", "1,2\n"), written(t, "t.csv", "3,4\n")
	if err := os.WriteFile(filepath.Join(own.Dir, "u.csv"), []byte("5,6\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MERCER_DATA", own.Dir)
	for path, want := range map[string]float64{"t.csv": 1, "u.csv": 5} {
		d, err := open("csv", "{path: "+path+"}", beside)
		if err != nil {
			t.Fatal(err)
		}
		if x, _, err := must(d.Draw(repeat(1))).Sample(1); err != nil || x.At(0, 0) != want {
			t.Errorf("%s begins with %v, %v; want %v", path, x, err, want)
		}
	}
	if _, err := open("csv", "{path: v.csv}", beside); err == nil || !strings.Contains(err.Error(), filepath.Join(beside.Dir, "v.csv")) {
		t.Errorf("a file that is nowhere: %v", err)
	}
	large := table(t, 10000)
	large.Memory = 1 << 10
	if _, err := open("csv", "{path: points.csv, label: -1}", large); err == nil || !strings.Contains(err.Error(), "raise --memory") {
		t.Errorf("a file that takes more memory than there is: %v", err)
	}
}

func TestConstants(t *testing.T) {
	c := table(t, 10)
	for _, test := range []struct {
		use, parameters string
		want            map[string]float64
	}{
		{"csv", "{path: points.csv, label: 2}", map[string]float64{"N": 10, "D": 2, "classes": 3}},
		{"csv", "{path: points.csv, label: 2, population: {held_out: 4}}", map[string]float64{"N": 6, "D": 2, "classes": 3}},
		{"csv", "{path: points.csv, label: 2, population: self}", map[string]float64{"N": 10, "D": 2, "classes": 3}},
		{"series", "{decay: {power: 1}, terms: 3}", map[string]float64{"D": 1, "alpha": 1, "terms": 3, "kappa": 11.0 / 3, "trace": 11.0 / 6}},
		{"series", "eigenvalues: [1, 0.25]", map[string]float64{"D": 1, "terms": 2, "kappa": 2.5, "trace": 1.25}},
		{"series", "decay: {exponential: 0.5}", map[string]float64{"D": 1, "kappa": 2, "trace": 1}},
		{"gaussian", "{std: 2, sigma: 4}", map[string]float64{"D": 1, "std": 2, "kappa": 1, "trace": 0.18350341907227397}}, // 1 − 1/√1.5
		{"gaussian-mixture", "{k: 4, d: 3}", map[string]float64{"D": 3, "classes": 4}},
		{"sphere", "d: 7", map[string]float64{"D": 7, "classes": 1}},
	} {
		d := must(open(test.use, test.parameters, c))
		got := d.Constants()
		for name, v := range got {
			near(t, fmt.Sprintf("%s %s: %s", test.use, test.parameters, name), v, test.want[name], 1e-14)
			if !slices.Contains(Registry[test.use].Constants, name) {
				t.Errorf("%s: constant %q is not in the Registry", test.use, name)
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("%s %s: constants %v, want %v", test.use, test.parameters, got, test.want)
		}
	}
}

func TestFingerprintsFollowTheContent(t *testing.T) {
	same := func(text string, parameters string) string {
		return must(open("csv", parameters, written(t, "p.csv", text))).Fingerprint()
	}
	base := same("1,2,a\n3,4,b\n", "{path: p.csv, label: 2}")
	if same("1.0, 2 ,a\r\n3,4e0,b\r\n", "{path: p.csv, label: 2}") != base {
		t.Error("the same points written differently have another fingerprint")
	}
	for what, other := range map[string]string{
		"a value":              same("1,2,a\n3,5,b\n", "{path: p.csv, label: 2}"),
		"the last digit":       same("1,2,a\n3,4.000000000000001,b\n", "{path: p.csv, label: 2}"),
		"a class":              same("1,2,a\n3,4,a\n", "{path: p.csv, label: 2}"),
		"the order":            same("3,4,b\n1,2,a\n", "{path: p.csv, label: 2}"),
		"one point more":       same("1,2,a\n3,4,b\n5,6,a\n", "{path: p.csv, label: 2}"),
		"points without class": same("1,2\n3,4\n", "{path: p.csv}"),
		"the shape":            same("1,2,3,4,a\n", "{path: p.csv, label: 4}"),
	} {
		if other == base {
			t.Errorf("%s: the fingerprint is the same", what)
		}
	}
	seen := map[string]string{}
	for _, d := range []struct{ use, parameters string }{
		{"series", "decay: {power: 2}"}, {"series", "decay: {power: 4}"}, {"series", "{decay: {power: 2}, terms: 50}"}, {"series", "{decay: {power: 2}, terms: 51}"},
		{"gaussian", "sigma: 1"}, {"gaussian", "sigma: 1.0000001"}, {"gaussian", "{sigma: 1, std: 2}"},
		{"gaussian-mixture", "k: 3"}, {"gaussian-mixture", "k: 4"}, {"gaussian-mixture", "{k: 3, sigma: 0.5}"},
		{"gaussian-mixture", "{k: 3, weights: [1, 1, 2]}"}, {"gaussian-mixture", "{k: 3, population: {held_out: 10}}"},
		{"sphere", ""}, {"cluster-in-cluster", ""}, {"crescent-full-moon", ""},
	} {
		name := d.use + " " + d.parameters
		f := must(open(d.use, d.parameters, Context{})).Fingerprint()
		if before, ok := seen[f]; ok {
			t.Errorf("%s and %s have the same fingerprint", before, name)
		}
		seen[f] = name
	}
}

// A data set is read by many workers at a time.
func TestDataSetsAreSafeForConcurrentUse(t *testing.T) {
	c := table(t, 40)
	for _, test := range []struct{ use, parameters string }{
		{"csv", "{path: points.csv, label: 2, population: self}"},
		{"csv", "{path: points.csv, label: 2, population: {held_out: 10}}"},
		{"gaussian", "sigma: 1"},
		{"series", "decay: {power: 2}"},
		{"gaussian-mixture", "population: {held_out: 10}"},
	} {
		d := must(open(test.use, test.parameters, c))
		results := make([]string, 8)
		var group sync.WaitGroup
		for i := range results {
			group.Go(func() {
				draw, err := d.Draw(repeat(3))
				if err != nil {
					return
				}
				x, labels, _ := draw.Sample(20)
				k := d.Kernel()
				bandwidth := ""
				if k == nil {
					k = kernel.NewGaussian(0.01)
					r, _ := d.Distances().RMS()
					q, _ := d.Distances().Quantile(0.3)
					bandwidth = fmt.Sprint(r, q)
				}
				p, _ := draw.Population(k, 3)
				f := kernel.Expansion{Kernel: k, Points: x, Coef: mat.NewDense(20, 1, slices.Repeat([]float64{0.1}, 20))}
				m, err := p.Moments(f, 2)
				results[i] = fmt.Sprint(x.RawMatrix().Data, labels, bandwidth, m.Mean, m.Tau, err)
			})
		}
		group.Wait()
		for i, r := range results {
			if r != results[0] || r == "" {
				t.Errorf("%s: worker %d saw %q, worker 0 %q", test.use, i, r, results[0])
			}
		}
	}
}

// TestResponsesOfATable: a response stays with its point, in samples, in counts and at held-out
// points. Standardised, responses have mean 0 and deviation 1 over all points, and Unit is what
// they were divided by: 0, 3, … 3·59 deviate by 3√((60²−1)/12).
func TestResponsesOfATable(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%d,c%d\n", i, 3*i, i%3)
	}
	c := written(t, "points.csv", text.String())
	for _, more := range []string{"population: {held_out: 20}", "population: self", "population: {held_out: 20}, sample: with_replacement", "population: self, sample: with_replacement"} {
		draw := must(must(open("csv", "{path: points.csv, label: 2, response: 1, "+more+"}", c)).Draw(repeat(1)))
		atoms, n := draw.Counted(), 40
		var x *mat.Dense
		if atoms == nil {
			x, _, _ = draw.Sample(n)
		} else {
			x = atoms.Atoms
			n, _ = x.Dims()
		}
		held, _ := draw.HeldOut()
		y := draw.(Supervised).Responses(n)
		for part, responses := range map[*mat.Dense]*mat.Dense{x: y.Sample, held: y.HeldOut} {
			for i, v := range first(part) {
				if responses.At(i, 0) != 3*v || y.Unit != 1 {
					t.Fatalf("%s: point %v has the response %v in units of %v", more, v, responses.At(i, 0), y.Unit)
				}
			}
		}
	}
	draw := must(must(open("csv", "{path: points.csv, label: 2, response: 1, standardize: true}", c)).Draw(repeat(1)))
	x, _, _ := draw.Sample(60)
	y := draw.(Supervised).Responses(60)
	if want := 3 * math.Sqrt((60*60-1)/12.); math.Abs(y.Unit-want) > 1e-12 || !mat.EqualApprox(x, y.Sample, 1e-12) || y.HeldOut != nil {
		t.Errorf("a unit of %v, want %v; standardised as the coordinate: %v", y.Unit, want, mat.EqualApprox(x, y.Sample, 1e-12))
	}
	if other := must(open("csv", "{path: points.csv, label: 2, drop: [1]}", c)); other.Fingerprint() == must(open("csv", "{path: points.csv, label: 2, response: 1}", c)).Fingerprint() {
		t.Error("responses leave the fingerprint as it is")
	}
	if _, err := open("csv", "{path: points.csv, response: 1, drop: [2], standardize: true}", written(t, "points.csv", "1,5,a\n2,5,b\n")); err == nil || !strings.Contains(err.Error(), "all equal") {
		t.Errorf("error %v", err)
	}
}

// TestOneVsAll by hand: of three classes a column each, of two that of the second.
func TestOneVsAll(t *testing.T) {
	if got, want := OneVsAll([]int{1, 0, 2}, 3), mat.NewDense(3, 3, []float64{-1, 1, -1, 1, -1, -1, -1, -1, 1}); !mat.Equal(got, want) {
		t.Errorf("%v", mat.Formatted(got))
	}
	if got, want := OneVsAll([]int{1, 0, 1}, 2), mat.NewDense(3, 1, []float64{1, -1, 1}); !mat.Equal(got, want) {
		t.Errorf("%v", mat.Formatted(got))
	}
}
