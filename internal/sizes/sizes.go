// Package sizes holds the five numbers that every method knows: records, settings
// of theorems and problems of methods embed or carry [Sizes], and no other package
// lists their names. It imports no sibling, so that every package may import it.
//
//	n   points of the sample
//	m   landmarks, features, columns of a sketch
//	d   dimension of an embedding
//	ℓ   rank of the subspace, ell
//	k   clusters
package sizes

import "slices"

// Names are the names of the sizes, in the order in which tables show them.
var Names = []string{"n", "m", "d", "ell", "k"}

// Is says whether a grid variable is a size.
func Is(name string) bool { return slices.Contains(Names, name) }

// Sizes are those of a cell after the method's own overrides; 0 where it has none.
type Sizes struct {
	N   int `json:"n,omitempty"`
	M   int `json:"m,omitempty"`
	D   int `json:"d,omitempty"`
	Ell int `json:"ell,omitempty"`
	K   int `json:"k,omitempty"`
}

// All are the sizes in the order of [Names].
func (s Sizes) All() [5]int { return [...]int{s.N, s.M, s.D, s.Ell, s.K} }

// Get is the size of a name; 0 where there is none, and for another name.
func (s Sizes) Get(name string) int {
	if p := s.at(name); p != nil {
		return *p
	}
	return 0
}

// Set gives the size of a name its value. It panics at another name.
func (s *Sizes) Set(name string, value int) {
	p := s.at(name)
	if p == nil {
		panic("sizes: no size is called " + name)
	}
	*p = value
}

// Only are the sizes of these names; the others are 0.
func (s Sizes) Only(names ...string) (some Sizes) {
	for _, name := range names {
		some.Set(name, s.Get(name))
	}
	return some
}

func (s *Sizes) at(name string) *int {
	switch name {
	case "n":
		return &s.N
	case "m":
		return &s.M
	case "d":
		return &s.D
	case "ell":
		return &s.Ell
	case "k":
		return &s.K
	}
	return nil
}
