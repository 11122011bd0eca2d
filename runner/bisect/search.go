package bisect

import "math/bits"

// search halves commits 0 … n, of which 0 is good and n is bad: those from the first bad
// one on are bad.
type search struct {
	good, bad int          // the last known to be good, the first known to be bad
	skipped   map[int]bool // which cannot be tried
}

// newSearch begins a search among commits 0 … last.
func newSearch(last int) *search { return &search{bad: last, skipped: map[int]bool{}} }

// Next is the commit to try: of those that can be tried the one nearest to the middle.
// False says that none is left.
func (s *search) Next() (commit int, more bool) {
	middle := (s.good + s.bad) / 2
	for distance := range s.bad - s.good {
		for _, commit := range []int{middle - distance, middle + distance} {
			if commit > s.good && commit < s.bad && !s.skipped[commit] {
				return commit, true
			}
		}
	}
	return 0, false
}

// Good says that a commit is good.
func (s *search) Good(commit int) { s.good = commit }

// Bad says that a commit is bad.
func (s *search) Bad(commit int) { s.bad = commit }

// Skip says that a commit cannot be tried.
func (s *search) Skip(commit int) { s.skipped[commit] = true }

// Suspects are the commits of which one is the first bad one: first … last.
func (s *search) Suspects() (first, last int) { return s.good + 1, s.bad }

// Steps is how many commits are tried at most if none is skipped.
func (s *search) Steps() int { return bits.Len(uint(s.bad - s.good - 1)) }
