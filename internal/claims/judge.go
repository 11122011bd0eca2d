package claims

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/selection"
	"mercer/internal/theory"
	"mercer/results"
)

// Context is what verdicts need to know beside the records. Its zero value
// serves all claims but those about theorems on populations.
type Context struct {
	// Constants are those of the datasets by id, beside or in place of what the
	// run's manifest knows.
	Constants map[string]map[string]float64
	// Methods are the spec's methods by id: a bound is held only against methods
	// that its theorem is about. A method that is not in it counts as one of them,
	// and as using all sizes.
	Methods map[string]Method
	// Population is what is known of the P that a repeat's errors were measured
	// against; the same value for repeats that share it. Nil where nothing is known.
	Population func(dataset, kernel string, repeat int) *facts.Population
	// Theorems are those that claims may name; nil for theory.Registry.
	Theorems map[string]theory.Theorem
}

// Method is what verdicts need to know of a method.
type Method struct {
	Use   string   // its registered name
	Sizes []string // those of n, m, d, ell and k that it uses
}

// Judge gives the verdicts of the claims on a run, claim by claim and in each
// by group. Whatever depends on the data is told by verdicts; the error is about
// claims that cannot be judged at all (no kind, an unknown column or theorem, an
// expression that does not parse) and comes with the verdicts of all others.
func Judge(list []configs.Claim, run results.Run, world Context) ([]Verdict, error) {
	j := newJudge(run, world)
	var all []Verdict
	var problems error
	for _, c := range list {
		verdicts, err := j.claim(c)
		verdicts = append(j.ofPresent(c, verdicts), j.ofAbsent(c)...)
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("claim %q: %w", c.ID, err))
			continue
		}
		for i := range verdicts {
			j.finish(&verdicts[i], c)
		}
		all = append(all, verdicts...)
	}
	return all, problems
}

// judge is a run made ready to be asked.
type judge struct {
	*selection.Records
	world Context
}

func newJudge(run results.Run, world Context) *judge {
	if world.Theorems == nil {
		world.Theorems = theory.Registry
	}
	return &judge{selection.New(run, world.Constants), world}
}

func (j *judge) claim(c configs.Claim) ([]Verdict, error) {
	if key, _ := c.Checks(); key != "" {
		if _, err := j.theorem(key); err != nil {
			return nil, err
		}
	}
	names := c.Kinds()
	if len(names) != 1 {
		return nil, fmt.Errorf("it has %d kinds (%s), and needs one", len(names), strings.Join(names, ", "))
	}
	verdicts, ok := kinds[names[0]]
	if !ok {
		return nil, fmt.Errorf("claims of the kind %s cannot be judged", names[0])
	}
	return verdicts(j, c)
}

// finish adds what every verdict carries and lets an incomplete run pass
// nothing.
func (j *judge) finish(v *Verdict, c configs.Claim) {
	v.Claim, v.Says, v.Source = c.ID, c.Says, cmp.Or(c.Source, j.Run.Manifest.Source)
	v.Kind, _ = c.Kind()
	v.Theorem, _ = c.Checks()
	if v.Group == nil {
		v.Group = []Coordinate{}
	}
	if missing := j.Run.Missing(); missing > 0 {
		note := fmt.Sprintf("the run is incomplete: %d of %d records are missing", missing, missing+len(j.Run.Records))
		v.Notes = append(v.Notes, note)
		if v.Outcome == Holds {
			v.Outcome, v.Settle = Inconclusive, "finish the run"
			v.Reason = note + "; what is there agrees with the claim"
		}
	}
}

// absent are the data sets that a claim picks and that could not be had.
func (j *judge) absent(c configs.Claim) []string {
	var ids []string
	_, kind := c.Kind()
	for _, id := range slices.Sorted(maps.Keys(j.Run.Manifest.Datasets)) {
		picked := kind != nil && (kind.Picked().Where["dataset"] == nil || slices.Contains(kind.Picked().Where["dataset"], id))
		if picked && j.Run.Manifest.Datasets[id].Absent != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// ofPresent leaves out the verdict that nothing is picked where the data that
// would be are absent.
func (j *judge) ofPresent(c configs.Claim, verdicts []Verdict) []Verdict {
	if len(j.absent(c)) > 0 && len(verdicts) == 1 && verdicts[0].Group == nil && verdicts[0].Outcome == Inconclusive {
		return nil
	}
	return verdicts
}

// ofAbsent are the verdicts on the data sets that could not be had.
func (j *judge) ofAbsent(c configs.Claim) []Verdict {
	var verdicts []Verdict
	for _, id := range j.absent(c) {
		_, kind := c.Kind()
		v := newVerdict([]Coordinate{{Name: "dataset", Value: id}}, kind.Quantity().Text, configs.DefaultLevel)
		reason, _, _ := strings.Cut(j.Run.Manifest.Datasets[id].Absent, "\n")
		v.Outcome, v.Reason = NotApplicable, "data: "+reason
		v.Settle = "get the data (the run's report says how) and run again"
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// newVerdict is the start of every verdict: no number is known yet.
func newVerdict(at []Coordinate, of string, level float64) Verdict {
	nan := math.NaN()
	return Verdict{Group: at, Of: of, Outcome: Inconclusive, Level: level, Estimate: nan, Low: nan, High: nan, Target: nan}
}

// Doubt is why nothing sure can be said and what would settle that; the zero
// Doubt is none.
type Doubt struct{ reason, settle string }

func (d Doubt) Any() bool { return d.reason != "" }

const (
	runAgain = "run what failed again, once its cause is mended"
	correct  = "correct the claim and check the same records again"
)

func inconclusive(v Verdict, d Doubt) Verdict {
	v.Outcome, v.Reason, v.Settle = Inconclusive, d.reason, d.settle
	return v
}

// emptySelection is the verdict on a selection without records.
func (j *judge) emptySelection(of string, s configs.Selection, level float64) []Verdict {
	var picked []string
	for _, name := range slices.Sorted(maps.Keys(s.Where)) {
		picked = append(picked, name+"="+strings.Join(s.Where[name], "|"))
	}
	d := Doubt{reason: "the run has no records"}
	if len(picked) > 0 {
		d.reason = "no record has " + strings.Join(picked, " ")
	}
	switch missing := j.Run.Missing(); {
	case missing > 0:
		d.settle = fmt.Sprintf("finish the run: %d records are missing", missing)
	case j.Run.Manifest.Filter != "":
		d.settle = "run without the filter " + j.Run.Manifest.Filter
	default:
		d.settle = "check the claim's where against the run's grid and profile"
	}
	return []Verdict{inconclusive(newVerdict(nil, of, level), d)}
}

func levelOr(level float64) float64 {
	if level == 0 {
		return configs.DefaultLevel
	}
	return level
}
