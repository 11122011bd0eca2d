package claims

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/theory"
	"mercer/results"
)

// toyTheorems are about x = κ|Z|/√n with Z normal, and lie at its 1−δ quantile.
func toyTheorems() map[string]theory.Theorem {
	toy := theory.Theorem{
		Key: "toy", Reference: "TOY Thm 1", Metric: "x", Methods: []string{"nystrom", "rff"}, Sizes: []string{"n"},
		Assumes: []string{"Z is normal"},
		Bound: func(s theory.Setting) (theory.Bound, error) {
			n := float64(s.N)
			kappa := s.Population.Kappa()
			b := theory.Bound{Upper: kappa * distuv.UnitNormal.Quantile(1-s.Delta/2) / math.Sqrt(n), Lower: math.Inf(-1),
				Conditions: []theory.Condition{
					{Left: "n", L: n, Relation: theory.AtLeast, Right: "150κ", R: 150 * kappa},
					{Left: "δ", L: s.Delta, Relation: theory.Less, Right: "1", R: 1},
				}}
			if !b.Applies() {
				b.Upper = math.NaN()
			}
			return b, nil
		},
	}
	all := map[string]theory.Theorem{}
	add := func(key string, change func(*theory.Theorem)) {
		t := toy
		t.Key = key
		change(&t)
		all[key] = t
	}
	add("toy", func(*theory.Theorem) {})
	add("both-sides", func(t *theory.Theorem) {
		t.Bound = func(s theory.Setting) (theory.Bound, error) {
			b, err := toy.Bound(s)
			b.Lower = b.Upper / 1e3
			return b, err
		}
	})
	add("open", func(t *theory.Theorem) {
		t.Open = map[string]string{"c": "an absolute constant"}
		t.Bound = func(s theory.Setting) (theory.Bound, error) {
			b, err := toy.Bound(s)
			b.Upper *= s.Given["c"]
			return b, err
		}
	})
	add("default", func(t *theory.Theorem) {
		*t = all["open"]
		t.Defaults = map[string]float64{"c": 1}
	})
	add("uses", func(t *theory.Theorem) {
		t.Uses = []string{"y"}
		t.Bound = func(s theory.Setting) (theory.Bound, error) {
			return theory.Bound{Upper: s.Given["y"], Lower: math.Inf(-1)}, nil
		}
	})
	add("rate", func(t *theory.Theorem) {
		t.Bound = nil
		t.Rate = func(s theory.Setting) (theory.Rate, error) {
			alpha, ok := s.Given["alpha"]
			theta, given := s.Given["theta"]
			if !ok || !given {
				return theory.Rate{}, errors.New("needs alpha and theta")
			}
			return theory.Rate{Exponent: -theta / alpha, Conditions: []theory.Condition{
				{Left: "θ", L: theta, Relation: theory.AtMost, Right: "1", R: 1}}}, nil
		}
	})
	add("broken", func(t *theory.Theorem) {
		t.Bound = func(theory.Setting) (theory.Bound, error) { return theory.Bound{}, errors.New("no root found") }
	})
	return all
}

func toyWorld(kappa float64) Context {
	population := facts.Of(facts.Facts{Kappa: kappa})
	return Context{Theorems: toyTheorems(), Population: func(string, int) *facts.Population { return population }}
}

// toyRun has x = factor·|Z|/√n for two methods.
func toyRun(repeats int, factor float64, rng *rand.Rand, sizes ...float64) results.Run {
	return fake([]string{"a", "b"}, []string{"n"}, along("n", sizes...), repeats, func(_ string, p map[string]float64, _ int) map[string]float64 {
		return map[string]float64{"x": factor * math.Abs(rng.NormFloat64()) / math.Sqrt(p["n"]), "y": 1}
	})
}

func boundClaim(theorem string, with configs.Keyed[configs.Value]) configs.Claim {
	return configs.Claim{ID: "t", Bound: &configs.Bound{Theorem: configs.Word{Value: theorem}, Delta: 0.05, With: with}}
}

// toyMethods are those of a run of methods a and b.
func toyMethods() map[string]results.MethodInfo {
	return map[string]results.MethodInfo{"a": {Use: "nystrom", Uses: []string{"n", "m"}}, "b": {Use: "ekpca", Uses: []string{"n"}}}
}

// oneIn judges one claim and wants one verdict; methods a and b are those of toyMethods,
// unless the run knows its own.
func oneIn(t *testing.T, c configs.Claim, run results.Run, world Context) Verdict {
	t.Helper()
	if run.Catalog.Methods == nil {
		run.Catalog.Methods = toyMethods()
	}
	verdicts, err := Judge([]configs.Claim{c}, run, world)
	if err != nil {
		t.Fatal(err)
	}
	if len(verdicts) != 1 {
		t.Fatalf("%d verdicts, want 1: %+v", len(verdicts), verdicts)
	}
	if _, err := json.Marshal(verdicts); err != nil {
		t.Errorf("JSON: %v", err)
	}
	return verdicts[0]
}

