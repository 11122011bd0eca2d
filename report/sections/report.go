package sections

import (
	"strings"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// Report is what the report says; plots say which metric matters.
func Report(run results.Run, verdicts []claims.Verdict, plots []configs.Plot, sections []Claim, figures []figure.PlotFigure, answers Answers, budgets []budget.Comparison) page.Page {
	p := newDocument(run)
	p.judged = verdicts
	p.summary(run, verdicts, sections, answerOf(run, verdicts, plots, answers.List, budgets), bestFigure(figures, sections, answers.Figures, run.Spec.Answer.Sentences()[state(sections)]))
	all := verdicts
	verdicts, folded := claims.Fold(all)
	p.verdicts(verdicts, sections)
	p.asTheyMustBe(all, folded)
	p.answers(answers)
	p.budgets(budgets)
	p.plots(figures)
	for _, s := range sections {
		p.claim(s, run.Spec.Source, format.Setting(verdicts))
	}
	p.notes(run.Spec.Notes)
	p.measurements(run, len(sections) == 0)
	p.losses(run)
	p.caveats(run)
	p.provenance(run)
	return p.Page
}

// bestFigure is the first that the spec asks for, else that of the first claim whose number
// the answer names, else of the one that asks for most attention, else that of a target.
func bestFigure(figures []figure.PlotFigure, sections []Claim, targets []figure.Figure, answer string) figure.Figure {
	for _, f := range figures {
		if f.Path != "" {
			return f.Figure
		}
	}
	for _, placeholder := range configs.Placeholder.FindAllString(answer, -1) {
		id, _ := configs.Placed(placeholder)
		for _, s := range sections {
			if drawn := s.Figures(); s.id == id && len(drawn) > 0 {
				return drawn[0]
			}
		}
	}
	for _, o := range outcomes {
		for _, s := range ofOutcome(theory(sections), o.words) {
			if drawn := s.Figures(); len(drawn) > 0 {
				return drawn[0]
			}
		}
	}
	return append(targets, figure.Figure{})[0]
}

// notes are what the spec tells the reader, a paragraph each.
func (p *document) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	p.Folded("Notes")
	for _, note := range notes {
		p.Para("%s", page.Escape(format.Negatives(note)))
	}
}

// plots writes the figures of the spec's plots.
func (p *document) plots(figures []figure.PlotFigure) {
	if len(figures) == 0 {
		return
	}
	p.Folded("Figures")
	for _, f := range figures {
		title := page.Code(f.ID)
		if f.Title != "" {
			title = page.Escape(f.Title)
		}
		p.Heading(3, title)
		if f.Problem != "" {
			p.Para("%s %s.", page.Emphasis("Plot "+page.Code(f.ID)+" is not drawn:"), strings.TrimSuffix(page.Escape(f.Problem), "."))
			for _, sentence := range f.Caption {
				p.Para("%s", page.Escape(sentence))
			}
			continue
		}
		p.Figure(f.Figure)
		p.Para("%s %s, %s, %s.", strings.Join(page.Escaped(f.Caption), " "), page.Link(f.Table, "Numbers"), page.Link(f.PngPath(), "PNG"), page.Link(f.PdfPath(), "PDF"))
	}
}
