package targets

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/results"
	"mercer/runner/plan"
)

// spec seeks m in a ladder of 15 values.
const spec = `name: sought
seed: 7
repeats: {from: 8, to: 64, until: decided}
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [100], ell: [2], step: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], m: "4 + 2*step"}
methods:
  - {id: exact, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
measure: [recon_h]
targets:
  - {id: least-m, find: m, over: n, such_that: {ratio: {of: recon_h, method: nystrom, to: exact, at_most: 1.1}}}
`

// prepared is a run of a spec without rows.
func prepared(t *testing.T, text string) results.Run {
	t.Helper()
	p, err := plan.Input{File: "test.yaml", Spec: text, Profile: "paper"}.Prepare(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return results.Run{Spec: p.Spec, Catalog: p.Catalog()}
}

// simulated is a run with all repeats, where the logs of the ratios at m are normal with
// mean truth(m) and standard deviation 0.2.
func simulated(run results.Run, rng *rand.Rand, truth func(m float64) float64) results.Run {
	return drawn(run, func(m float64) float64 { return truth(m) + 0.2*rng.NormFloat64() })
}

// drawn is a run with all repeats, where draw gives the log of each ratio at m.
func drawn(run results.Run, draw func(m float64) float64) results.Run {
	run.Rows = nil
	for _, at := range run.Catalog.Cells {
		for repeat := range run.Spec.Repeats.Value {
			value := 1.0
			if m, found := at.Number("m"); found {
				value = math.Exp(draw(m))
			}
			run.Rows = append(run.Rows, results.Row{At: at, Repeat: repeat, Status: results.OK, Metrics: map[string]float64{"recon_h": value}})
		}
	}
	return run
}

func found(t *testing.T, run results.Run) claims.Answer {
	t.Helper()
	answers, needs, err := Find(run)
	if err != nil || len(answers) != 1 || len(needs) > 0 || answers[0].Open {
		t.Fatalf("answers %+v, needs %v, %v", answers, needs, err)
	}
	return answers[0]
}

// TestErrorRates: where every value of m is on the edge of what is claimed, each value that is
// found to hold, or to fail, is an error. Either comes in at most 5 % of searches, up to two
// standard errors of 2000 (0.97 %): a rate of just 5 % is above that for 2.3 % of seeds. The
// ladder and the repeats are short, to save time; their tests and looks share the rates all
// the same.
func TestErrorRates(t *testing.T) {
	const trials = 2000
	short := strings.NewReplacer("to: 64", "to: 16", "step: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]", "step: [0, 1, 2, 3, 4]").Replace(spec)
	s := prepared(t, short)
	most := trials * (0.05 + 2*math.Sqrt(0.05*0.95/trials))
	for name, standard := range map[string]func(*rand.Rand) float64{
		"normal":                         (*rand.Rand).NormFloat64,
		"ratio of 1 to χ² with 1 degree": reciprocalChi,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng, wrongHolds, wrongFails := rand.New(rand.NewPCG(1, 2)), 0, 0
			for range trials {
				a := found(t, drawn(s, func(float64) float64 { return math.Log(1.1) + 0.2*standard(rng) }))
				if a.Holds != nil {
					wrongHolds++
				}
				if a.Fails != nil {
					wrongFails++
				}
			}
			if float64(wrongHolds) > most || float64(wrongFails) > most {
				t.Errorf("of %d searches %d told that a value holds and %d that one fails; at most %.0f is right", trials, wrongHolds, wrongFails, most)
			}
		})
	}
}

// reciprocalChi is the log of 1/χ² with 1 degree, scaled to the mean 0 and the standard
// deviation 1. Its long tail is on the side of large ratios, where a few repeats miss it.
func reciprocalChi(rng *rand.Rand) float64 {
	const mean = -math.Ln2 - 0.57721566490153286 // of the log of χ²: log 2 + ψ(1/2) = -log 2 - Euler's constant
	return (mean - 2*math.Log(math.Abs(rng.NormFloat64()))) / (math.Pi / math.Sqrt2)
}

// claimed is spec with three answers, which claims name.
const claimed = spec + `claims:
  - {id: rate, slope: {of: least-m, over: n, equals: 0.5, within: 0.1}}
  - {id: steep, slope: {of: least-m, over: n, at_least: 0.4}}
`

