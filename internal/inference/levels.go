package inference

import "cmp"

// ViolatedP is the rate of wrong "violated" over all looks at a verdict.
const ViolatedP = 0.01

// firstLook is the share of the error rates that the first look at a run spends whose
// further looks nobody has planned. It is so large since most runs are looked at once.
const firstLook = 0.9

// Look is one reading of a verdict, after some repeats.
type Look struct {
	Left    float64 // of the error rates: before it or, of a planned one, before all that were planned with it; 0 stands for all
	Planned int     // its number, from 1, where repeats are added until verdicts are decided
}

// Share is the part of the error rates that a look spends. All looks together spend the
// whole, however many there are: 0.9, then half of the rest, half of that, and so on.
// Planned looks spend 1/2, 1/6, 1/12, … 1/(k(k+1)) of what was left before them, since most
// of them decide late.
func (l Look) Share() float64 {
	left := cmp.Or(l.Left, 1)
	switch k := float64(l.Planned); {
	case k > 0:
		return left / (k * (k + 1))
	case left == 1:
		return firstLook
	}
	return left / 2
}

// Next is the look after more repeats.
func (l Look) Next() Look {
	if l.Planned > 0 {
		return Look{l.Left, l.Planned + 1}
	}
	return Look{Left: cmp.Or(l.Left, 1) - l.Share()}
}

// Levels are what one look at a verdict may be wrong by.
type Levels struct {
	Confidence float64 // that of the interval which must lie inside what is claimed
	Violated   float64 // the p below which a claim is called violated
}

// Levels are those of the look where a claim asks for a confidence over all looks.
func (l Look) Levels(confidence float64) Levels {
	return Levels{1 - l.Share()*(1-confidence), l.Share() * ViolatedP}
}
