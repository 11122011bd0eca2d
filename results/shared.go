package results

import (
	"slices"
	"strings"
	"unique"
)

// sharing keeps what rows have in common once for all of them: a row that is decoded has its
// own strings and names of metrics, which would be most of its memory.
type sharing struct {
	names map[string]*[]string
	last  *[]string // of the row before
}

func newSharing() *sharing {
	return &sharing{names: map[string]*[]string{}, last: &[]string{}}
}

// row is r with what earlier rows had in place of its own.
func (s *sharing) row(r Row) Row {
	for _, text := range []*string{&r.Population, (*string)(&r.Status), &r.Reason, &r.Version, &r.BLAS} {
		*text = unique.Make(*text).Value()
	}
	for _, texts := range [][]string{r.Warnings, r.Rounded} {
		for i, text := range texts {
			texts[i] = unique.Make(text).Value()
		}
	}
	if of := r.Metrics.names; of != nil {
		if !slices.Equal(*s.last, *of) {
			id := strings.Join(*of, "\x00")
			if s.names[id] == nil {
				s.names[id] = of
			}
			s.last = s.names[id]
		}
		r.Metrics.names = s.last
	}
	return r
}
