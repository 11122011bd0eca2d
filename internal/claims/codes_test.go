package claims

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"
	"text/template"

	"mercer/configs"
	"mercer/results"
)

// TestMain sees to it that the tests reach the words of every code from data, where all of
// them run.
func TestMain(m *testing.M) {
	flag.Parse()
	var lock sync.Mutex
	reached := map[string]bool{}
	wordFuncs["reached"] = func(name string) string {
		lock.Lock()
		defer lock.Unlock()
		reached[name] = true
		return ""
	}
	define := regexp.MustCompile(`{{define ("[^"]+")}}`)
	templates = template.Must(template.New("words").Funcs(wordFuncs).Parse(define.ReplaceAllString(wordsText, "$0{{reached $1}}")))
	code := m.Run()

	if whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == ""; code == 0 && whole {
		var missed []string
		for _, found := range define.FindAllStringSubmatch(wordsText, -1) {
			if name := found[1][1 : len(found[1])-1]; !reached[name] {
				missed = append(missed, name)
			}
		}
		if len(missed) > 0 {
			fmt.Printf("no test reaches these words from data: %q\n", slices.Sorted(slices.Values(missed)))
			code = 1
		}
	}
	os.Exit(code)
}

// Reasons that a selection gives and no other test reaches.
func TestReasonsOfSelections(t *testing.T) {
	ones := func(string, map[string]float64, int) map[string]float64 { return map[string]float64{"x": 1} }
	grid := along("n", 100, 200, 400)
	run := func(change func(*results.Row)) results.Run {
		r := fake([]string{"a", "b"}, []string{"n"}, grid, 3, ones)
		for i := range r.Rows {
			change(&r.Rows[i])
		}
		return r
	}
	drop := func(why string) func(*results.Row) {
		return func(r *results.Row) {
			r.Metrics = map[string]float64{"y": 1}
			if why != "" {
				r.Warnings = []string{results.NotDefined("x", why)}
			}
		}
	}
	skip := func(so func(method string, n float64, repeat int) bool) func(*results.Row) {
		return func(r *results.Row) {
			if so(r.Method(), number(*r, "n"), r.Repeat) {
				r.Status, r.Metrics = results.Skipped, nil
			}
		}
	}
	absent := run(func(*results.Row) {})
	absent.Catalog.Absent = map[string]string{"poly2": "no such file"}
	apart := run(func(*results.Row) {})
	apart.Rows = slices.DeleteFunc(apart.Rows, func(r results.Row) bool { return (r.Method() == "a") == (number(r, "n") == 400) })
	ratio := ratioClaim(configs.Ratio{AtMost: num("2")})
	slope := configs.Claim{ID: "s", Slope: &configs.Slope{Of: configs.Quantity{Text: "x"}, Over: configs.Word{Value: "n"}, AtMost: num("0"),
		Selection: configs.Selection{Where: configs.Conditions{"method": {Value: []string{"a"}}}}}}
	for _, tt := range []struct {
		code  Code
		run   results.Run
		claim configs.Claim
	}{
		{"data_missing", absent, ratio},
		{"undefined", run(drop("it is not")), ratio},
		{"no_such_value", run(drop("")), ratio},
		{"no_cell", run(skip(func(method string, n float64, _ int) bool { return (method == "a") == (n == 400) })), ratio},
		{"no_common_points", apart, ratio},
		{"no_complete_repeat", run(skip(func(_ string, n float64, repeat int) bool { return n == grid[repeat]["n"] })), slope},
		{"no_log_position", run(func(r *results.Row) { r.At = r.At.With("n", configs.NumberOf(number(*r, "n")-100)) }), slope},
		{"no_position", run(func(r *results.Row) {
			if number(*r, "n") == 100 {
				r.At = r.At.Without("n")
			}
		}), slope},
	} {
		t.Run(string(tt.code), func(t *testing.T) {
			verdicts, err := Judge([]configs.Claim{tt.claim}, tt.run, Context{})
			if err != nil || len(verdicts) == 0 {
				t.Fatalf("%v: %d verdicts", err, len(verdicts))
			}
			for _, v := range verdicts {
				if v.Code != tt.code || v.Reason == "" {
					t.Errorf("%s: %s", v.Code, v.Reason)
				}
			}
		})
	}
}
