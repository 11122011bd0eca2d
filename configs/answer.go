package configs

import (
	"regexp"
	"slices"
	"strings"
)

// Answer are the sentences with which a report answers the question of the spec, one for
// each way in which its claims can come out. {id} in a sentence stands for the estimate
// of that claim, {id?} for yes, no or why it is open.
type Answer struct {
	Holds    Word `yaml:"holds" pattern:"\\S" want:"a sentence" doc:"The answer where every claim holds; {id} is the estimate of claim id with its interval (of several cells the greatest under at_most, the least under at_least), and of several groups the least and the greatest, or each of up to three; of a target it is its last answer, such as 38 < m ≤ 54 at n = 1e8; {id?} is yes, no, or not settled."`
	Violated Word `yaml:"violated" pattern:"\\S" want:"a sentence" doc:"The answer where a claim is violated."`
	Open     Word `yaml:"open" pattern:"\\S" want:"a sentence" doc:"The answer where none is violated, but not every one holds."`
}

// The outcomes of all claims together, by which Sentences has its keys.
const (
	AllHold     = "holds"
	OneViolated = "violated"
	NotAllHold  = "open"
)

// Sentences are those that the spec gives, by outcome; nil for none.
func (a Answer) Sentences() map[string]string {
	var given map[string]string
	for outcome, word := range map[string]Word{AllHold: a.Holds, OneViolated: a.Violated, NotAllHold: a.Open} {
		if word.Given() && given == nil {
			given = map[string]string{}
		}
		if word.Given() {
			given[outcome] = word.Value
		}
	}
	return given
}

// Placeholder is the id of a claim or a target in braces; see [Placed].
var Placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// Placed is the claim that a placeholder names, and whether it asks, by a question mark behind
// the id, what became of the claim, in place of its estimate.
func Placed(placeholder string) (id string, whether bool) {
	return strings.CutSuffix(strings.Trim(placeholder, "{}"), "?")
}

func (a *Answer) check(d *Decoder) {
	for _, sentence := range []Word{a.Holds, a.Violated, a.Open} {
		for _, placeholder := range Placeholder.FindAllString(sentence.Value, -1) {
			id, whether := Placed(placeholder)
			if target := !whether && d.isTarget(id); !target && !slices.Contains(d.leftOut["claim"], id) {
				d.lookup("claim", Word{id, sentence.Pos})
			}
		}
	}
}
