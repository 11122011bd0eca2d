package landmark

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg/backendtest"
)

// TestUniformKeepsItsPoints: recorded results depend on the very points.
func TestUniformKeepsItsPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	set, err := Pick(t.Context(), kernel.NewGaussian(1), scattered(1, 1000, 1), nil, nil, 12, rng, By("uniform"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{900, 308, 812, 420, 674, 606, 838, 397, 885, 987, 98, 464}; !slices.Equal(set.Indices, want) {
		t.Errorf("uniform picks %v, want %v", set.Indices, want)
	}
}

// all are the options that the tests below run through.
func all() map[string]Options {
	options := map[string]Options{}
	for _, rule := range Names() {
		options[rule] = By(rule)
		for _, param := range Registry[rule].Params {
			o := By(rule)
			switch param {
			case "level":
				o.Level = 1e-3
			case "replacement":
				o.Replacement = true
			case "block":
				o.Block = 7
			}
			options[rule+" "+param] = o
		}
	}
	return options
}

// TestEveryRule: on every back end, landmarks are as many as asked for, distinct,
// and points of the sample; the same stream gives the
// same bits at every GOMAXPROCS, and x is left as it is.
func TestEveryRule(t *testing.T) {
	x := scattered(2, 150, 10)
	k := kernel.NewGaussian(0.05)
	before := mat.DenseCopyOf(x)
	backendtest.Each(t, func(t *testing.T) {
		for name, o := range all() {
			t.Run(name, func(t *testing.T) {
				set := pick(t, k, x, 30, 5, o)
				count, d := set.Points.Dims()
				switch {
				case d != 10 || len(set.Indices) != count:
					t.Errorf("%d indices, %d×%d points", len(set.Indices), count, d)
				case count != 30 && !o.Replacement || count > 30:
					t.Errorf("%d landmarks, warnings %q", count, set.Warnings)
				case (count < 30) != (len(set.Warnings) > 0):
					t.Errorf("%d landmarks, warnings %q", count, set.Warnings)
				}
				for i, index := range set.Indices {
					if slices.Contains(set.Indices[:i], index) || !slices.Equal(set.Points.RawRowView(i), x.RawRowView(index)) {
						t.Errorf("landmark %d is point %d of %v: drawn twice, or another point", i, index, set.Indices)
					}
				}
				procs := runtime.GOMAXPROCS(1)
				again := pick(t, k, x, 30, 5, o)
				runtime.GOMAXPROCS(procs)
				if !reflect.DeepEqual(set, again) {
					t.Errorf("at another GOMAXPROCS:\n%v\n%v", set, again)
				}
				if !mat.Equal(x, before) {
					t.Error("the rule wrote to x")
				}
			})
		}
	})
}

// TestFewerLandmarks: where points coincide, or lie in the span of others, rules
// that look for new directions stop with a warning; all rules end.
func TestFewerLandmarks(t *testing.T) {
	three := mat.NewDense(30, 1, nil)
	for i := range 30 {
		three.Set(i, 0, []float64{0.1, 0.35, 0.8}[i%3])
	}
	same := mat.NewDense(30, 9, slices.Repeat([]float64{1. / 3}, 270))
	wide, narrow := kernel.NewGaussian(1e-7), kernel.NewGaussian(1e9)
	for _, tt := range []struct {
		name    string
		k       kernel.Kernel
		x       *mat.Dense
		m       int
		by      map[string]int // how many landmarks; the other rules m
		atLeast bool
	}{
		{"three points", kernel.NewGaussian(8), three, 20, map[string]int{"rpcholesky": 3, "block-rpcholesky": 3, "kmeans++": 3, "greedy": 3}, false},
		{"one point", kernel.NewGaussian(1), same, 20, map[string]int{"rpcholesky": 1, "block-rpcholesky": 1, "kmeans++": 1, "greedy": 1}, false},
		{"rank 3", kernel.Polynomial{Degree: 1, Gamma: 1, Offset: 1}, scattered(3, 30, 2), 20, map[string]int{"rpcholesky": 3, "block-rpcholesky": 3, "greedy": 3}, false},
		{"orthogonal points", narrow, scattered(4, 30, 3), 30, nil, false},
		{"nearly equal points", wide, scattered(5, 30, 2), 20, map[string]int{"rpcholesky": 2, "block-rpcholesky": 2, "greedy": 2}, true},
		{"one of one", wide, scattered(6, 1, 2), 1, nil, false},
		{"two of two", wide, scattered(7, 2, 2), 2, nil, false},
	} {
		for name, o := range all() {
			if o.Replacement {
				continue
			}
			set := pick(t, tt.k, tt.x, tt.m, 3, o)
			count, _ := set.Points.Dims()
			want, fewer := tt.by[o.Rule]
			if !fewer {
				want = tt.m
			}
			if count != want && !(tt.atLeast && fewer && count > want && count < tt.m) {
				t.Errorf("%s, %s: %d landmarks, want %d", tt.name, name, count, want)
			}
			if fewer && (len(set.Warnings) != 1 || !strings.Contains(set.Warnings[0], "landmarks for m = 20")) {
				t.Errorf("%s, %s: warnings %q", tt.name, name, set.Warnings)
			}
		}
	}
}

// TestErrors: what cannot be is refused with a reason.
func TestErrors(t *testing.T) {
	k := kernel.NewGaussian(1)
	x := scattered(8, 40, 9)
	broken := mat.DenseCopyOf(x)
	broken.Set(7, 3, math.NaN())
	zero := kernel.Polynomial{Degree: 1, Gamma: 1}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, rule := range Names() {
		_, err := Pick(t.Context(), k, broken, nil, nil, 10, stream(1), By(rule))
		if looks := rule != "uniform" && rule != "first"; (err != nil) != looks {
			t.Errorf("%s of a sample with NaN: error %v", rule, err)
		}
		_, err = Pick(t.Context(), zero, mat.NewDense(40, 2, nil), nil, nil, 10, stream(1), By(rule))
		if looks := rule != "uniform" && rule != "first"; (err != nil && strings.Contains(err.Error(), "kernel is 0 on all 40 points")) != looks {
			t.Errorf("%s of a kernel that is 0: error %v", rule, err)
		}
		_, err = Pick(ended, k, x, nil, nil, 10, stream(1), By(rule))
		if looks := rule != "uniform" && rule != "first"; errors.Is(err, context.Canceled) != looks {
			t.Errorf("%s after the context ended: error %v", rule, err)
		}
	}
	for says, o := range map[string]Options{
		`landmarks "some": must be one of bless, block-rpcholesky, first, greedy, kmeans++, leverage, recursive, rpcholesky, uniform`: {Rule: "some"},
		"uniform has no use for level":                {Rule: "uniform", Level: 1},
		"kmeans++ has no use for replacement":         {Rule: "kmeans++", Replacement: true},
		"rpcholesky has no use for block":             {Rule: "rpcholesky", Block: 3},
		"block -1: must be at least 1":                {Rule: "block-rpcholesky", Block: -1},
		"level -1: must be positive":                  {Rule: "leverage", Level: -1},
		"level NaN: must be positive":                 {Rule: "leverage", Level: math.NaN()},
		"level +Inf: must be positive, or 0 to match": {Rule: "bless", Level: math.Inf(1)},
	} {
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: error %v, want %q", o, err, says)
		}
	}
	for says, sizes := range map[string][2]int{
		"m = 0 landmarks":                                 {40, 0},
		"m = 41 landmarks out of n = 40 points":           {40, 41},
		"n = 5001 is above 5000; take recursive or bless": {5001, 10},
	} {
		if err := By("leverage").CheckSizes(sizes[0], sizes[1]); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: error %v, want %q", sizes, err, says)
		}
	}
}

