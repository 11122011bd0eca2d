package compare

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/results"
)

// steady is a run of two methods without noise: any difference was put there.
func steady() Side {
	s := synthetic([]string{"a", "b"}, 12, func(method string, n, repeat int) map[string]float64 {
		scale := map[string]float64{"a": 1, "b": 2}[method]
		return map[string]float64{
			"error": scale / math.Sqrt(float64(n)) * (1 + 0.1*math.Sin(float64(repeat))),
			"score": 0.5 + 0.01*float64(repeat), "other": 3,
		}
	})
	s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Holds), verdict("rate", "b", claims.Inconclusive)}
	return s
}

// Each way to spoil a run gives its own finding, the right severity, and nothing
// graver beside it.
func TestSabotage(t *testing.T) {
	all := func(*results.Row) bool { return true }
	ofA := func(r *results.Row) bool { return r.Method() == "a" }
	scaled := func(metric string, factor float64, which func(*results.Row) bool) func(Side) Side {
		return func(s Side) Side {
			return changed(s, func(r *results.Row) {
				if which(r) {
					scaleMetric(r, metric, factor)
				}
			})
		}
	}
	without := func(which func(r results.Row) bool) func(Side) Side {
		return func(s Side) Side {
			var kept []results.Row
			for _, r := range s.Rows {
				if !which(r) {
					kept = append(kept, r)
				}
			}
			s.Rows = kept
			return s
		}
	}
	renamed := func(s Side) Side {
		return changed(s, func(r *results.Row) {
			r.Metrics.Set("failure", r.Metrics["error"])
			remove(r, "error")
		})
	}
	elsewhere := func(s Side) Side {
		s.Manifest.Versions = map[string]string{"blas": "blas 2"}
		return s
	}
	// The bases that are spoiled too.
	skipped := func(s Side) Side {
		return changed(s, func(r *results.Row) { r.Status, r.Reason, r.Metrics = results.Skipped, "m > n", results.Metrics{} })
	}
	checks := func(s Side) Side {
		for i := range s.Verdicts {
			s.Verdicts[i].Check = true
		}
		return s
	}
	control := func(s Side) Side {
		s.Verdicts[0].Control, s.Verdicts[0].Outcome = true, claims.Violated
		return s
	}
	failed := func(s Side) Side { return failing(s, all) }
	absent := func(s Side) Side {
		s.Rows = []results.Row{{ID: "x", At: cellAt("a", 1).Without("n"), Status: results.Skipped, Reason: "data: no file"}}
		s.Catalog.Absent = map[string]string{"data": "no file"}
		s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.NotApplicable), verdict("rate", "b", claims.NotApplicable)}
		for i := range s.Verdicts {
			s.Verdicts[i].Group = s.Verdicts[i].Group.With("dataset", configs.TextOf("data"))
		}
		return s
	}
	bases := map[string]func(Side) Side{
		"all records failed on both sides": failed, "all failed on both sides, reseeded": failed,
		"a method failed on both sides": func(s Side) Side { return failing(s, ofA) },
		"mended records":                failed, "some mended records": failed,
		"records skipped on both sides": skipped, "skipped records that fail": skipped,
		"absent data on both sides": absent, "a check that broke": checks, "a control that is no longer violated, reseeded": control,
	}
	for _, tt := range []struct {
		name  string
		spoil func(Side) Side
		want  string // severity, kind and a part of its text; "" for no finding at all
		worst Severity
	}{
		{"nothing", func(s Side) Side { return s }, "", ""},
		{"1 % worse", scaled("error", 1.01, ofA), "error: 36 of 36 numbers with the same seeds differ by more than 1e-09; on average +1 % (worse); the largest difference is 0.", Regression},
		{"1 % better", scaled("error", 0.99, ofA), "regression drift data rbf a n=", Regression},
		{"a score 1 % less", scaled("score", 0.99, all), "(worse)", Regression},
		{"within the tolerance", scaled("error", 1+1e-10, ofA), "", ""},
		{"1e-8 off on the same machine", scaled("error", 1+1e-8, ofA), "regression drift", Regression},
		{"1e-8 off on another BLAS", func(s Side) Side { return elsewhere(scaled("error", 1+1e-8, ofA)(s)) }, "note different : changed: BLAS blas 1 → blas 2", Note},
		{"1 % worse on another BLAS", func(s Side) Side { return elsewhere(scaled("error", 1.01, ofA)(s)) }, "regression drift", Regression},
		{"one score tipped on another BLAS", func(s Side) Side {
			return elsewhere(scaled("score", 1.3, func(r *results.Row) bool { return r.Method() == "a" && r.At.Text("n") == "100" && r.Repeat == 3 })(s))
		}, "warning drift data rbf a n=100 repeat 3 score: 1 of 36 numbers", Warning},
		{"one score tipped on the same machine", scaled("score", 1.3, func(r *results.Row) bool { return r.Method() == "a" && r.At.Text("n") == "100" && r.Repeat == 3 }), "regression drift", Regression},
		{"many scores tipped on another BLAS", func(s Side) Side {
			return elsewhere(scaled("score", 1.3, func(r *results.Row) bool { return r.Method() == "a" && r.At.Text("n") == "100" })(s))
		}, "score: 12 of 36 numbers", Regression},
		{"one error off on another BLAS", func(s Side) Side {
			return elsewhere(scaled("error", 1.3, func(r *results.Row) bool { return r.Method() == "a" && r.At.Text("n") == "100" && r.Repeat == 3 })(s))
		}, "regression drift", Regression},
		{"a changed seed", func(s Side) Side { return reseeded(s, 8) }, "warning different : changed: seed 7 → 8; 6 cells are compared as distributions", Warning},
		{"changed data", func(s Side) Side {
			s = changed(s, func(r *results.Row) { r.ID += "-other" })
			s.Catalog.Populations = map[string]results.Population{"p": {Dataset: "data", Fingerprint: "g"}}
			return s
		}, "warning different : changed: data of data; 6 cells", Warning},
		{"a new version, 1 % worse", func(s Side) Side { return scaled("error", 1.01, ofA)(upgraded(s, "a")) },
			"regression worse data rbf a error: +1 % (worse) over 3 cells; p = 4.9e-04 after Holm over all groups, signed ranks of 12 repeats; find out why", Regression},
		{"a new version, 0.4 % worse", func(s Side) Side { return scaled("error", 1.004, ofA)(upgraded(s, "a")) }, "warning different : changed: version of a 1 → 2; 3 cells", Warning},
		{"a new version, 1 % better", func(s Side) Side { return scaled("error", 0.99, ofA)(upgraded(s, "a")) }, "warning different", Warning},
		{"a new version, a score 1 % less", func(s Side) Side { return scaled("score", 0.99, ofA)(upgraded(s, "a")) }, "regression worse data rbf a score: -1 % (worse)", Regression},
		{"a new version, something moved", func(s Side) Side { return scaled("other", 1.01, ofA)(upgraded(s, "a")) }, "warning changed data rbf a other: +1 % over 3 cells", Warning},
		{"a new version, the same numbers", func(s Side) Side { return upgraded(s, "a") }, "warning different", Warning},
		{"a dropped cell", without(func(r results.Row) bool { return r.Method() == "b" && r.At.Text("n") == "200" }), "regression dropped : 12 rows missing, of data rbf b n=200: is the run complete?; if intended, renew the base by mercer export RUN --format reference --out DIR", Regression},
		{"a dropped method", without(func(r results.Row) bool { return r.Method() == "b" }), "regression dropped : 36 rows missing, of data rbf b n=100", Regression},
		{"a dropped record", without(func(r results.Row) bool { return r.Method() == "b" && r.At.Text("n") == "200" && r.Repeat == 4 }), "regression dropped : 1 row missing, of data rbf b n=200", Regression},
		{"fewer repeats", func(s Side) Side {
			s.Manifest.Repeats = 4
			return without(func(r results.Row) bool { return r.Repeat >= 4 })(s)
		}, "warning dropped : fewer repeats, 4 in place of 12: 48 rows", Warning},
		{"a filter", func(s Side) Side {
			s.Manifest.Filter = `method == "a"`
			return without(func(r results.Row) bool { return r.Method() == "b" })(s)
		}, `note dropped : 36 rows of the base not in the filter method == "a"`, Note},
		{"a renamed metric", renamed, "regression dropped data rbf b error: measured in 0 rows, before in 36; if intended, renew the base by mercer export RUN --format reference --out DIR", Regression},
		{"a metric gone", func(s Side) Side {
			return changed(s, func(r *results.Row) { remove(r, "other") })
		}, "regression dropped data rbf a other: measured in 0 rows, before in 36", Regression},
		{"a metric gone from some records", func(s Side) Side {
			return changed(s, func(r *results.Row) {
				if r.Repeat > 5 {
					remove(r, "other")
				}
			})
		}, "regression dropped data rbf a other: measured in 18 rows, before in 36", Regression},
		{"a new metric", func(s Side) Side {
			return changed(s, func(r *results.Row) { r.Metrics.Set("new", 1) })
		}, "", ""},
		{"failed records", func(s Side) Side {
			return failing(s, func(r *results.Row) bool { return r.Method() == "a" && r.At.Text("n") == "400" })
		}, "regression status data rbf a: 12 rows are failed, ok before; the first: data rbf a n=400 repeat 0: no convergence", Regression},
		{"all records failed on both sides", func(s Side) Side { return failing(s, all) },
			"warning untested data rbf a: no row is ok; the first: data rbf a n=100 repeat 0: no convergence; find out why", Undecided},
		{"all failed on both sides, reseeded", func(s Side) Side { return failing(reseeded(s, 8), all) }, "undecided untested : nothing could be compared: no metric of the same cell and repeat is ok on both sides", Undecided},
		{"a method failed on both sides", func(s Side) Side { return failing(s, ofA) },
			"warning untested data rbf a: no row is ok; the first: data rbf a n=100 repeat 0: no convergence", Warning},
		{"mended records", func(s Side) Side { return reseeded(s, 8) }, "undecided untested : nothing could be compared: no metric of the same cell and repeat is ok on both sides", Undecided},
		{"some mended records", func(s Side) Side { return failing(s, ofA) }, "warning untested data rbf a: no row is ok", Undecided},
		{"records that no longer run", func(s Side) Side { return failing(reseeded(s, 8), all) }, "regression status data rbf a: 36 rows are failed, ok before", Regression},
		{"records skipped on both sides", skipped, "", ""},
		{"skipped records that fail", func(s Side) Side { return failing(s, all) }, "note status data rbf a: 36 rows are failed, skipped before; the first: data rbf a n=100 repeat 0: no convergence (base: m > n)", Undecided},
		{"no repeat in common", func(s Side) Side {
			s = changed(without(func(r results.Row) bool { return r.Repeat > 3 })(upgraded(upgraded(s, "a"), "b")), func(r *results.Row) { r.Repeat += 20 })
			s.Manifest.Filter = "repeat >= 20"
			return s
		}, "undecided untested : nothing could be compared: no metric of the same cell and repeat is ok on both sides", Undecided},
		{"one cell of another version", func(s Side) Side {
			return without(func(r results.Row) bool { return r.Method() == "a" && r.At.Text("n") != "100" })(upgraded(s, "a"))
		}, "version of a 1 → 2; 1 cell is compared as distributions, not number by number", Regression},
		{"absent data", absent, "note skipped data: skipped: data: not compared, because a run could not read or fetch the data: no file", Note},
		{"absent data on both sides", absent, "note skipped data: skipped: data: not compared, because a run could not read or fetch the data: no file", Note},
		{"a claim violated", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Violated), verdict("rate", "b", claims.Inconclusive)}
			return s
		}, "regression verdict rate a: holds → violated on the same numbers: because; mercer check run shows the verdict", Regression},
		{"a claim violated at another seed", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Violated), verdict("rate", "b", claims.Inconclusive)}
			return reseeded(s, 8)
		}, "regression verdict rate a: holds → violated: because; mercer check run shows the verdict", Regression},
		{"an undecided claim violated", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Holds), verdict("rate", "b", claims.Violated)}
			return reseeded(s, 8)
		}, "warning verdict rate b: inconclusive → violated", Warning},
		{"a claim undecided", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Inconclusive), verdict("rate", "b", claims.Inconclusive)}
			return reseeded(s, 8)
		}, "warning verdict rate a: holds → inconclusive", Warning},
		{"a claim decided", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Holds), verdict("rate", "b", claims.Holds)}
			return reseeded(s, 8)
		}, "note verdict rate b: inconclusive → holds", Warning},
		{"a claim undecided on the same numbers", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Inconclusive), verdict("rate", "b", claims.Inconclusive)}
			return s
		}, "regression verdict rate a: holds → inconclusive on the same numbers", Regression},
		{"a control that holds on the same numbers", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Holds), verdict("rate", "b", claims.Holds)}
			return s
		}, "regression verdict rate b: inconclusive → holds on the same numbers", Regression},
		{"a check that broke", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Inconclusive), verdict("rate", "b", claims.Inconclusive)}
			return s
		}, "regression verdict rate a: holds → inconclusive on the same numbers", Regression},
		{"a control that is no longer violated, reseeded", func(s Side) Side {
			s.Verdicts = []claims.Verdict{verdict("rate", "a", claims.Holds), verdict("rate", "b", claims.Inconclusive)}
			s.Verdicts[0].Control = true
			return reseeded(s, 8)
		}, "regression verdict rate a: violated → holds", Regression},
		{"a claim dropped", func(s Side) Side { s.Verdicts = nil; return s }, "regression verdict rate: no longer judged", Regression},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := steady()
			if tt.name == "absent data" {
				for i := range base.Verdicts {
					base.Verdicts[i].Group = base.Verdicts[i].Group.With("dataset", configs.TextOf("data"))
				}
			}
			if spoil := bases[tt.name]; spoil != nil {
				base = spoil(base)
			}
			c := Compare([]Pair{{base, tt.spoil(steady())}}, options)
			var lines []string
			for _, f := range c.All() {
				head := strings.TrimRight(fmt.Sprintf("%s %s %s %s", f.Severity, f.Kind, f.Where, f.Metric), " ")
				if f.Where == "" && f.Metric == "" {
					head += " "
				}
				line := head + ": " + f.Text
				if f.Do != "" {
					line += "; " + f.Do
				}
				lines = append(lines, line)
			}
			report := strings.Join(lines, "\n")
			if strings.Contains(report, "0 cells") || strings.Contains(report, "1 cells") {
				t.Errorf("findings\n%s", report)
			}
			if tt.want == "" && report != "" || !strings.Contains(report, tt.want) {
				t.Errorf("findings\n%s\nwant %q", report, tt.want)
			}
			for _, f := range c.All() {
				if f.Severity == Regression && f.Do == "" {
					t.Errorf("regression %q does not say what to do", f)
				}
			}
			if worst := c.All(); len(worst) > 0 && worst[0].Severity != tt.worst {
				t.Errorf("the gravest is %q, want a %s", worst[0], tt.worst)
			}
		})
	}
}

