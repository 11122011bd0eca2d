package configs

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// checkClaims checks every claim that decoded; ids are known when all did.
func (c *checker) checkClaims(allSound bool) {
	c.claims = checkEntries(c, "claim", c.spec.Claims, func(claim Claim) entry { return entry{claim.ID, claim.IDPos, claim.Pos} }, c.checkClaim, allSound)
}

// entry is where a claim, a plot or a budget stands in its list.
type entry struct {
	id         string
	idPos, pos Pos
}

// checkEntries checks every entry of a list that decoded, and that no id is taken
// twice. The ids are known when all decoded; else they are nil.
func checkEntries[T any](c *checker, kind string, list []T, of func(T) entry, check func(T), allSound bool) []string {
	seen := map[string]Pos{}
	for i, one := range list {
		e := of(one)
		if e.pos.Line == 0 {
			continue // the entry is not even a mapping
		}
		if first, again := seen[e.id]; again && e.id != "" {
			c.problems.Add(Errorf(e.idPos, "%s id %q is taken, by the %s in line %d", kind, e.id, kind, first.Line))
		}
		seen[e.id] = e.idPos
		next := math.MaxInt
		if k := slices.IndexFunc(list[i+1:], func(one T) bool { return of(one).pos.Line > 0 }); k >= 0 {
			next = of(list[i+1+k]).pos.Line
		}
		if c.isSound(e.pos.Line, next) {
			check(one)
		}
	}
	if !allSound && len(list) > 0 {
		return nil
	}
	return slices.AppendSeq([]string{}, maps.Keys(seen))
}

func (c *checker) checkClaim(claim Claim) {
	where := "claim " + quote(claim.ID)
	switch kinds := claim.Kinds(); len(kinds) {
	case 0:
		c.problems.Add(Errorf(claim.Pos, "%s says nothing to check; give it one of slope, ratio, order, value, distribution, bound", where))
		return
	case 1:
	default:
		c.problems.Add(Errorf(claim.Pos, "%s has the kinds %s; make each a claim of its own", where, strings.Join(kinds, " and ")))
		return
	}
	if claim.Bound != nil && claim.Theorem != "" {
		c.problems.Add(Errorf(claim.TheoremPos, "%s is a bound, which names its own theorem; remove this one", where))
	}
	for _, id := range claim.methodIDs() {
		c.lookup("method", id.word, id.pos, where, c.methods)
	}
	c.checkSelection(*claim.Common(), where)
	c.checkQuantities(claim, where)
	c.checkTargets(claim, where)
}

func (c *checker) columns() []string {
	if c.axes == nil {
		return nil
	}
	return append([]string{"dataset", "kernel", "method"}, c.axes...)
}

func (c *checker) checkSelection(sel Selection, where string) {
	for column, words := range sel.Where {
		pos := sel.WherePos[column]
		c.lookup("column", column, pos, `"where" of `+where, c.columns())
		for _, word := range words {
			switch column {
			case "dataset":
				c.lookup(column, word, pos, where, c.datasets)
			case "kernel":
				c.checkKernel(word, pos, where)
			case "method": // with the claim's other methods
			default:
				if _, ok := parseNumber(word); !ok && slices.Contains(c.axes, column) {
					c.problems.Add(Errorf(pos, "%q in \"where\" of %s must be a number, found %s", column, where, quote(word)))
				}
			}
		}
	}
	for i, column := range sel.By {
		c.lookup("column", column, sel.ByPos[i], `"by" of `+where, c.columns())
	}
}

// checkKernel looks a kernel up; a spec without kernels takes those that its
// datasets bring, whose names are not known here.
func (c *checker) checkKernel(word string, pos Pos, where string) {
	if len(c.kernels) > 0 {
		c.lookup("kernel", word, pos, where, c.kernels)
	}
}

