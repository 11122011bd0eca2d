package claims

import (
	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/results"
)

// Open says that more repeats may decide the verdict: it is inconclusive for want of
// them. One on answers gets them by the search for these.
func (v Verdict) Open() bool { return v.Outcome == Inconclusive && v.open }

// Excluded says that the whole interval lies outside a one-sided claim.
func (v Verdict) Excluded() bool {
	switch v.Relation {
	case "<=":
		return v.Low > v.Target
	case ">=":
		return v.High < v.Target
	}
	return false
}

// Rows are those of the run that the verdict judges.
func (v Verdict) Rows() []*results.Row { return v.rows }

// JudgeLooks is Judge for a run whose verdicts are read at several numbers of repeats,
// in ascending order. A verdict is that of the first look that decides it; at each look
// it rests on the repeats before that number alone. The run may have more repeats
// wherever a verdict was still open, and need not have them elsewhere.
func JudgeLooks(list []configs.Claim, run results.Run, world Context, looks []int) ([]Verdict, error) {
	var verdicts []Verdict
	type place struct {
		claim string
		group results.Key
	}
	index := map[place]int{}
	for i, most := range looks {
		world.Planned = i + 1
		seen, err := Judge(list, firstRepeats(run, most), world)
		if err != nil || i == 0 {
			verdicts = seen
		}
		if err != nil {
			return verdicts, err
		}
		open := false
		for at, v := range seen {
			id := place{v.Claim, v.Group}
			if known, ok := index[id]; i > 0 && ok && verdicts[known].Open() {
				verdicts[known] = v
			}
			if i == 0 {
				index[id] = at
			}
			open = open || verdicts[index[id]].Open()
		}
		if !open {
			break
		}
	}
	stand(verdicts)
	return verdicts, nil
}

// firstRepeats is the run as it was when it had at most so many repeats.
func firstRepeats(run results.Run, most int) results.Run {
	missing := run.Missing()
	run.Rows = lists.Where(run.Rows, func(r results.Row) bool { return r.Repeat < most })
	ids := run.Manifest.IDs
	run.Manifest.IDs = ids[:min(len(run.Rows)+missing, len(ids))]
	return run
}

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
