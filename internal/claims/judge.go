package claims

import (
	"cmp"
	"errors"
	"fmt"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/inference"
	"mercer/internal/theory"
	"mercer/results"
)

// Judge gives the verdicts of the claims on a run, claim by claim and in each
// by group. Whatever depends on the data is told by verdicts; the error is about
// claims that cannot be judged at all (an unknown column or theorem, an expression
// that does not parse) and comes with the verdicts of all others.
func Judge(list []configs.Claim, run results.Run, world Context) ([]Verdict, error) {
	j := newJudge(run, world)
	var all []Verdict
	var problems error
	for _, c := range list {
		verdicts, err := j.claim(c)
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", c.Name(), err))
			continue
		}
		_, kind := c.Kind()
		verdicts = append(verdicts, j.ofAbsent(j.quantity(c).Text, *kind.Picked())...)
		for i := range verdicts {
			j.finish(&verdicts[i], c)
		}
		all = append(all, verdicts...)
	}
	stand(all)
	return all, problems
}

func (j *judge) claim(c configs.Claim) ([]Verdict, error) {
	if key := c.Checks().Value; key != "" {
		if _, err := j.theorem(key); err != nil {
			return nil, err
		}
	}
	if c.OnTarget {
		return j.onAnswers(c), nil
	}
	name, _ := c.Kind()
	return kinds[name].judge(j, c)
}

// finish adds what every verdict carries. An incomplete run decides nothing: to read its
// verdicts is no look, so that the looks at the whole run have the error rates to
// themselves. What one record violates by itself no other record can mend.
func (j *judge) finish(v *Verdict, c configs.Claim) {
	v.Claim, v.Check, v.Control, v.Says, v.Source = c.ID, c.Check, c.Control, c.Says, cmp.Or(c.Source, j.Spec.Source)
	v.Kind, _ = c.Kind()
	v.Theorem = c.Checks().Value
	if c.Bound != nil && c.Bound.Of.Text != "" {
		v.Bound = j.bounds(*c.Bound).Reference
	}
	j.checkSample(v)
	if v.Outcome != Violated {
		v.P = nil
	}
	if missing := j.Missing(); missing > 0 {
		incomplete := doubt("run_incomplete", "missing", missing, "all", missing+len(j.Rows), "agrees", v.Outcome == Holds)
		v.note("%s", Doubt{"incomplete", incomplete.Args}.sentence())
		if v.Outcome == Holds || v.Outcome == Violated && (v.Control || v.Level < 1) {
			v.Outcome = Inconclusive
			v.say(incomplete)
		}
	}
	v.speak()
}

// Context is what verdicts need to know beside the run. Its zero value serves all claims but
// those about theorems on populations.
type Context struct {
	// Population is what is known of the P that a row's errors were measured against, by
	// Row.Population and the repeat; the same value for repeats that share it. Nil where
	// nothing is known.
	Population func(population string, repeat int) *facts.Population
	// Planned is the number of the look at the verdicts, from 1, where there are as many
	// looks as it takes to decide them; 0 for a look that nobody has planned.
	Planned int
	// Answers are those to the targets of the spec, by which claims on them are judged.
	Answers []Answer
	// Theorems are those that claims may name; nil for theory.Registry.
	Theorems map[string]theory.Theorem
}

// judge is a run made ready to be asked.
type judge struct {
	*results.Run
	rows  []*results.Row // without those of absent data sets
	world Context
	look  inference.Look
}

func newJudge(run results.Run, world Context) *judge {
	if world.Theorems == nil {
		world.Theorems = theory.Registry
	}
	return &judge{&run, run.Present(), world, lookAt(run, world.Planned)}
}