// failing is a run of which some records failed.
func failing(s Side, which func(*results.Row) bool) Side {
	return changed(s, func(r *results.Row) {
		if which(r) {
			r.Status, r.Reason, r.Metrics = results.Failed, "no convergence", results.Metrics{}
		}
	})
}

// timed is a run with times of noise 7 % and now and then a burst of other work, on a
// machine that was common times as fast.
func timed(rng *rand.Rand, repeats int, common float64, factor map[string]float64) Side {
	return synthetic([]string{"a", "b", "c"}, repeats, func(method string, n, _ int) map[string]float64 {
		t := 1e-4 * float64(n) * common * math.Exp(0.07*rng.NormFloat64())
		if rng.Float64() < 0.05 {
			t *= 1.5
		}
		if f := factor[method]; f > 0 {
			t *= f
		}
		return map[string]float64{"time_total": t}
	})
}

// A method 20 % slower is found in a series of 20 repeats, and the machine's slow
// day is not; on another machine times are told, and never a regression.
func TestTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	base := timed(rng, 20, 1, nil)
	slow := timed(rng, 20, 1, map[string]float64{"b": 1.2})
	c := Compare([]Pair{{base, slow}}, options)
	if c.Count(Regression) != 1 || c.All()[0].Kind != Slower || c.All()[0].Where != "data rbf b" || !strings.HasPrefix(c.All()[0].Text, "× 1.23 over 3 cells, 99 % interval [1.18, 1.28]; × 1.1 is allowed; p") {
		t.Errorf("20 %% slower: %v", c.All())
	}
	c = Compare([]Pair{{slow, base}}, options)
	if len(c.All()) != 0 {
		t.Errorf("20 %% faster: %v", c.All())
	}
	c = Compare([]Pair{{base, timed(rng, 20, 1.08, nil)}}, options)
	if len(c.All()) != 0 {
		t.Errorf("all 8 %% slower, as by other work on the machine: %v", c.All())
	}
	slow.Manifest.Machine.CPU = "another"
	c = Compare([]Pair{{base, slow}}, options)
	if c.Count(Regression) != 0 || c.All()[0].Severity != Undecided || !strings.Contains(c.All()[1].Text, "times are not compared: the machines differ (cpu, 2 cores, linux/amd64; another, 2 cores, linux/amd64)") {
		t.Errorf("another machine: %v", c.All())
	}
	c = Compare([]Pair{{timed(rng, 3, 1, nil), timed(rng, 3, 1, map[string]float64{"b": 2})}}, options)
	if c.Count(Regression) != 0 || c.Count(Warning) != 1 || c.All()[0].Do != "it takes 6 repeats on both sides" {
		t.Errorf("three repeats: %v", c.All())
	}
}

