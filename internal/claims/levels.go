package claims

import (
	"cmp"

	"mercer/configs"
	"mercer/results"
)

// violatedP is the rate of wrong "violated" over all looks at a verdict.
const violatedP = 0.01

// AnswersError is in what share of runs, at most, any of the answers that claims name is
// wrong. Else all of them are right, and so is every verdict that rests on them alone.
const AnswersError = violatedP / 2

// firstLook is the share of the error rates that the first look at a run spends whose
// further looks nobody has planned. It is so large since most runs are looked at once.
const firstLook = 0.9

// look is one reading of a verdict, after some repeats.
type look struct {
	left    float64 // of the error rates: before it or, of a planned one, before all that were planned with it; 0 stands for all
	planned int     // its number, from 1, where repeats are added until verdicts are decided
}

// share is the part of the error rates that a look spends. All looks together spend the
// whole, however many there are: 0.9, then half of the rest, half of that, and so on.
// Planned looks spend 1/2, 1/6, 1/12, … 1/(k(k+1)) of what was left before them, since most
// of them decide late.
func (l look) share() float64 {
	left := cmp.Or(l.left, 1)
	switch k := float64(l.planned); {
	case k > 0:
		return left / (k * (k + 1))
	case left == 1:
		return firstLook
	}
	return left / 2
}

func (l look) next() look {
	if l.planned > 0 {
		return look{l.left, l.planned + 1}
	}
	return look{left: cmp.Or(l.left, 1) - l.share()}
}

// lookAfter is the next look after so many that nobody had planned and after the plans
// that were made before it.
func lookAfter(looks int, plans []results.PlannedLooks) look {
	next := look{left: 1}
	for at := 0; ; at++ {
		for _, p := range plans {
			if p.After == at {
				next.left /= float64(len(p.At) + 1)
			}
		}
		if at == looks {
			return next
		}
		next = next.next()
	}
}

// lookAt is the look at a run's verdicts: the planned one of this number, from 1, or the
// one that nobody has planned, where that is 0.
func lookAt(run results.Run, planned int) look {
	m := run.Manifest
	looks, earlier := run.Look(), m.Plans
	if m.FirstLook > 0 {
		looks = len(m.Looks)
		if last := len(earlier) - 1; last >= 0 {
			looks, earlier = earlier[last].After, earlier[:last]
		}
	}
	return look{lookAfter(looks, earlier).left, planned}
}

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
