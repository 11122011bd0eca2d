package configs

import "slices"

// Target asks for the least value of a grid variable at which a statement holds, in
// each group of records. It is found by a search over the values of the grid: only
// cells that the search asks for are computed. The statement is taken to hold from
// some value on.
type Target struct {
	ID       string    `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the target and its row in tables; unique among the targets of the spec."`
	Says     string    `yaml:"says" doc:"What is sought, in words, for the reader."`
	Find     Word      `yaml:"find" required:"true" names:"variable" doc:"The grid variable whose least value is sought."`
	SuchThat Statement `yaml:"such_that" required:"true" doc:"What holds from that value on."`
	Over     Word      `yaml:"over" required:"true" names:"variable" doc:"The grid variable against which the answer is drawn; each value has an answer of its own."`
	Theory   *Value    `yaml:"theory" doc:"What the answer is drawn beside: an expression over grid variables but find, and constants of the dataset, such as n^theta*log(n)."`
	Pos      Pos       `yaml:"-"`
}

// Statement is a claim at one point of the grid; exactly one kind is set.
type Statement struct {
	_     struct{}    `oneof:"ratio,value"`
	Ratio *Ratio      `yaml:"ratio" doc:"The ratio of two methods, paired over repeats."`
	Value *ValueClaim `yaml:"value" doc:"The mean over repeats of a metric of one method, which where names, or the limit that a share of draws keeps."`
	Pos   Pos         `yaml:"-"`
}

// Claim is the statement as a claim.
func (t Target) Claim() Claim {
	return Claim{ID: t.ID, Ratio: t.SuchThat.Ratio, Value: t.SuchThat.Value, Pos: t.Pos}
}

// Methods are the ids of the methods that the statement is about, the first of them
// that whose value is sought.
func (t Target) Methods() []string {
	if t.SuchThat.Ratio != nil {
		return t.SuchThat.Ratio.compared().Texts()
	}
	return t.SuchThat.Value.Where["method"].Value
}

// By are the columns that split the records into groups, beside dataset, kernel and Over.
func (t Target) By() []string {
	_, kind := t.Claim().Kind()
	return kind.Picked().By.Texts()
}

func (t *Target) check(d *Decoder) {
	if _, kind := t.Claim().Kind(); kind == nil {
		return
	}
	d.targets = append(d.targets, *t)
	d.numeric(t.Find)
	d.numeric(t.Over)
	if v := t.SuchThat.Value; v != nil {
		switch {
		case len(t.Methods()) != 1:
			d.add(v.Pos, "the value of %s is of one method: name it by where: {method: ...}", d.label)
		case v.Share == 0 && (v.Equals != nil || v.Each):
			d.add(v.Pos, "%s asks from where on the mean of a value is at_most or at_least something; remove equals and each", d.label)
		}
	}
	switch {
	case slices.Contains(d.ids["variable"], t.ID):
		d.add(t.Pos, "%s has the id of a grid variable; give it another, by which claims can name it", d.label)
	case t.Find.Value == t.Over.Value && t.Find.Given():
		d.add(t.Over.Pos, "%s finds %q over itself", d.label, t.Find.Value)
	}
}
