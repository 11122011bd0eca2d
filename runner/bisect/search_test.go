package bisect

import (
	"math/rand/v2"
	"testing"
)

// TestSearch tries every first bad commit among up to 64, with none, some and all of the
// others impossible to try: the answer has the commit, is one commit where its neighbours
// could be tried, and takes no more steps than promised.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for last := 1; last <= 64; last++ {
		for planted := 1; planted <= last; planted++ {
			for _, share := range []float64{0, 0.3, 1} {
				broken := map[int]bool{}
				for commit := 1; commit < last; commit++ {
					broken[commit] = rng.Float64() < share
				}
				s := newSearch(last)
				promised, steps := s.Steps(), 0
				for {
					commit, more := s.Next()
					if !more {
						break
					}
					steps++
					switch {
					case broken[commit]:
						s.Skip(commit)
					case commit < planted:
						s.Good(commit)
					default:
						s.Bad(commit)
					}
					if steps > last {
						t.Fatal("it tries a commit twice")
					}
				}
				first, end := s.Suspects()
				if first > planted || end < planted {
					t.Fatalf("%d of %d: %d to %d", planted, last, first, end)
				}
				for commit := first; commit < end; commit++ {
					if !broken[commit] {
						t.Fatalf("%d of %d: %d to %d, and %d was not tried", planted, last, first, end, commit)
					}
				}
				if share == 0 && steps > promised {
					t.Fatalf("%d of %d: %d steps, %d promised", planted, last, steps, promised)
				}
			}
		}
	}
	if got := newSearch(32).Steps(); got != 5 {
		t.Errorf("32 commits take %d steps, want 5", got)
	}
}
