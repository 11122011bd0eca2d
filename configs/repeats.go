package configs

import "slices"

// Repeats are the seeded draws of each cell: a number, or as many as verdicts need.
type Repeats struct {
	_     struct{} `word:"to"`
	Value int      `yaml:"to" required:"true" min:"1" max:"1000000" doc:"Seeded draws of each cell; where repeats are added until verdicts are decided, the most."`
	From  int      `yaml:"from" required:"true" min:"3" max:"1000000" doc:"Repeats of the first look at the verdicts; each further look has twice as many as the one before."`
	Until string   `yaml:"until" required:"true" enum:"decided" doc:"decided: only cells of open verdicts get more repeats."`
	Had   []int    `yaml:"-" json:"-"` // looks that a run has had already, in ascending order
	Pos   Pos      `yaml:"-"`
}

// Adaptive says that repeats are added until the verdicts are decided.
func (r Repeats) Adaptive() bool { return r.From > 0 }

// Looks are the numbers of repeats at which the verdicts of an adaptive run are read,
// in ascending order: From, twice that, and so on up to Value. Without From it is
// Value alone. Where a run has had looks from From on, all of them are among these.
func (r Repeats) Looks() []int {
	var looks []int
	last := 0
	if n := len(r.Had); r.Adaptive() && n > 0 && r.Had[0] == r.From && r.Had[n-1] <= r.Value {
		looks, last = slices.Clone(r.Had), r.Had[n-1]
	}
	for at := r.From; r.Adaptive() && at < r.Value; at *= 2 {
		if at > last {
			looks = append(looks, at)
		}
	}
	if r.Value > last {
		looks = append(looks, r.Value)
	}
	return looks
}

// Of --until-decided where the spec says nothing.
const (
	FirstLook   = 8
	MostRepeats = 320
)

// UntilDecided are adaptive repeats: the spec's own, or else from FirstLook to MostRepeats.
func (r Repeats) UntilDecided() Repeats {
	if !r.Adaptive() {
		r.From, r.Value = FirstLook, MostRepeats
	}
	return r
}

// Continue are adaptive repeats of a run that goes on after looks that nobody had planned, and
// after planned ones. Its first look comes at twice the repeats that were looked at: an earlier
// one would spend half of the error rates that are left, and show next to nothing new.
func (r Repeats) Continue(looks, planned []int) Repeats {
	r.Had = planned
	if !r.Adaptive() || len(looks) == 0 {
		return r
	}
	if last := slices.Max(looks); len(planned) == 0 || planned[0] > last {
		r.From = max(r.From, min(2*last, r.Value))
	}
	return r
}

// check reports a first look with more repeats than there may be.
func (r *Repeats) check(d *Decoder) {
	if r.Value > 0 && r.From > r.Value {
		d.add(r.Pos, "repeats from %d to %d: the first look has more repeats than there may be; give `from` a number up to %d", r.From, r.Value, r.Value)
	}
}
