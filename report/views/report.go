package views

import (
	"cmp"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/results"
)

// Report is what a report is made from. Its methods are the views.
type Report struct {
	Run     results.Run
	Judged  []claims.Verdict
	Answers []claims.Answer
	All     []Claim // by claim, in the order of the spec
	Claims  []Claim // without the checks and controls that are as they must be
	Names   Names
	Plots   []figure.PlotFigure
	Targets []figure.Figure // of the answers

	open    []claims.Verdict // of Claims
	setting results.Key      // the data set and the kernel that these share
	exact   []string         // ids of methods that others approximate

	// What is computed once, when it is asked for.
	known    []results.Group     // see cells
	contests map[string]*contest // by metric
	budgets  []Budget
	advice   *Advice
}

// New is the report of a run, for its tables in a terminal. Figures are added by [Report.Draw].
func New(run results.Run, verdicts []claims.Verdict, answers []claims.Answer) *Report {
	open, _ := claims.Fold(verdicts)
	return &Report{Run: run, Judged: verdicts, Answers: answers, Names: namesOf(run), exact: figure.References(run), contests: map[string]*contest{},
		Claims: byClaim(run, open), All: byClaim(run, verdicts), open: open, setting: format.Setting(open)}
}

// Draw lays out the figures of claims, plots and targets, under names that no other has, and gives
// them in the order of the files.
func (r *Report) Draw(plots []configs.Plot) (all []figure.Figure) {
	taken, labels := map[string]bool{}, r.Names.labels
	for i := range r.Claims {
		c := &r.Claims[i]
		c.Figures = figure.OfClaim(c.Claim, c.Verdicts, taken, labels)
	}
	r.Plots = figure.OfPlots(r.Run, plots, r.Judged, taken, labels)
	r.Targets = figure.OfAnswers(r.Answers, r.Judged, taken, labels)
	for _, f := range r.Plots {
		all = append(all, f.Figure)
	}
	for _, c := range r.Claims {
		all = append(all, c.Figures...)
	}
	return lists.Where(append(all, r.Targets...), func(f figure.Figure) bool { return f.Path != "" })
}

// Title is the title of the experiment; "" where it has neither title nor name.
func (r *Report) Title() string { return cmp.Or(r.Run.Spec.Title, r.Run.Spec.Name) }
