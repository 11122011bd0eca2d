package claims

import "mercer/configs"

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

// eachGroup judges the groups of records that a claim picks, one by one. Methods,
// when given, are compared with each other and share a group.
func (j *judge) eachGroup(c configs.Claim, methods []string, verdict func(Verdict, group, *quantity) Verdict) ([]Verdict, error) {
	_, kind := c.Kind()
	of, picked, level := kind.Quantity().Text, *kind.Picked(), levelOr(*kind.Confidence())
	q, err := j.quantity(of)
	if err != nil {
		return nil, err
	}
	groups, err := j.groups(picked, methods)
	if err != nil {
		return nil, err
	}
	if len(groups) == 0 {
		return j.emptySelection(of, picked, level), nil
	}
	verdicts := make([]Verdict, len(groups))
	for i, g := range groups {
		verdicts[i] = verdict(newVerdict(g.at, of, level), g, q)
	}
	return verdicts, nil
}

// readings reads a group's records. What is lost is noted in the verdict; false
// where nothing can be judged, and the verdict says why.
func (j *judge) readings(v *Verdict, g group, q *quantity) ([]reading, bool) {
	all := q.read(g.records)
	notes, outcome, d := j.survey(q, all)
	v.Notes = append(v.Notes, notes...)
	if d.Any() {
		v.Outcome, v.Reason, v.Settle = outcome, d.reason, d.settle
	}
	return all, !d.Any()
}