// noisy is a run whose errors scatter by 10 % from repeat to repeat, which cells share
// in part, as they share samples; scores are those of a clustering that finds one
// of two states; times have noise of 7 % within a run and of 3 % between runs.
func noisy(rng *rand.Rand, repeats int) Side {
	shared, common := map[int]float64{}, 1e-4*math.Exp(0.03*rng.NormFloat64())
	return synthetic([]string{"a", "b", "c", "d"}, repeats, func(_ string, n, repeat int) map[string]float64 {
		if _, drawn := shared[repeat]; !drawn {
			shared[repeat] = rng.NormFloat64()
		}
		score := 0.6
		if rng.IntN(2) == 0 {
			score = 0.9
		}
		return map[string]float64{
			"error": math.Exp(0.1*(shared[repeat]+rng.NormFloat64())) / float64(n),
			"score": score, "time_total": common * math.Exp(0.07*rng.NormFloat64()),
		}
	})
}

// 1000 comparisons of runs that do not differ give at most 1 % false alarms, whether
// called regressions or undecided: half with new seeds and half by pairs (a new version
// that draws otherwise), of 4 methods, 3 sizes, 2 metrics and times, 13 repeats, which
// are enough. The rank tests are exact, so that the rate is below 1 % in truth, by how
// much their steps and Worse leave. Were it 2 %, this would pass with probability 0.01;
// the seed is fixed.
func TestFalseAlarms(t *testing.T) {
	alter := []func(Side) Side{
		func(s Side) Side { return reseeded(s, 8) },
		func(s Side) Side {
			for _, m := range []string{"a", "b", "c", "d"} {
				s = upgraded(s, m)
			}
			return s
		},
	}
	rng := rand.New(rand.NewPCG(20261122, 5))
	const trials = 1000
	alarms := [2]int{}
	for i := range trials {
		c := Compare([]Pair{{noisy(rng, 13), alter[i%2](noisy(rng, 13))}}, options)
		if c.Count(Regression)+c.Count(Undecided) > 0 {
			alarms[i%2]++
		}
	}
	t.Logf("%d false alarms in %d comparisons: %d with new seeds, %d by pairs", alarms[0]+alarms[1], trials, alarms[0], alarms[1])
	if alarms[0]+alarms[1] > trials/100 {
		t.Errorf("%d false alarms in %d comparisons", alarms, trials)
	}
}

