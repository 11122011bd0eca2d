package configs

import (
	"slices"

	"mercer/internal/lists"
)

// findOnTargets marks the claims whose quantity is the id of a target.
func (s *Spec) findOnTargets() {
	mark := func(list []Claim) {
		for i := range list {
			if _, kind := list[i].Kind(); kind != nil {
				list[i].OnTarget = s.target(kind.Quantity().Text) != nil
			}
			if r := list[i].Ratio; r != nil {
				r.OfTargets = list[i].OnTarget
			}
		}
	}
	mark(s.Claims)
	mark(s.Checks)
}

// target is that of an id; nil for none.
func (s *Spec) target(id string) *Target {
	if i := slices.IndexFunc(s.Targets, func(t Target) bool { return t.ID == id }); i >= 0 && id != "" {
		return &s.Targets[i]
	}
	return nil
}

// Named are the ids of the targets that the claim is about; nil for a claim on records.
func (c Claim) Named() []string {
	if !c.OnTarget {
		return nil
	}
	_, kind := c.Kind()
	named := []string{kind.Quantity().Text}
	if c.Ratio != nil {
		named = append(named, c.Ratio.To.Value)
	}
	return named
}

// checkOnTargets checks the claims on targets.
func (s *Spec) checkOnTargets(c *checker) {
	for _, claim := range s.Statements() {
		if claim.OnTarget {
			s.checkOnTarget(c, claim)
		}
	}
}

func (s *Spec) checkOnTarget(c *checker, claim Claim) {
	where := claim.Name()
	_, kind := claim.Kind()
	first := s.target(kind.Quantity().Text)
	if claim.Slope == nil && claim.Ratio == nil && claim.Value == nil {
		c.report(claim.Pos, "%s is about target %q; of targets slope, ratio and value can be claimed", where, first.ID)
		return
	}
	for _, id := range claim.Named() {
		if s.target(id) == nil {
			c.lookup("target", Word{id, claim.Ratio.To.Pos}, where, idsOf(s.Targets))
			return
		}
	}
	if claim.Slope != nil && claim.Slope.Over.Value != first.Over.Value {
		c.report(claim.Slope.Over.Pos, "%s has the slope over %q of target %q, which has an answer for each %s", where, claim.Slope.Over.Value, first.ID, first.Over.Value)
	}
	if claim.Value != nil && claim.Value.Each {
		c.report(claim.Value.Pos, "%s is about the answers to a target; remove each", where)
	}
	if claim.Failures != "" {
		c.report(claim.Pos, "%s is about the answers to a target, which has no value where repeats fail; remove failures", where)
	}
	if claim.Theorem.Given() {
		c.report(claim.Theorem.Pos, "%s is about a target, which no theorem bounds; remove theorem, and give the target what the theorem says by `theory`", where)
	}
	if *kind.Confidence() != DefaultLevel {
		c.report(claim.Pos, "%s is about the answers to a target, whose error rates are the same for all claims; remove level", where)
	}
	picked := kind.Picked()
	if len(picked.By) > 0 {
		c.report(picked.By[0].Pos, "%s is about a target, whose answers are split by its own `by`; remove by", where)
	}
	columns := append([]string{"dataset", "kernel", first.Over.Value}, first.By()...)
	for column, words := range picked.Where {
		c.lookup("column", Word{column, words.Pos}, `"where" of `+where+" on a target", columns)
		for _, word := range words.Value {
			if column == "dataset" {
				c.lookup(column, Word{word, words.Pos}, where, c.datasets)
			}
		}
	}
	c.checkConstants(kind.values())
}

func idsOf(targets []Target) []string {
	return lists.Map(targets, func(t Target) string { return t.ID })
}

// checkTargetsKept reports claims that a profile keeps without their targets.
func checkTargetsKept(c *checker, o Overlay, s, out *Spec) {
	for _, claim := range out.Statements() {
		for _, id := range claim.Named() {
			if s.target(id) != nil && out.target(id) == nil {
				c.report(o.Pos, "profile %q keeps claim %q but not its target %q; list the claims to keep under `claims`", o.Profile, claim.ID, id)
			}
		}
	}
}
