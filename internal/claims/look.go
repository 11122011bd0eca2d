package claims

import (
	"mercer/internal/inference"
	"mercer/results"
)

// lookAt is the look at a run's verdicts: the planned one of this number, from 1, or the
// one that nobody has planned, where that is 0.
func lookAt(run results.Run, planned int) inference.Look {
	m := run.Manifest
	looks, earlier := run.Look(), m.Plans
	if m.FirstLook > 0 {
		looks = len(m.Looks)
		if last := len(earlier) - 1; last >= 0 {
			looks, earlier = earlier[last].After, earlier[:last]
		}
	}
	return inference.Look{Left: lookAfter(looks, earlier).Left, Planned: planned}
}

// lookAfter is the next look after so many that nobody had planned and after the plans
// that were made before it.
func lookAfter(looks int, plans []results.PlannedLooks) inference.Look {
	next := inference.Look{Left: 1}
	for at := 0; ; at++ {
		for _, p := range plans {
			if p.After == at {
				next.Left /= float64(len(p.At) + 1)
			}
		}
		if at == looks {
			return next
		}
		next = next.Next()
	}
}
