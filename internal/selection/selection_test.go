package selection

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/results"
)

// fixedRun has two methods on three sizes at two values of theta, and three repeats
// of each. Method b sets its own m and does not use theta, so its records at both
// values are one computation. One record of a failed.
func fixedRun() results.Run {
	run := results.Run{Manifest: results.Manifest{
		Variables: []string{"theta", "n"},
		Datasets:  map[string]results.DatasetInfo{"poly": {Constants: map[string]float64{"alpha": 2}}, "gone": {Absent: "no file"}},
	}}
	add := func(dataset, method, work string, theta, n float64, repeat int) {
		r := results.Record{Schema: results.SchemaVersion, Dataset: dataset, Method: method, Work: work,
			Point: map[string]float64{"theta": theta, "n": n}, Sizes: sizes.Sizes{N: int(n)}, Repeat: repeat, Status: results.OK}
		if method == "b" {
			r.Sizes.M = 7
		}
		r.Metrics = results.NewMetrics(map[string]results.Metric{"err": {Value: theta * n, Unit: "s"}, "lower": {Value: n}})
		if method == "a" && theta == 0.5 && n == 40 && repeat == 2 {
			r.Status, r.Reason = results.Failed, "no convergence"
		}
		run.Records = append(run.Records, r)
	}
	for _, theta := range []float64{0.5, 1} {
		for _, n := range []float64{10, 20, 40} {
			for repeat := range 3 {
				add("poly", "a", "", theta, n, repeat)
				add("poly", "b", "b at "+plain.Number(n), theta, n, repeat)
				add("gone", "a", "", theta, n, repeat)
			}
		}
	}
	return run
}

