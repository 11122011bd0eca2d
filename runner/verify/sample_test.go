package verify

import (
	"math"
	"math/bits"
	"testing"

	"mercer/results"
)

// TestMissed counts, among all samples of a few records, those that miss the changed ones.
func TestMissed(t *testing.T) {
	for _, c := range [][3]int{{10, 0, 3}, {10, 2, 3}, {12, 5, 4}, {9, 9, 1}, {9, 3, 7}} {
		of, changed, sample := c[0], c[1], c[2]
		all, missing := 0, 0
		for set := range uint(1) << of {
			if bits.OnesCount(set) == sample {
				all++
				if set&(1<<changed-1) == 0 {
					missing++
				}
			}
		}
		if got, want := missed(of, changed, sample), float64(missing)/float64(all); math.Abs(got-want) > 1e-14 {
			t.Errorf("%d of %d changed, %d drawn: missed with probability %v, and in %v of all samples", changed, of, sample, got, want)
		}
	}
}

// TestMostWrong: its number is missed with more than 5 %, one more is not.
func TestMostWrong(t *testing.T) {
	for _, c := range []struct{ of, sample int }{{150, 20}, {10, 10}, {10, 9}, {1, 1}, {1_000_000, 20}} {
		k := MostWrong(c.of, c.sample)
		if missed(c.of, k, c.sample) <= 0.05 || missed(c.of, k+1, c.sample) > 0.05 {
			t.Errorf("of %d, %d drawn: %d is missed with %v, one more with %v", c.of, c.sample, k, missed(c.of, k, c.sample), missed(c.of, k+1, c.sample))
		}
		if limit := int(float64(c.of) * (1 - math.Pow(0.05, 1/float64(c.sample)))); k > limit { // with replacement
			t.Errorf("of %d, %d drawn: %d is above %d, which a sample with replacement would miss", c.of, c.sample, k, limit)
		}
	}
}

// TestDraw: samples miss changed records as often as Missed says. Of 4000 seeds the
// share is within 4.5 standard deviations: a false alarm of 7 in a million; the seeds are
// fixed. A record is drawn once at most, and a seed draws the same ones.
func TestDraw(t *testing.T) {
	records := make([]results.Record, 30)
	for i := range records {
		records[i].Repeat = i
	}
	const seeds, changed, sample = 4000, 5, 6
	missing := 0
	for seed := range uint64(seeds) {
		drawn, again, seen, hit := draw(records, sample, seed), draw(records, sample, seed), map[int]bool{}, false
		for i, r := range drawn {
			seen[r.Repeat] = true
			hit = hit || r.Repeat < changed
			if again[i].Repeat != r.Repeat {
				t.Fatalf("seed %d draws two samples", seed)
			}
		}
		if len(seen) != sample {
			t.Fatalf("seed %d draws %d records", seed, len(seen))
		}
		if !hit {
			missing++
		}
	}
	p := missed(len(records), changed, sample)
	if got := float64(missing) / seeds; math.Abs(got-p) > 4.5*math.Sqrt(p*(1-p)/seeds) {
		t.Errorf("missed by %v of the samples, not %v", got, p)
	}
	if got := len(draw(records, 99, 1)); got != len(records) {
		t.Errorf("a sample of more records than there are has %d", got)
	}
}
