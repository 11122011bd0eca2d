package configs

import "slices"

// Target asks for the least value of a grid variable at which a statement holds, in
// each group of records. It is found by a search over the values of the grid: only
// cells that the search asks for are computed. The statement is taken to hold from
// some value on.
type Target struct {
	ID       string    `yaml:"id" required:"true" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" want:"letters, digits, dots, hyphens and underscores (at most 64)" doc:"Names the target and its row in tables; unique among the targets of the spec."`
	Says     string    `yaml:"says" doc:"What is sought, in words, for the reader."`
	Find     Word      `yaml:"find" required:"true" doc:"The grid variable whose least value is sought."`
	SuchThat Statement `yaml:"such_that" required:"true" doc:"What holds from that value on."`
	Over     Word      `yaml:"over" required:"true" doc:"The grid variable against which the answer is drawn; each value has an answer of its own."`
	Theory   *Value    `yaml:"theory" doc:"What the answer is drawn beside: an expression over grid variables but find, and constants of the dataset, such as n^theta*log(n)."`
	Pos      Pos       `yaml:"-"`
}

// Statement is a claim at one point of the grid; exactly one kind is set.
type Statement struct {
	Ratio *Ratio      `yaml:"ratio" doc:"The ratio of two methods, paired over repeats."`
	Value *ValueClaim `yaml:"value" doc:"The mean of a metric of one method, which where names, over repeats."`
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

func (t Target) id() (string, Pos) { return t.ID, t.Pos }

func (t Target) check(c *checker) {
	where := "target " + quote(t.ID)
	if (t.SuchThat.Ratio == nil) == (t.SuchThat.Value == nil) {
		c.add(t.SuchThat.Pos, "such_that of %s needs exactly one of ratio, value", where)
		return
	}
	_, kind := t.Claim().Kind()
	c.checkKind(kind, where)
	if v := t.SuchThat.Value; v != nil && len(t.Methods()) != 1 {
		c.add(v.Pos, "the value of %s is of one method: name it by where: {method: ...}", where)
	}
	if v := t.SuchThat.Value; v != nil && v.Equals != nil {
		c.add(v.Pos, "%s asks from where on a statement holds: give its value at_most or at_least in place of equals", where)
	}
	if v := t.SuchThat.Value; v != nil && v.Each {
		c.add(v.Pos, "%s asks for a statement about a mean; remove each", where)
	}
	c.axis(c.names["variable"], t.Find, "find of "+where)
	c.axis(c.names["variable"], t.Over, "over of "+where)
	if slices.Contains(c.names["variable"], t.ID) {
		c.add(t.Pos, "%s has the id of a grid variable; give it another, by which claims can name it", where)
	}
	if t.Find.Value == t.Over.Value {
		c.add(t.Over.Pos, "%s finds %q over itself", where, t.Find.Value)
	}
}

// checkSought reports claims on methods of which only the cells are computed that a
// search comes to: how many repeats they have depends on their outcome.
func (s *Spec) checkSought(c *checker) {
	for _, t := range s.Targets {
		if (t.SuchThat.Ratio == nil) == (t.SuchThat.Value == nil) {
			continue // it is reported
		}
		for _, claim := range s.Statements() {
			_, kind := claim.Kind()
			if claim.OnTarget || kind != nil && slices.Contains(c.whole["target"], kind.Quantity().Text) {
				continue
			}
			for _, id := range claim.about(c.names["method"]) {
				if slices.Contains(t.Methods(), id) {
					c.add(claim.Pos, "claim %q is about method %q, of which target %q has only some cells computed; name other methods in where, or enter the method a second time under another id", claim.ID, id, t.ID)
					break
				}
			}
		}
	}
}
