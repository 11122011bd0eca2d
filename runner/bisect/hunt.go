package bisect

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"mercer/internal/compare"
	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner/turns"
)

// Hunt is a search for the first bad commit.
type Hunt struct {
	*Repository
	Commits    []Commit // the first is good, the last is bad
	Build      []string // a command that builds a commit
	Program    string   // what it makes, within the checkout
	Spec       string
	Profile    string
	Repeats    int // of each run
	Thresholds compare.Thresholds
	Coins      *rand.Rand
	Say        func(format string, args ...any) // a line of progress

	programs programs // nil for those that the hunt builds
}

// programs builds commits and has them run.
type programs interface {
	build(ctx context.Context, commit int) (side, error)
	inTurns(ctx context.Context, good, tried side, rounds int) ([]compare.Block, error)
}

// Verdict says what a commit is.
type Verdict string

// Verdicts on commits.
const (
	Good      Verdict = "good"
	Bad       Verdict = "bad"
	Skipped   Verdict = "skipped"   // it cannot be built, or does not run the spec
	Undecided Verdict = "undecided" // its times are too uncertain; the search ends
)

// Trial is what came of a commit.
type Trial struct {
	Commit
	Verdict Verdict `json:"verdict"`
	Text    string  `json:"text"` // the gravest that was found
}

// Answer is what came of a search.
type Answer struct {
	By         string   `json:"by"` // "numbers" or "times"; "" where the ends do not differ
	Found      string   `json:"found,omitempty"`
	Suspects   []Commit `json:"suspects"` // one of which is the first bad commit; of one alone it is
	Trials     []Trial  `json:"trials"`
	Builds     int      `json:"builds"`
	Confidence float64  `json:"confidence"` // that the first bad commit is among the suspects; 1 for numbers
}

// looks is how often a step may look at times before it gives up. Each look has twice the
// rounds of the one before.
const looks = 3

// side is a commit's program and its run of the first repeats.
type side struct {
	turns.Program
	first results.Run
}

// Run searches. Where the ends do not differ, or nothing can be decided, the answer has
// more than one suspect and no error.
func (h *Hunt) Run(ctx context.Context) (Answer, error) {
	if h.programs == nil {
		h.programs = h
	}
	last := len(h.Commits) - 1
	search := newSearch(last)
	a, confidence := Answer{Confidence: 1, Suspects: h.Commits[1:]}, h.Thresholds.Confidence
	h.Thresholds.Confidence = 1 - (1-confidence)/float64(looks*(1+search.Steps()))
	good, err := h.side(ctx, &a, 0)
	if err != nil {
		return a, fmt.Errorf("the good commit %v: %w", h.Commits[0], err)
	}
	bad, err := h.side(ctx, &a, last)
	if err != nil {
		return a, fmt.Errorf("the bad commit %v: %w", h.Commits[last], err)
	}
	verdict, text, slower, err := h.ends(ctx, good, bad)
	if err != nil {
		return a, err
	}
	a.note(h, 0, Good, "")
	a.note(h, last, verdict, text)
	if verdict != Bad {
		return a, nil
	}
	a.By, a.Found = "numbers", text
	if slower != nil {
		a.By, a.Confidence = "times", confidence
	}
	for commit, more := search.Next(); more; commit, more = search.Next() {
		verdict, text, err := h.try(ctx, &a, good, commit, slower)
		if err != nil {
			return a, err
		}
		a.note(h, commit, verdict, text)
		switch verdict {
		case Good:
			search.Good(commit)
		case Bad:
			search.Bad(commit)
		case Skipped:
			search.Skip(commit)
		default:
			return a, nil
		}
		first, last := search.Suspects()
		a.Suspects = h.Commits[first : last+1]
	}
	return a, nil
}