// Too few repeats leave distributions undecided whatever the values say, with the number that it
// takes; with that number, what is worse in every repeat is a regression. Numbers with the
// same seeds, and costs, need no repeats.
func TestTooFew(t *testing.T) {
	side := func(repeats int) Side {
		s := steady()
		s.Rows = slices.DeleteFunc(s.Rows, func(r results.Row) bool { return r.Repeat >= repeats })
		s.Manifest.Repeats = repeats
		return s
	}
	worse := func(s Side, factor float64) Side {
		return changed(s, func(r *results.Row) {
			if r.Method() == "a" {
				scaleMetric(r, "error", factor)
			}
		})
	}
	only := func(metric string, s Side) Side {
		s.Rows = slices.DeleteFunc(s.Rows, func(r results.Row) bool { return r.At.Text("n") != "100" })
		return changed(s, func(r *results.Row) {
			for name := range maps.Collect(r.Metrics.All()) {
				if name != metric {
					remove(r, name)
				}
			}
		})
	}
	for _, tt := range []struct {
		name      string
		base, new Side
		want      string // of the finding; "" for none
		worst     Severity
	}{
		{"few pairs", side(6), worse(upgraded(side(6), "a"), 1.3), "too few repeats (6 and 6) to find a change at confidence 0.99: data rbf a error, data rbf a score; it takes 11 repeats on both sides", Undecided},
		{"few pairs for the cells alone", side(10), worse(upgraded(side(10), "a"), 1.3), "it takes 11 repeats on both sides", Regression},
		{"few pairs, better", side(10), worse(upgraded(side(10), "a"), 0.7), "it takes 11 repeats", Undecided},
		{"enough pairs", side(11), worse(upgraded(side(11), "a"), 1.3), "", Regression},
		{"enough in the new run alone", side(10), worse(upgraded(side(12), "a"), 0.7), "too few repeats (10 and 10)", Undecided},
		{"new seeds", side(6), reseeded(side(6), 8), "too few repeats (6 and 6) to find a change at confidence 0.99: data rbf a error, data rbf a score, data rbf b error, data rbf b score; it takes 7 repeats on both sides", Undecided},
		{"enough of new seeds", side(7), worse(reseeded(side(7), 8), 3), "", Regression},
		{"one test", only("error", side(6)), worse(only("error", upgraded(side(6), "a")), 1.3), "it takes 8 repeats on both sides", Undecided},
		{"the same seeds", side(1), side(1), "", ""},
		{"the same seeds, worse", side(1), worse(side(1), 1.3), "", Regression},
		{"times", timed(rand.New(rand.NewPCG(3, 1)), 3, 1, nil), timed(rand.New(rand.NewPCG(3, 2)), 3, 2, nil), "it takes 6 repeats on both sides", Warning},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := Compare([]Pair{{tt.base, tt.new}}, options).All()
			if len(all) == 0 && tt.worst != "" || len(all) > 0 && all[0].Severity != tt.worst {
				t.Errorf("findings %v, want a %s first", all, tt.worst)
			}
			few := lists.Where(all, func(f Finding) bool { return strings.HasPrefix(f.Text, "too few repeats") })
			if (len(few) == 0) != (tt.want == "") || len(few) > 0 && !strings.Contains(few[0].String(), tt.want) {
				t.Errorf("%v, want %q", few, tt.want)
			}
		})
	}
}

