package claims

import (
	"cmp"
	"math"

	"mercer/configs"
)

// violatedP is the rate of wrong "violated" over all looks at a verdict.
const violatedP = 0.01

// firstLook is the share of the error rates that the first look at a run spends whose
// further looks nobody has planned. It is so large since most runs are looked at once.
const firstLook = 0.9

// look is one reading of a verdict, after some repeats.
type look struct {
	number  int  // from 0
	planned bool // repeats are added until verdicts are decided
}

// share is the part of the error rates that a look spends. All looks together spend the
// whole, however many there are: 0.9, then half of the rest, half of that, and so on; where
// looks are planned 1/2, 1/6, 1/12, … 1/(k(k+1)), since most of them decide late.
func (l look) share() float64 {
	switch {
	case l.planned:
		return 1 / float64((l.number+1)*(l.number+2))
	case l.number == 0:
		return firstLook
	}
	return math.Ldexp(1-firstLook, -l.number)
}

func (l look) next() look { return look{l.number + 1, l.planned} }

// levels are what one look at a verdict may be wrong by.
type levels struct {
	confidence float64 // that of the interval which must lie inside what is claimed
	violated   float64 // the p below which a claim is called violated
}

// levels are those of the look where a claim asks for a confidence over all looks; 0 is
// for the default.
func (l look) levels(confidence float64) levels {
	return levels{1 - l.share()*(1-cmp.Or(confidence, configs.DefaultLevel)), l.share() * violatedP}
}

func (j *judge) look() look { return look{j.world.Look, j.world.Planned} }

// levels are those of the look that the verdict is of; next are those of the next one,
// which what is advised must stand.
func (v Verdict) levels() levels { return v.look.levels(v.asked) }
func (v Verdict) next() levels   { return v.look.next().levels(v.asked) }

// WrongCall is in what share of runs, at most, a verdict of this outcome is wrong, over all
// looks at a run; docs/verdicts.md has simulations of it. False for a verdict that calls
// nothing, and for one that judges each record by itself, which is about these alone.
func (v Verdict) WrongCall() (rate float64, calls bool) {
	beyond := 1 - cmp.Or(v.asked, configs.DefaultLevel)
	switch {
	case v.Level >= 1 || v.Vacuous:
		return 0, false
	case v.Outcome == Violated:
		return violatedP, true
	case v.Outcome == Holds && v.Relation == "=":
		return beyond / 2, true
	case v.Outcome == Holds:
		return beyond, true
	}
	return 0, false
}
