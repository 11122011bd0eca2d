package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/powerlaw"
	"mercer/results"
)

// Of 30 claims on the edge, whose p is uniform at worst, some is violated by itself in
// 1 − 0.991^30 = 23.8 % of runs; one stands over all of them in at most 1 %, here up to two
// standard errors of 20,000 runs, 0.14 %. Looks before this one were inconclusive.
func TestFamilyOnTheEdge(t *testing.T) {
	const runs, many = 20_000, 30
	rng := rand.New(rand.NewPCG(3, 5))
	var some, standing float64
	for range runs {
		verdicts := make([]Verdict, many)
		for i := range verdicts {
			p := rng.Float64()
			verdicts[i] = newVerdict(results.Key{}, "", 0.95, inference.Look{})
			if p < verdicts[i].levels().Violated {
				verdicts[i].Outcome = Violated
				p = verdicts[i].overLooks(p)
				verdicts[i].P, verdicts[i].least = &p, p
			}
		}
		stand(verdicts)
		f := FamilyOf(verdicts)
		if f.Violated > 0 {
			some += 1.0 / runs
		}
		if f.Standing > 0 {
			standing += 1.0 / runs
		}
	}
	if limit := 0.01 + 2*math.Sqrt(0.01*0.99/runs); standing > limit || standing < 0.005 {
		t.Errorf("one of %d claims stands in %.4f of runs, at most 0.01 is right", many, standing)
	}
	if math.Abs(some-0.2376) > 0.012 { // four standard errors
		t.Errorf("some claim is violated by itself in %.4f of runs, want 0.2376", some)
	}
}

// The same of 30 means of 5 normal repeats, whose t interval has the promised rate on the
// edge. 500 runs: two standard errors are 0.89 %.
func TestFamilyOfMeans(t *testing.T) {
	const runs, many = 500, 30
	rng := rand.New(rand.NewPCG(4, 5))
	b := inference.Band{Relation: "<="}
	var some, standing float64
	for range runs {
		verdicts := make([]Verdict, many)
		for i := range verdicts {
			c := cell{band: b, test: inference.SkewTest{Band: b, Level: inference.Look{}.Levels(0.95).Confidence, Exact: true}}
			for range 100 {
				c.values = append(c.values, rng.NormFloat64())
			}
			verdicts[i] = judgeCells(newVerdict(results.Key{}, "", 0.95, inference.Look{}), []cell{c}, plainScale)
		}
		stand(verdicts)
		f := FamilyOf(verdicts)
		if f.Violated > 0 {
			some += 1.0 / runs
		}
		if f.Standing > 0 {
			standing += 1.0 / runs
		}
	}
	if standing > 0.01+2*math.Sqrt(0.01*0.99/runs) || math.Abs(some-0.2376) > 0.076 {
		t.Errorf("of %d claims one stands in %.4f of runs, at most 0.01 is right; some is violated by itself in %.4f, want 0.2376", many, standing, some)
	}
}

// What is certain stands whatever else is claimed: a record outside of what is claimed of
// each. What is violated barely stands alone and not among others, and a claim that does not
// apply is none of them.
func TestStanding(t *testing.T) {
	violated := func(p float64) Verdict {
		v := newVerdict(results.Key{}, "", 0.95, inference.Look{})
		v.Outcome = Violated
		p = v.overLooks(p)
		v.P, v.least = &p, p
		return v
	}
	holds, none := Verdict{Outcome: Holds}, Verdict{Outcome: NotApplicable}
	for _, tt := range []struct {
		list []Verdict
		want string // of those that stand
		says string
	}{
		{[]Verdict{violated(0.005)}, "0", "1 verdict, 1 violated: the chance that any of these is wrong is at most 1 %"},
		{[]Verdict{violated(0.005), none, none}, "0", "1 verdict, 1 violated"},
		{[]Verdict{violated(0.005), holds}, "", "2 verdicts, 1 violated: each is wrong in at most 1 % of runs; 0 of them remain when all verdicts of the spec are judged together (Holm)"},
		{[]Verdict{holds, violated(0), violated(0.0089)}, "1", "1 of them remains"},
		{[]Verdict{violated(0.001), violated(0.004), violated(0.0089)}, "0 1 2", "any of these"},
		{[]Verdict{holds}, "", ""},
	} {
		stand(tt.list)
		var got []string
		for i, v := range tt.list {
			if v.Stands {
				got = append(got, fmt.Sprint(i))
			}
		}
		if says := FamilyOf(tt.list).String(); strings.Join(got, " ") != tt.want || !strings.Contains(says, tt.says) || (says == "") != (tt.says == "") {
			t.Errorf("%d stand of %q: %q", len(tt.list), tt.want, got)
			t.Error(says)
		}
	}
	each := one(t, configs.Claim{ID: "c", Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtMost: num("0"), Each: true}},
		fake([]string{"a"}, []string{"n"}, along("n", 100), 3, func(string, map[string]float64, int) map[string]float64 { return map[string]float64{"x": 1} }))
	if each.P == nil || *each.P != 0 || !each.Stands {
		t.Errorf("a record outside: p %v, stands %v", each.P, each.Stands)
	}
}

// TestOneP: the p of a sentence, of its cell and of the verdict are the same quantity, over all
// looks, at a first look and at a later one.
func TestOneP(t *testing.T) {
	for _, at := range []inference.Look{{}, {Left: 0.1}, {Planned: 3}} {
		mean := judgeCells(newVerdict(results.Key{}, "", 0.95, at), []cell{{band: inference.Band{Relation: "<=", Value: -2}, values: scores(40)}}, plainScale)
		mean.speak()
		if mean.P == nil {
			t.Fatalf("%+v: %s: %s", at, mean.Outcome, mean.Reason)
		}
		if want := fmt.Sprintf("(p = %.2g)", *mean.P); mean.Outcome != Violated || !strings.Contains(mean.Reason, want) || mean.Cells[0].P != *mean.P {
			t.Errorf("%+v: %s: %s; of its cell %g, want %s", at, mean.Outcome, mean.Reason, mean.Cells[0].P, want)
		}
		slope := judgeCurve(newVerdict(results.Key{}, "", 0.95, at), groupCurve{Curve: powerlaw.Curve{X: fiveSizes, Y: flat(5, 12)}}, inference.Band{Relation: ">=", Value: 0.2})
		slope.speak()
		if slope.P == nil {
			t.Fatalf("%+v: %s: %s", at, slope.Outcome, slope.Reason)
		}
		if want := fmt.Sprintf("(p = %.2g)", *slope.P); slope.Outcome != Violated || !strings.Contains(slope.Reason, want) {
			t.Errorf("%+v: %s: %s; want %s", at, slope.Outcome, slope.Reason, want)
		}
	}
}

// flat are values that noise alone moves.
func flat(points, repeats int) [][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	y := make([][]float64, repeats)
	for r := range y {
		for range points {
			y[r] = append(y[r], math.Exp(0.1*rng.NormFloat64()))
		}
	}
	return y
}