// A method whose later repeats failed leaves too few to decide.
func TestUndecided(t *testing.T) {
	late := func(r *results.Row) bool { return r.Method() == "a" && r.Repeat >= 5 }
	base, new := failing(steady(), late), upgraded(failing(steady(), late), "a")
	c := Compare([]Pair{{base, new}}, options)
	if first := c.All()[0]; first.Severity != Undecided || c.Count(Regression) > 0 {
		t.Errorf("%v", c.All())
	}
}

func scaleMetric(r *results.Row, name string, factor float64) {
	r.Metrics.Set(name, factor*r.Metrics[name])
}

// Power at the thresholds of the profiles: how often a change is found. The bounds
// lie 4 standard deviations of 100 trials or more below the rates of 1000.
func TestPower(t *testing.T) {
	paired := func(repeats int, noise float64) func(rng *rand.Rand) Pair {
		return func(rng *rand.Rand) Pair {
			base := noisy(rng, repeats)
			return Pair{base, upgraded(changed(base, func(r *results.Row) {
				if r.Method() == "a" {
					scaleMetric(r, "error", 1.01*math.Exp(noise*rng.NormFloat64()))
				}
			}), "a")}
		}
	}
	for _, tt := range []struct {
		name  string
		pair  func(rng *rand.Rand) Pair
		least float64
	}{
		{"1 % worse by pairs, 12 repeats, noise of pairs 0.5 %", paired(12, 0.005), 0.8},
		{"1 % worse by pairs, 20 repeats, noise of pairs 2 %", paired(20, 0.02), 0.25},
		{"1 % worse by pairs, 40 repeats, noise of pairs 2 %", paired(40, 0.02), 0.8},
		{"20 % worse with new seeds, 10 repeats, noise 14 %", func(rng *rand.Rand) Pair {
			return Pair{noisy(rng, 10), reseeded(changed(noisy(rng, 10), func(r *results.Row) {
				if r.Method() == "a" {
					scaleMetric(r, "error", 1.2)
				}
			}), 8)}
		}, 0.1},
		{"20 % slower, 10 repeats, noise 7 % and bursts", func(rng *rand.Rand) Pair {
			return Pair{timed(rng, 10, 1, nil), timed(rng, 10, 1, map[string]float64{"b": 1.2})}
		}, 0.2},
		{"20 % slower, 20 repeats, noise 7 % and bursts", func(rng *rand.Rand) Pair {
			return Pair{timed(rng, 20, 1, nil), timed(rng, 20, 1, map[string]float64{"b": 1.2})}
		}, 0.7},
	} {
		rng := rand.New(rand.NewPCG(77, 9))
		found := 0
		const trials = 100
		for range trials {
			c := Compare([]Pair{tt.pair(rng)}, options)
			for _, f := range c.All() {
				if f.Severity == Regression {
					found++
					break
				}
			}
		}
		t.Logf("%s: found in %.0f %%", tt.name, 100*float64(found)/trials)
		if float64(found)/trials < tt.least {
			t.Errorf("%s: found in %d of %d, at least %.0f %% is expected", tt.name, found, trials, 100*tt.least)
		}
	}
}

