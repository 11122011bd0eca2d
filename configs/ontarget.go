package configs

import "slices"

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

// checkOnTarget checks a claim on a target.
func (c *Claim) checkOnTarget(d *Decoder, of Target) {
	_, kind := c.Kind()
	if c.Slope == nil && c.Ratio == nil {
		d.add(c.Pos, "%s is about target %q; of targets slope and ratio can be claimed", d.label, of.ID)
		return
	}
	if c.Slope != nil && c.Slope.Over.Value != of.Over.Value {
		d.add(c.Slope.Over.Pos, "%s has the slope over %q of target %q, which has an answer for each %s", d.label, c.Slope.Over.Value, of.ID, of.Over.Value)
	}
	picked := kind.Picked()
	if c.Theorem.Given() || len(picked.By) > 0 || *kind.Confidence() != DefaultLevel {
		d.add(c.Pos, "%s is about the answers to a target, which has groups (by), a theory and error rates of its own; remove by, level and theorem", d.label)
	}
	columns := append([]string{"dataset", "kernel", of.Over.Value}, of.By()...)
	for column, words := range picked.Where {
		if !slices.Contains(columns, column) {
			d.add(words.Pos, "%s", Unknown("column", column, `"where" of `+d.label+" on a target", columns))
		}
	}
}

// checkSought reports a claim on methods of which only the cells are computed that the search
// for a target comes to: how many repeats they have depends on their outcome.
func (c *Claim) checkSought(d *Decoder, t Target) {
	for _, id := range c.about(d.ids["method"]) {
		if slices.Contains(t.Methods(), id) {
			d.add(c.Pos, "%s is about method %q, of which target %q has only some cells computed; name other methods in where, or enter the method a second time under another id", d.label, id, t.ID)
			return
		}
	}
}
