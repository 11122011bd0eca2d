package results

import (
	"encoding/json"
	"slices"
	"testing"

	"mercer/configs"
)

// Keys with equal columns are ==, whatever they were made from; a column without a value is
// in none.
func TestKeys(t *testing.T) {
	at := key("dataset", "p", "n", 100, "rule", "uniform")
	for name, same := range map[string]Key{
		"with none":  NewKey([]string{"dataset", "m", "n", "rule"}, []Value{configs.TextOf("p"), {}, configs.NumberOf(1e2), configs.TextOf("uniform")}),
		"only":       key("n", 100, "m", 3, "rule", "uniform", "dataset", "p").Only("dataset", "n", "rule", "theta"),
		"without":    key("dataset", "p", "m", 3, "n", 100, "rule", "uniform").Without("m", "theta"),
		"with":       key("dataset", "p", "n", 3, "rule", "uniform").With("n", configs.NumberOf(100)),
		"with, none": key("dataset", "p", "n", 100).With("rule", configs.TextOf("uniform")),
	} {
		if same != at {
			t.Errorf("%s: %s is not %s", name, same, at)
		}
	}
	for _, other := range []Key{{}, key("dataset", "p", "n", "100", "rule", "uniform"), key("n", 100, "dataset", "p", "rule", "uniform"), key("dataset", "p", "n", 100)} {
		if other == at {
			t.Errorf("%s is another key than %s", other, at)
		}
	}
	if x, ok := at.Number("n"); x != 100 || !ok {
		t.Errorf("n is %v, %v", x, ok)
	}
	if x, ok := at.Number("rule"); x != 0 || ok {
		t.Errorf("a text has the number %v", x)
	}
	if got := at.String(); got != "dataset=p n=100 rule=uniform" {
		t.Error(got)
	}
}

// Two keys meet where no column that both have differs: what does not use m stands beside
// every m.
func TestMeets(t *testing.T) {
	at := key("method", "nystrom", "n", 100, "m", 20)
	for _, tt := range []struct {
		other Key
		want  bool
	}{{key("n", 100), true}, {key("m", 20, "theta", 1), true}, {Key{}, true}, {key("n", 101), false}, {key("m", "20"), false}} {
		if at.Meets(tt.other) != tt.want || tt.other.Meets(at) != tt.want {
			t.Errorf("%s meets %s: want %v", at, tt.other, tt.want)
		}
	}
}

// A key is a JSON object in the order of its columns, and reads back as itself.
func TestKeyJSON(t *testing.T) {
	at := key("rule", "a \"b\"", "n", 1e21, "theta", 0.30000000000000004)
	text, err := json.Marshal(at)
	if err != nil || string(text) != `{"rule":"a \"b\"","n":1e+21,"theta":0.30000000000000004}` {
		t.Errorf("%s, %v", text, err)
	}
	var again Key
	if err := json.Unmarshal(text, &again); err != nil || again != at {
		t.Errorf("%s, %v", again, err)
	}
	for _, bad := range []string{`[]`, `{"n":true}`, `{"n":null}`, `{"n":{}}`, `{"n":1`} {
		if err := json.Unmarshal([]byte(bad), &again); err == nil {
			t.Errorf("%s is read as %s", bad, again)
		}
	}
}

// tableRows are two methods over n and m, of which ekpca takes no m, with two repeats each.
func tableRows() []Row {
	var rows []Row
	add := func(at Key) {
		for repeat := range 2 {
			r := sample(0)
			r.At, r.Repeat, r.ID = at, repeat, at.String()+string(rune('0'+repeat))
			rows = append(rows, r)
		}
	}
	for _, n := range []int{50, 250} {
		for _, m := range []int{20, 30} {
			if n == 250 || m == 20 { // the skip of testSpec
				add(key("dataset", "poly2", "method", "nystrom", "n", n, "m", m))
			}
		}
		add(key("dataset", "poly2", "method", "ekpca", "n", n))
	}
	return rows
}

// Rows are split by columns; one that has no value in a column stands in every group.
func TestGroups(t *testing.T) {
	run := testRun(t, tableRows()...)
	rows := run.Present()
	var cells []string
	for _, cell := range Cells(rows) {
		if len(cell.Rows) != 2 {
			t.Errorf("%s has %d repeats", cell.At, len(cell.Rows))
		}
		cells = append(cells, cell.At.Without("dataset").String())
	}
	want := []string{"method=nystrom n=50 m=20", "method=nystrom n=250 m=20", "method=nystrom n=250 m=30", "method=ekpca n=50", "method=ekpca n=250"}
	if !slices.Equal(cells, want) {
		t.Errorf("cells %q, want %q", cells, want)
	}
	for _, group := range Meeting(rows, []string{"m"}) {
		methods := map[string]int{}
		for _, r := range group.Rows {
			methods[r.Method()]++
		}
		if methods["ekpca"] != 4 || methods["nystrom"] == 0 {
			t.Errorf("group %s has %v: ekpca belongs to every m", group.At, methods)
		}
	}
}

// where picks values exactly, and rows that do not use the column.
func TestSelect(t *testing.T) {
	run := testRun(t, tableRows()...)
	count := func(text string) int {
		rows, err := run.Select(conditions(t, text))
		if err != nil {
			t.Fatal(err)
		}
		return len(rows)
	}
	for text, want := range map[string]int{"m: 20": 8, "m: [20, 30]": 10, "n: 250, m: 30": 4, "method: ekpca": 4, "m: 25": 4} {
		if got := count(text); got != want {
			t.Errorf("%s: %d rows, want %d", text, got, want)
		}
	}
	if _, err := run.Select(conditions(t, "mm: 20")); err == nil {
		t.Error("an unknown column is taken")
	}
}

// Two methods are paired at each point that is not skipped: ekpca, which has no m, beside
// every m of the other.
func TestPairs(t *testing.T) {
	run := testRun(t, tableRows()...)
	var got []string
	for _, p := range run.Pairs(run.Present(), "nystrom", "ekpca") {
		got = append(got, p.At.Only("n", "m").String())
		if len(p.Top) != 2 || len(p.Bottom) != 2 {
			t.Errorf("%s: %d and %d repeats", p.At, len(p.Top), len(p.Bottom))
		}
	}
	if want := []string{"n=50 m=20", "n=250 m=20", "n=250 m=30"}; !slices.Equal(got, want) {
		t.Errorf("pairs at %q, want %q", got, want)
	}
}