// TestRegistry: the words of the spec are the rules, which have all they need.
func TestRegistry(t *testing.T) {
	rule, _ := reflect.TypeFor[Options]().FieldByName("Rule")
	words := strings.Split(rule.Tag.Get("enum"), ",")
	slices.Sort(words)
	if !slices.Equal(words, Names()) {
		t.Errorf("specs may name %v, rules are %v", words, Names())
	}
	for name, e := range Registry {
		if err := By(name).Check(); err != nil || e.pick == nil {
			t.Errorf("%s: %v, %+v", name, err, e)
		}
		if c := e.Picking(1000, 100, 10); c.Flops < 0 || c.Bytes < 0 || c.Flops > 1e12 || c.Bytes > 1e9 {
			t.Errorf("%s: %g flops, %g bytes for 100 of 1000 points", name, c.Flops, c.Bytes)
		}
		if (e.Most > 0) != (e.Instead != "") {
			t.Errorf("%s is refused above n = %d, in place of it %q", name, e.Most, e.Instead)
		}
	}
}

// TestBetterThanUniform: nine tenths of the points in one cluster, six others of
// a sixtieth each. With m = 14 uniform landmarks some cluster is missed more often
// than not. Rules that look at the kernel leave less than half of what uniform
// landmarks leave of tr(K − K̃) = ‖K − K̃‖_1, in the median over 40 seeds, and less
// than uniform in at least 32 of them: a rule that is as good as uniform passes
// that with probability 1e-4.
func TestBetterThanUniform(t *testing.T) {
	x, k := clustered(9, 180), kernel.NewGaussian(0.5)
	gram := gramOf(k, x)
	const m, seeds = 14, 40
	left := func(o Options, seed uint64) float64 {
		set := pick(t, k, x, m, seed, o)
		return floats.Sum(remainder(gram, set.Indices))
	}
	for _, name := range []string{"leverage", "recursive", "bless", "rpcholesky", "block-rpcholesky", "kmeans++", "greedy"} {
		wins, ratios := 0, make([]float64, seeds)
		for seed := range uint64(seeds) {
			got, uniform := left(By(name), seed), left(By("uniform"), seed+1000)
			if ratios[seed] = got / uniform; got < uniform {
				wins++
			}
		}
		slices.Sort(ratios)
		t.Logf("%-10s leaves %.3f of uniform in the median, less in %d of %d", name, ratios[seeds/2], wins, seeds)
		if wins < 32 || ratios[seeds/2] > 0.5 {
			t.Errorf("%s leaves %.3f of what uniform leaves in the median, less in %d of %d", name, ratios[seeds/2], wins, seeds)
		}
	}
}
