package claims

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"mercer/configs"
	"mercer/results"
)

// kinds is how each kind of claim is judged, by the names of
// configs.ClaimKinds: a method that gives the verdicts on a claim of its kind, one
// for each group of records.
var kinds = map[string]func(*judge, configs.Claim) ([]Verdict, error){
	"slope":        (*judge).slope,
	"ratio":        (*judge).ratio,
	"order":        (*judge).order,
	"value":        (*judge).value,
	"distribution": (*judge).distribution,
	"bound":        (*judge).bound,
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
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("claim %q: %w", c.ID, err))
			continue
		}
		_, kind := c.Kind()
		verdicts = append(verdicts, j.ofAbsent(kind.Quantity().Text, *kind.Picked())...)
		for i := range verdicts {
			j.finish(&verdicts[i], c)
		}
		all = append(all, verdicts...)
	}
	return all, problems
}

func (j *judge) claim(c configs.Claim) ([]Verdict, error) {
	if key := c.Checks().Value; key != "" {
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
	v.Theorem = c.Checks().Value
	j.checkSample(v)
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