func TestBoundOutcomes(t *testing.T) {
	plain := toyWorld(1)
	closed := toyWorld(1)
	closed.Population = func(string, int) *facts.Population { return facts.Unknown(errors.New("no such file x.csv")) }
	small := func() results.Run { return toyRun(80, 0.3, stream(1), 200, 400) } // far inside
	failed := func(count int, run results.Run) results.Run {
		return spoil(run, results.Failed, func(r results.Row) bool { return r.Method() == "a" && number(r, "n") == 400 && r.Repeat < count })
	}
	tests := []struct {
		name  string
		claim configs.Claim
		run   results.Run
		world Context
		want  Outcome
		words []string
	}{
		{"holds", boundClaim("toy", nil), small(), plain, Holds, []string{"all 2 cells", "coverage 1, interval [0.9"}},
		{"60 repeats", boundClaim("toy", nil), toyRun(60, 0.3, stream(1), 200), plain, Inconclusive, []string{"coverage 1, interval", "more repeats"}},
		{"61 repeats", boundClaim("toy", nil), toyRun(61, 0.3, stream(1), 200), plain, Holds, nil},
		{"violated", boundClaim("toy", nil), toyRun(20, 8, stream(1), 200, 400), plain, Violated, []string{"contradicts >= 0.95", "2 of 2 cells"}},
		{"applies nowhere", boundClaim("toy", nil), toyRun(60, 0.3, stream(1), 50, 100), plain, NotApplicable, []string{"TOY Thm 1 does not apply here: of 2 cells the last is n=100: it needs n = 100 ≥ 150κ = 150"}},
		{"applies to one cell", boundClaim("toy", nil), toyRun(62, 0.3, stream(1), 50, 100, 200), plain, Holds, []string{"coverage 1", "2 of 3 cells, which are left out: n=50 (it needs n = 50 ≥ 150κ = 150)"}},
		{"violated where it does not apply", boundClaim("toy", nil), toyRun(60, 50, stream(1), 50, 100), plain, NotApplicable, nil},
		{"below the lower side", boundClaim("both-sides", nil), toyRun(20, 1e-4, stream(1), 200), plain, Violated, []string{"coverage 0"}},
		{"no data", boundClaim("toy", nil), small(), closed, Inconclusive, []string{"population of poly2 is not known: no such file x.csv", "with the data of poly2 at hand: mercer run"}},
		{"no data, none asked", boundClaim("uses", nil), small(), closed, Holds, nil},
		{"beside a metric that it uses", boundClaim("uses", nil), fake([]string{"a"}, []string{"n"}, along("n", 200), 60, func(string, map[string]float64, int) map[string]float64 {
			return map[string]float64{"x": 2, "y": 1}
		}), plain, Violated, nil},
		{"a metric that it uses is missing", boundClaim("uses", nil), fake([]string{"a"}, []string{"n"}, along("n", 200), 60, func(string, map[string]float64, int) map[string]float64 {
			return map[string]float64{"x": 1}
		}), plain, NotApplicable, []string{"no record gives x"}},
		{"theorem fails", boundClaim("broken", nil), small(), plain, Inconclusive, []string{"TOY Thm 1 at poly2 a n=200 repeat 0: no root found"}},
		{"failures that cannot matter", boundClaim("toy", nil), failed(1, toyRun(200, 0.3, stream(1), 200, 400)), plain, Holds, []string{"1 of 400 records give no value"}},
		{"failures that could matter", boundClaim("toy", nil), failed(1, small()), plain, Inconclusive, []string{"1 of 80 repeats give no value: failed: no luck", "run what failed again"}},
		{"violated but for failures", boundClaim("toy", nil), failed(19, toyRun(20, 2000, stream(1), 400)), plain, Inconclusive, []string{"19 of 20 repeats give no value"}},
		{"skipped", boundClaim("toy", nil), spoil(small(), results.Skipped, func(r results.Row) bool { return number(r, "n") == 400 }), plain, Holds, []string{"80 of 160 records were skipped"}},
		{"size missing", boundClaim("toy", nil), fake([]string{"a"}, nil, []map[string]float64{{"theta": 1}}, 60, func(string, map[string]float64, int) map[string]float64 {
			return map[string]float64{"x": 1}
		}), plain, Inconclusive, []string{"TOY Thm 1 needs n"}},
		{"open parameter given", boundClaim("open", configs.Keyed[configs.Value]{"c": {Value: configs.Value{Text: "1"}}}), small(), plain, Holds, nil},
		{"open parameter by expression", boundClaim("open", configs.Keyed[configs.Value]{"c": {Value: configs.Value{Text: "1/n"}}}), small(), plain, Violated, nil},
		{"open parameter with default", boundClaim("default", nil), small(), plain, Holds, nil},
		{"open parameter", boundClaim("open", nil), small(), plain, Inconclusive, []string{"TOY Thm 1 leaves c open; give it: `with: {c: …}`"}},
		{"methods that it is not about", configs.Claim{ID: "t", Bound: &configs.Bound{Theorem: configs.Word{Value: "toy"}, Delta: 0.05, Selection: configs.Selection{Where: configs.Conditions{"method": {Value: []string{"b"}}}}}},
			small(), plain, Inconclusive, []string{"no record has method=b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := oneIn(t, tt.claim, tt.run, tt.world)
			wants(t, v, tt.want, tt.words...)
			if v.Theorem != tt.claim.Bound.Theorem.Value || v.Kind != "bound" || v.Of != "x" {
				t.Errorf("verdict is on theorem %q, kind %q, of %q", v.Theorem, v.Kind, v.Of)
			}
		})
	}
}