func TestGroups(t *testing.T) {
	for _, test := range []struct {
		name      string
		selection configs.Selection
		methods   []string
		want      map[string]int // records of each group
	}{
		{"all", configs.Selection{}, nil, map[string]int{"dataset=poly method=a": 18, "dataset=poly method=b": 9}},
		{"by", configs.Selection{By: configs.Words{{Value: "theta"}}}, nil, map[string]int{
			"dataset=poly method=a theta=0.5": 9, "dataset=poly method=a theta=1": 9, "dataset=poly method=b theta=0.5": 9, "dataset=poly method=b theta=1": 9}},
		{"by a size that a method sets", configs.Selection{By: configs.Words{{Value: "m"}}}, nil, map[string]int{"dataset=poly method=a": 18, "dataset=poly method=b m=7": 9}},
		{"where", configs.Selection{Where: configs.Conditions{"n": {Value: []string{"10", "40"}}, "theta": {Value: []string{"1"}}}}, nil,
			map[string]int{"dataset=poly method=a": 6, "dataset=poly method=b": 6}},
		{"a size that a method sets", configs.Selection{Where: configs.Conditions{"m": {Value: []string{"7"}}}}, nil, map[string]int{"dataset=poly method=b": 9}},
		{"methods compared", configs.Selection{By: configs.Words{{Value: "method"}}}, []string{"a", "b"}, map[string]int{"dataset=poly": 36}},
		{"nothing", configs.Selection{Where: configs.Conditions{"dataset": {Value: []string{"gone"}}}}, nil, map[string]int{}},
	} {
		groups, err := New(fixedRun(), nil).Groups(test.selection, test.methods)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		got := map[string]int{}
		for _, g := range groups {
			got[Describe(g.At)] = len(g.Records)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	_, err := New(fixedRun(), nil).Groups(configs.Selection{By: configs.Words{{Value: "thteta"}}}, nil)
	if err == nil || !strings.Contains(err.Error(), `did you mean "theta"?`) {
		t.Errorf("a column that no record has: %v", err)
	}
}

// What Split leaves in place and what it copies have the same records, and the
// run's own order stays.
func TestSplitLeavesRecordsAsTheyAre(t *testing.T) {
	r := New(fixedRun(), nil)
	before := append([]*results.Record{}, r.All...)
	for _, columns := range [][]string{{"theta"}, {"n"}, {"method", "n"}} {
		count := 0
		for _, g := range Split(r.All, columns) {
			for _, record := range g.Records {
				for _, c := range g.At {
					if text, _ := Column(record, c.Name); text != c.Value {
						t.Errorf("%s holds a record with %s=%s", Describe(g.At), c.Name, text)
					}
				}
			}
			count += len(g.Records)
		}
		if count != len(r.All) {
			t.Errorf("split by %v: %d records of %d", columns, count, len(r.All))
		}
	}
	for i := range before {
		if before[i] != r.All[i] {
			t.Fatalf("record %d has moved", i)
		}
	}
}

func TestQuantity(t *testing.T) {
	r := New(fixedRun(), nil)
	at := r.Pick(configs.Conditions{"method": {Value: []string{"a"}}, "theta": {Value: []string{"0.5"}}, "n": {Value: []string{"40"}}})
	for _, test := range []struct {
		text  string
		value float64
		unit  string
	}{
		{"err", 20, "s"},
		{"err / n", 0.5, ""},
		{"err - lower", -20, ""},
		{"theta * lower", 20, ""},
	} {
		q, err := r.Quantity(configs.NewQuantity(test.text))
		if err != nil {
			t.Fatal(err)
		}
		readings := q.Read(at)
		if len(readings) != 3 || !readings[0].OK() || readings[0].Value != test.value {
			t.Errorf("%s: %+v, want %g", test.text, readings, test.value)
		}
		if m := readings[2]; m.OK() || m.Skipped() || m.Err.Error() != "failed: no convergence" {
			t.Errorf("%s of a record that failed: %+v", test.text, m)
		}
		if got := q.Unit(at); got != test.unit {
			t.Errorf("%s: unit %q, want %q", test.text, got, test.unit)
		}
	}
	if q, err := r.Quantity(configs.NewQuantity("err / lost")); err != nil || q.Read(at)[0].Err.Error() != "no metric lost" {
		t.Errorf("a metric that no record has: %v", err)
	}
	if _, err := r.Quantity(configs.NewQuantity("err +")); err == nil {
		t.Error("an expression that does not parse is taken")
	}
}

func TestCells(t *testing.T) {
	r := New(fixedRun(), nil)
	of := func(where configs.Conditions) []*results.Record { return r.Pick(where) }
	q, err := r.Quantity(configs.NewQuantity("err"))
	if err != nil {
		t.Fatal(err)
	}
	cells := Cells(q.Read(of(configs.Conditions{"method": {Value: []string{"a"}}})))
	if len(cells) != 6 || len(cells[0]) != 3 {
		t.Errorf("%d cells, the first of %d repeats; want 6 of 3", len(cells), len(cells[0]))
	}
	for _, test := range []struct {
		where configs.Conditions
		over  string
		want  string
	}{
		{configs.Conditions{"method": {Value: []string{"a"}}, "n": {Value: []string{"10"}}, "theta": {Value: []string{"1"}}}, "n", ""},
		{configs.Conditions{"method": {Value: []string{"a"}}, "n": {Value: []string{"10"}}}, "n", "2 different cells, which differ in theta; add theta to by, or fix it in where"},
		{configs.Conditions{"method": {Value: []string{"a"}}}, "n", "6 different cells, which differ in theta; add theta to by, or fix them in where"},
	} {
		reason, advice := r.Clash(of(test.where), test.over)
		if got := strings.TrimSuffix(reason+"; "+advice, "; "); got != test.want {
			t.Errorf("%v: %q, want %q", test.where, got, test.want)
		}
	}
	one := of(configs.Conditions{"method": {Value: []string{"a"}}, "theta": {Value: []string{"1"}}})
	if got := Describe(r.CoordinatesWithin(one).At(one[0])); got != "n=10" {
		t.Errorf("within one theta: %q", got)
	}
	if got := Describe(r.CoordinatesWithin(one[:3]).At(one[0])); got != "theta=1 n=10" {
		t.Errorf("within one cell: %q", got)
	}
}

func TestEnvironment(t *testing.T) {
	r := New(fixedRun(), map[string]map[string]float64{"poly": {"beta": 3}})
	e := r.Environment("poly", r.Pick(configs.Conditions{"theta": {Value: []string{"0.5"}}}))
	for _, test := range []struct {
		text string
		want float64
		says string
	}{
		{"alpha * theta + beta", 4, ""},
		{"1.5", 1.5, ""},
		{"1/n", 0, "uses n, which varies in the group; add it to by, or fix it in where"},
		{"gamma", 0, "neither a constant of dataset poly nor a grid variable; known are alpha, beta"},
	} {
		got, err := e.Eval(&configs.Value{Text: test.text})
		if test.says == "" && (err != nil || got != test.want) {
			t.Errorf("%s is %g (%v), want %g", test.text, got, err, test.want)
		}
		if test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %v, want %q", test.text, err, test.says)
		}
	}
}

// TestAbsent: the data sets that are missing, among those that conditions pick.
func TestAbsent(t *testing.T) {
	r := New(results.Run{Manifest: results.Manifest{Datasets: map[string]results.DatasetInfo{"a": {Absent: "no file"}, "b": {}, "c": {Absent: "no file"}}}}, nil)
	for where, want := range map[string][]string{"": {"a", "c"}, "a": {"a"}, "b": {}} {
		conditions := configs.Conditions{}
		if where != "" {
			conditions["dataset"] = configs.Located[[]string]{Value: []string{where}}
		}
		if got := r.Absent(conditions); !slices.Equal(got, want) {
			t.Errorf("dataset %q: %v, want %v", where, got, want)
		}
	}
}