// TestNothingToCompare: a base without records, or without a cell of the new side,
// does not pass; an incomplete one is told.
func TestNothingToCompare(t *testing.T) {
	new := synthetic([]string{"a"}, 3, func(string, int, int) map[string]float64 { return map[string]float64{"error": 1} })
	empty, other, cut := new, new, new
	empty.Rows = nil
	other = changed(new, func(r *results.Row) { r.At = r.At.With("method", configs.TextOf("b")) })
	cut.Rows = new.Rows[:4]
	for _, r := range new.Rows {
		cut.Manifest.IDs = append(cut.Manifest.IDs, r.ID)
	}
	for name, tt := range map[string]struct {
		base Side
		want Severity
		text string
	}{
		"empty":      {empty, Regression, "nothing could be compared"},
		"other":      {other, Regression, "nothing could be compared"},
		"incomplete": {cut, Warning, "the base is incomplete: it has 4 of 9 rows"},
	} {
		c := Compare([]Pair{{tt.base, new}}, options)
		if !slices.ContainsFunc(c.All(), func(f Finding) bool { return f.Severity == tt.want && strings.Contains(f.Text, tt.text) }) {
			t.Errorf("%s: %+v", name, c.All())
		}
	}
}

// TestDamagedReferences: a reference that lacks a part of its rows, or whose verdicts are
// broken, is refused.
func TestDamagedReferences(t *testing.T) {
	whole := kept(t, synthetic([]string{"a"}, 3, func(string, int, int) map[string]float64 { return map[string]float64{"error": 1} }))
	half := func(text []byte) []byte { return text[:len(text)/2] }
	for file, damage := range map[string]func([]byte) []byte{
		results.PackedFile: half, results.SpecFile: half, results.ManifestFile: half, VerdictsFile: half,
		results.RecordsFile: func([]byte) []byte { return nil }, // no row
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole.Dir)); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(filepath.Join(dir, file))
		if err := os.WriteFile(filepath.Join(dir, file), damage(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadReference(dir, "r"); err == nil || !strings.Contains(err.Error(), "--format reference") {
			t.Errorf("damaged %s: %v", file, err)
		}
	}
}