func (a *Answer) note(h *Hunt, commit int, v Verdict, text string) {
	a.Trials = append(a.Trials, Trial{h.Commits[commit], v, text})
	h.Say("%s: %v%s", v, h.Commits[commit], strings.Repeat(": ", min(1, len(text)))+firstLine(text))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func (h *Hunt) side(ctx context.Context, a *Answer, commit int) (side, error) {
	a.Builds++
	h.Say("build %d: %v", a.Builds, h.Commits[commit])
	return h.programs.build(ctx, commit)
}

// build builds a commit and has its program run the first repeats.
func (h *Hunt) build(ctx context.Context, commit int) (side, error) {
	file, err := h.Repository.Build(ctx, h.Commits[commit], h.Build, h.Program)
	if err != nil {
		return side{}, err
	}
	program, err := turns.Find(ctx, file)
	if err != nil {
		return side{}, err
	}
	program.Name = fmt.Sprintf("%.10s", h.Commits[commit].Hash)
	contest, err := h.contest(program, program)
	if err != nil {
		return side{}, err
	}
	run, err := contest.Once(ctx, program)
	return side{program, run}, err
}

// contest has an empty folder of its own.
func (h *Hunt) contest(base, new turns.Program) (turns.Contest, error) {
	dir := filepath.Join(h.scratch, "runs")
	err := os.MkdirAll(dir, 0o777)
	return turns.Contest{Base: base, New: new, Spec: h.Spec, Profile: h.Profile, Each: h.Repeats, Dir: dir}, err
}

// inTurns has two programs run for so many rounds.
func (h *Hunt) inTurns(ctx context.Context, good, tried side, rounds int) ([]compare.Block, error) {
	contest, err := h.contest(good.Program, tried.Program)
	if err != nil {
		return nil, err
	}
	return contest.Blocks(ctx, good.first, tried.first, rounds, h.Coins, func(int) {})
}

// ends compares the good and the bad end. If their numbers agree, slower are the cells
// whose times do not.
func (h *Hunt) ends(ctx context.Context, good, bad side) (v Verdict, text string, slower []compare.Cell, err error) {
	if text := h.worse(good, bad); text != "" {
		return Bad, text, nil, nil
	}
	if compare.TimedCells(good.first, bad.first) == 0 {
		return Good, "its numbers are those of the good commit, and no cell has a time", nil, nil
	}
	h.Say("the numbers of both ends agree; their times are compared")
	return h.pace(ctx, good, bad, nil)
}

// try builds a commit and judges it.
func (h *Hunt) try(ctx context.Context, a *Answer, good side, commit int, slower []compare.Cell) (Verdict, string, error) {
	tried, err := h.side(ctx, a, commit)
	switch {
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return "", "", context.Canceled
	case err != nil:
		return Skipped, err.Error(), nil
	case slower == nil:
		if text := h.worse(good, tried); text != "" {
			return Bad, text, nil
		}
		return Good, "", nil
	}
	v, text, _, err := h.pace(ctx, good, tried, slower)
	return v, text, err
}

// worse is what makes the numbers of a run worse than those of the good one, the gravest
// first; "" if nothing does.
func (h *Hunt) worse(good, tried side) string {
	block := compare.Block{{Run: good.first}, {New: true, Run: tried.first}, {New: true, Run: tried.first}, {Run: good.first}}
	for _, e := range h.compare(good, tried, []compare.Block{block}).Experiments {
		for _, f := range e.Findings {
			if f.Severity == compare.Regression && f.Kind != compare.Slower {
				return strings.TrimSpace(f.Where+" "+f.Metric) + ": " + f.Text
			}
		}
	}
	return ""
}

func (h *Hunt) compare(good, tried side, blocks []compare.Block) compare.Comparison {
	options := compare.Options{Thresholds: h.Thresholds, Metrics: compare.MetricOf, AllowUndecided: true}
	return compare.CompareTurns(good.Name, tried.Name, blocks, options, rand.New(rand.NewPCG(1, 1)))
}

// pace compares times in turns until a cell is slower, or all are not: the given cells, or
// all if none are given. It returns those that are slower.
func (h *Hunt) pace(ctx context.Context, good, tried side, cells []compare.Cell) (Verdict, string, []compare.Cell, error) {
	count := len(cells)
	if count == 0 {
		count = compare.TimedCells(good.first, tried.first)
	}
	rounds := compare.RoundsFor(count, h.Thresholds.Confidence)
	var blocks []compare.Block
	for look := range looks {
		more, err := h.programs.inTurns(ctx, good, tried, rounds<<max(0, look-1))
		if err != nil {
			return "", "", nil, err
		}
		blocks = append(blocks, more...)
		seen := blocks
		if cells != nil {
			seen = compare.OnlyCells(blocks, cells)
		}
		times := h.compare(good, tried, seen).Experiments[0].Turns.Cells
		var slower []compare.Cell
		open, worst := 0, compare.PairedTime{}
		for _, c := range times {
			switch c.Verdict {
			case compare.PaceSlower:
				slower = append(slower, c.Cell)
			case compare.PaceOpen:
				open++
			}
			if c.Ratio > worst.Ratio {
				worst = c
			}
		}
		text := fmt.Sprintf("%v: time × %.3g [%.3g, %.3g], %s", worst.Cell, worst.Ratio, worst.Low, worst.High, plain.Count(len(blocks), "round"))
		switch {
		case len(slower) > 0:
			return Bad, text, slower, nil
		case open == 0 && len(times) > 0:
			return Good, text, nil, nil
		case look == looks-1:
			return Undecided, text, nil, nil
		}
	}
	panic("no look")
}