// TestErrorRatesOfNamed: where claims name the answers, any end of any of them is wrong in at
// most 0.5 % of runs, so that no more verdicts on them are wrong. Every value of m is on the
// edge, where each that is told is an error. More than 3 of 60 runs have one with probability
// 2.7e-4 if the rate is 0.5 %; at 5 % an end some 15 of them would.
func TestErrorRatesOfNamed(t *testing.T) {
	const trials, most = 60, 3
	s, rng := prepared(t, strings.Replace(claimed, "[100]", "[100, 200, 400]", 1)), rand.New(rand.NewPCG(5, 6))
	wrong := 0
	for range trials {
		answers, _, err := Find(simulated(s, rng, func(float64) float64 { return math.Log(1.1) }))
		if err != nil || len(answers) != 3 {
			t.Fatal(answers, err)
		}
		for _, a := range answers {
			if a.Wrong != claims.AnswersError/6 {
				t.Fatalf("an end may be wrong in %g of runs, want a sixth of %g", a.Wrong, claims.AnswersError)
			}
		}
		if slices.ContainsFunc(answers, func(a claims.Answer) bool { return a.Fails != nil || a.Holds != nil }) {
			wrong++
		}
	}
	if wrong > most {
		t.Errorf("%d of %d runs have a wrong answer; at most %d is right", wrong, trials, most)
	}
}

// TestNamedAlone: a claim that picks one group leaves the others at 5 %.
func TestNamedAlone(t *testing.T) {
	text := strings.Replace(claimed, "[100]", "[100, 200, 400]", 1)
	text = text[:strings.Index(text, "  - {id: rate")] + "  - {id: rate, slope: {of: least-m, over: n, where: {n: 200}, at_most: 1}}\n"
	s := prepared(t, text)
	answers, _, err := Find(s)
	if err != nil || len(answers) != 3 {
		t.Fatal(answers, err)
	}
	for _, a := range answers {
		want := map[bool]float64{true: claims.AnswersError / 2, false: 0.05}[a.At == 200]
		if math.Abs(a.Wrong-want) > 1e-12 {
			t.Errorf("at n = %g an end may be wrong in %g of runs, want %g", a.At, a.Wrong, want)
		}
	}
}

// TestFindsTheEdge: where the ratio falls through the edge between two values of m, the
// interval has the edge, and neither end is missing.
func TestFindsTheEdge(t *testing.T) {
	s, rng := prepared(t, spec), rand.New(rand.NewPCG(3, 4))
	for range 20 {
		a := found(t, simulated(s, rng, func(m float64) float64 { return math.Log(1.1) + 0.1*(15-m) }))
		if a.Fails == nil || a.Holds == nil || *a.Fails > 14 || *a.Holds < 16 || *a.Holds-*a.Fails > 8 {
			t.Errorf("%s, the edge is between 14 and 16", a.Interval())
		}
	}
	if a := found(t, simulated(s, rng, func(float64) float64 { return 1 })); a.Fails == nil || *a.Fails != a.Most || a.Holds != nil {
		t.Errorf("%s, nothing holds", a.Interval())
	}
	if a := found(t, simulated(s, rng, func(float64) float64 { return -1 })); a.Holds == nil || *a.Holds != a.Least || a.Fails != nil {
		t.Errorf("%s, all hold", a.Interval())
	}
}

// TestNeeds: a search asks only for the first look at the value that it has come to.
func TestNeeds(t *testing.T) {
	s := prepared(t, spec)
	answers, needs, err := Find(s)
	if err != nil || !answers[0].Open {
		t.Fatal(answers, err)
	}
	if got, want := answers[0].Interval(), "not decided between 4 and 32, so far"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, n := range needs {
		if n.Repeats != 8 {
			t.Errorf("%+v is asked for at the start", n)
		}
	}
	if len(needs) != 2 {
		t.Errorf("%d cells are asked for, want one of each method", len(needs))
	}
}

// A share of draws is sought where their 95 % point is low enough, not where their mean is: with the
// logs at m normal of mean 0.1·(20 - m) and standard deviation 0.2, the mean is at most 1 from m = 20
// on in logs, and the 95 % point from m = 24 on. In at least 9 of 10 searches the interval has 24 in
// it (each end is wrong in at most 5 % of runs), and so not 20 alone.
func TestShareOfDraws(t *testing.T) {
	text := strings.Replace(spec, "ratio: {of: recon_h, method: nystrom, to: exact, at_most: 1.1}", "value: {of: recon_h, at_most: 1, share: 0.95, where: {method: nystrom}}", 1)
	run := prepared(t, text)
	rng := rand.New(rand.NewPCG(2, 3))
	const runs = 40
	right, known := 0, 0
	for range runs {
		answers, _, err := Find(simulated(run, rng, func(m float64) float64 { return 0.1 * (20 - m) }))
		if err != nil || len(answers) != 1 {
			t.Fatalf("%d answers: %v", len(answers), err)
		}
		a := answers[0]
		if a.Holds != nil && a.Fails != nil {
			known++
		}
		if (a.Fails == nil || *a.Fails < 24) && (a.Holds == nil || *a.Holds >= 24) {
			right++
		}
	}
	if right < runs*9/10 || known < runs*9/10 {
		t.Errorf("%d of %d intervals hold the answer, %d have two ends", right, runs, known)
	}
}