func TestBoundFields(t *testing.T) {
	run := toyRun(62, 0.3, stream(3), 100, 200, 400)
	v := oneIn(t, boundClaim("toy", nil), run, toyWorld(1))
	if v.Estimate != 1 || v.Target != 0.95 || v.Relation != ">=" || v.High != 1 || math.Abs(v.Low-math.Pow(0.045, 1.0/62)) > 1e-12 || v.Repeats != 62 {
		t.Errorf("verdict %+v", v)
	}
	if v.Group.String() != "dataset=poly2 method=a" {
		t.Errorf("group %q", v.Group.String())
	}
	var ratios []float64 // by hand
	for _, r := range run.Rows {
		if r.Method() == "a" && number(r, "n") >= 150 {
			ratios = append(ratios, r.Metrics["x"]/(1.959963984540054/math.Sqrt(number(r, "n"))))
		}
	}
	slices.Sort(ratios)
	if want := (ratios[61] + ratios[62]) / 2; v.Tightness == nil || math.Abs(*v.Tightness-want) > 1e-12 {
		t.Errorf("tightness %v, want %v", v.Tightness, want)
	}
	if len(v.Cells) != 2 || v.Cells[0].Tightness == nil {
		t.Errorf("cells %+v", v.Cells)
	}
}

// Where the population differs from repeat to repeat, each repeat is held
// against its own bound, and a cell that the theorem does not always apply to is
// left out.
func TestBoundByRepeat(t *testing.T) {
	world := toyWorld(1)
	world.Population = func(_ string, repeat int) *facts.Population {
		return facts.Of(facts.Facts{Kappa: 1 + float64(repeat%2)})
	}
	run := fake([]string{"a"}, []string{"n"}, along("n", 200, 400), 62, func(_ string, p map[string]float64, repeat int) map[string]float64 {
		return map[string]float64{"x": 1.9 * float64(1+repeat%2) / math.Sqrt(p["n"])} // just inside in every repeat
	})
	v := oneIn(t, boundClaim("toy", nil), run, world)
	wants(t, v, Holds, "1 of 2 cells, which are left out: n=200 (it needs n = 200 ≥ 150κ = 300)")
	if v.Tightness == nil || math.Abs(*v.Tightness-1.9/1.959963984540054) > 1e-9 {
		t.Errorf("tightness %v", *v.Tightness)
	}
}

// A size of the grid that the method does not use is no size of the setting.
func TestBoundSizes(t *testing.T) {
	world := toyWorld(1)
	var seen []theory.Setting
	toy := world.Theorems["toy"]
	toy.Bound = func(s theory.Setting) (theory.Bound, error) {
		seen = append(seen, s)
		return theory.Bound{Upper: 1}, nil
	}
	world.Theorems["toy"] = toy
	run := fake([]string{"a"}, []string{"n", "m", "d"}, []map[string]float64{{"n": 200, "m": 50, "d": 7}}, 3, func(string, map[string]float64, int) map[string]float64 {
		return map[string]float64{"x": 1}
	})
	set(&run, "m", func(results.Row) float64 { return 40 }) // the method's own
	oneIn(t, boundClaim("toy", nil), run, world)
	if len(seen) != 1 || seen[0].N != 200 || seen[0].M != 40 || seen[0].D != 0 || seen[0].Delta != 0.05 || seen[0].Given["alpha"] != 2 || seen[0].Given["d"] != 7 {
		t.Errorf("asked at %+v", seen)
	}
}

func TestBoundErrors(t *testing.T) {
	run := toyRun(3, 1, stream(1), 200)
	for theorem, want := range map[string]string{"tyo": `did you mean "toy"?`, "rate": "is a rate, not a bound"} {
		if _, err := Judge([]configs.Claim{boundClaim(theorem, nil)}, run, toyWorld(1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", theorem, err)
		}
	}
}