// checkQuantities checks the expressions over metrics and the grid variable
// along which a claim goes.
func (c *checker) checkQuantities(claim Claim, where string) {
	of := func(text string, pos Pos) {
		if text == "" {
			return // reported as missing or empty
		}
		_, err := parseExpression(Value{Text: text, Pos: pos})
		c.problems.Add(err)
	}
	switch {
	case claim.Slope != nil:
		of(claim.Slope.Of, claim.Slope.OfPos)
		c.lookup("grid variable", claim.Slope.Over, claim.Slope.OverPos, where, c.axes)
	case claim.Ratio != nil:
		of(claim.Ratio.Of, claim.Ratio.OfPos)
	case claim.Order != nil:
		of(claim.Order.Of, claim.Order.OfPos)
		if claim.Order.Over != "" {
			c.lookup("grid variable", claim.Order.Over, claim.Order.OverPos, where, c.axes)
		}
	case claim.Value != nil:
		of(claim.Value.Of, claim.Value.OfPos)
	case claim.Distribution != nil:
		of(claim.Distribution.Of, claim.Distribution.OfPos)
	}
}

// checkTargets checks that exactly one thing is claimed.
func (c *checker) checkTargets(claim Claim, where string) {
	switch {
	case claim.Slope != nil:
		s := claim.Slope
		c.checkTarget(s.Pos, where, s.Equals, s.AtMost, s.AtLeast, s.Within)
	case claim.Value != nil:
		v := claim.Value
		c.checkTarget(v.Pos, where, v.Equals, v.AtMost, v.AtLeast, v.Within)
	case claim.Distribution != nil:
		c.checkDistribution(*claim.Distribution, where)
	case claim.Ratio != nil:
		r := claim.Ratio
		if (r.AtMost == nil) == (r.AtLeast == nil) {
			c.problems.Add(Errorf(r.Pos, "%s needs exactly one of at_most, at_least", where))
		}
		if r.Method == r.To {
			c.problems.Add(Errorf(r.ToPos, "%s compares method %q with itself", where, r.To))
		}
	case claim.Order != nil:
		o := claim.Order
		if (o.Methods == nil) == (o.Over == "") {
			c.problems.Add(Errorf(o.Pos, "%s needs exactly one of methods, over", where))
		} else if (o.Over == "") != (o.Direction == "") {
			c.problems.Add(Errorf(o.Pos, "%s: over and direction go together", where))
		}
	}
}

// checkDistribution checks what is plain numbers; expressions are checked when
// they are evaluated.
func (c *checker) checkDistribution(d Distribution, where string) {
	if d.SD != nil {
		if x, ok := d.SD.Number(); ok && x <= 0 {
			c.problems.Add(Errorf(d.SD.Pos, "\"sd\" of %s must be positive, found %s", where, d.SD.Text))
		}
	}
	if d.Within != nil {
		if x, ok := d.Within.Number(); ok && (x <= 0 || x >= 1) {
			c.problems.Add(Errorf(d.Within.Pos, "\"within\" of %s must lie between 0 and 1, found %s", where, d.Within.Text))
		}
	}
}

func (c *checker) checkTarget(pos Pos, where string, equals, atMost, atLeast, within *Value) {
	given := 0
	for _, v := range []*Value{equals, atMost, atLeast} {
		if v != nil {
			given++
		}
	}
	switch {
	case given != 1:
		c.problems.Add(Errorf(pos, "%s needs exactly one of equals, at_most, at_least, found %d", where, given))
	case equals != nil && within == nil:
		c.problems.Add(Errorf(equals.Pos, "%s has equals without within; say how near is equal", where))
	case equals == nil && within != nil:
		c.problems.Add(Errorf(within.Pos, "%s has within without equals", where))
	}
	if within == nil {
		return
	}
	if x, ok := within.Number(); ok && x < 0 {
		c.problems.Add(Errorf(within.Pos, "\"within\" of %s must not be negative, found %s", where, within.Text))
	}
}
