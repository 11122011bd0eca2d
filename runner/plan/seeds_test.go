package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// keyed are streams under names that a spec may have: of methods, of the sample, the
// population and the rest of a repeat, and of what no repeat changes. The names of some
// run into one another when they are put together, or are the words of another kind.
func keyed() map[string]rand.Source {
	all := map[string]rand.Source{}
	for _, seed := range []uint64{1, 2} {
		for _, dataset := range []string{"a", "a1", "every repeat", "method"} {
			for _, purpose := range []string{"sample", "population", "bandwidth points"} {
				all[fmt.Sprintf("seed %d, %s, fixed, %s", seed, dataset, purpose)] = FixedStreams(seed, dataset)(purpose)
				for _, repeat := range []int{0, 1, 10, 11} {
					all[fmt.Sprintf("seed %d, %s, repeat %d, %s", seed, dataset, repeat, purpose)] = RepeatStreams(seed, dataset, repeat)(purpose)
				}
			}
			for _, repeat := range []int{0, 1, 10, 11} {
				for _, method := range []string{"ekpca", "nystrom", "b", "sample"} {
					all[fmt.Sprintf("seed %d, %s, repeat %d, method %s", seed, dataset, repeat, method)] = MethodStream(seed, dataset, repeat, method)
				}
			}
		}
	}
	return all
}

// TestStreamsAreIndependent: streams of different seeds, data sets, repeats, purposes or
// methods have no number in common, wherever in its stream it is, and are not
// correlated. That two of the 248·1000 independent numbers of 64 bits are equal has
// probability 248000²/2^65 = 2e-9. The correlation of two streams of N = 1000 uniform
// numbers, times √N, is about standard normal: one of the 248·247/2 = 30628 exceeds 7
// with probability 30628·3e-12 = 1e-7. Seeds are fixed.
func TestStreamsAreIndependent(t *testing.T) {
	const length, most = 1000, 7.0
	owner, values := map[uint64]string{}, map[string][]float64{}
	for name, source := range keyed() {
		for range length {
			number := source.Uint64()
			if other, drawn := owner[number]; drawn {
				t.Fatalf("the streams of %q and of %q have a number in common", name, other)
			}
			owner[number] = name
			values[name] = append(values[name], (float64(number>>11)/(1<<53)-0.5)*math.Sqrt(12))
		}
	}
	if want := 2 * 4 * (3*5 + 4*4); len(values) != want {
		t.Fatalf("%d streams, want %d", len(values), want)
	}
	for a, x := range values {
		for b, y := range values {
			sum := 0.0
			for i := range x {
				sum += x[i] * y[i]
			}
			if z := sum / math.Sqrt(length); a < b && math.Abs(z) > most {
				t.Errorf("the streams of %q and of %q are correlated: %.1f standard errors", a, b, z)
			}
		}
	}
}

// TestStreamsRepeat: the same names, the same numbers.
func TestStreamsRepeat(t *testing.T) {
	again := keyed()
	for name, source := range keyed() {
		if source.Uint64() != again[name].Uint64() {
			t.Errorf("%s: asked for twice, it begins otherwise", name)
		}
	}
}
