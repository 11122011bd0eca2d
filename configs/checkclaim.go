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
		c.problems.Add(Errorf(claim.Pos, "%s says nothing to check; give it one of %s", where, strings.Join(ClaimKinds(), ", ")))
		return
	case 1:
	default:
		c.problems.Add(Errorf(claim.Pos, "%s has the kinds %s; make each a claim of its own", where, strings.Join(kinds, " and ")))
		return
	}
	for _, id := range claim.methodIDs() {
		c.lookup("method", id.word, id.pos, where, c.methods)
	}
	_, kind := claim.Kind()
	c.checkSelection(*kind.Picked(), where)
	c.checkConstants(kind.values())
	kind.check(c, claim, where)
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
				if !slices.Contains(c.axes, column) {
					continue
				}
				if x, ok := parseNumber(word); ok {
					c.checkPossible(column, x, pos, where)
				} else {
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

// checkOf checks the expression over metrics that a claim is about.
func (c *checker) checkOf(q Quantity) {
	if q.Text == "" {
		return // reported as missing or empty
	}
	_, err := parseExpression(Value(q))
	c.problems.Add(err)
}

// checkTarget checks that exactly one thing is claimed.
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
