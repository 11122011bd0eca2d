package sections

import (
	"strings"

	"mercer/report/figure"
	"mercer/report/page"
)

// plots writes the figures of the spec's plots.
func (p *document) plots(figures []figure.PlotFigure) {
	if len(figures) == 0 {
		return
	}
	p.Heading(2, "Figures")
	for _, f := range figures {
		title := page.Code(f.ID)
		if f.Title != "" {
			title = page.Escape(f.Title)
		}
		p.Heading(3, title)
		if f.Trouble != "" {
			p.Para("%s %s.", page.Emphasis("Plot "+page.Code(f.ID)+" is not drawn:"), strings.TrimSuffix(page.Escape(f.Trouble), "."))
			for _, sentence := range f.Caption {
				p.Para("%s", page.Escape(sentence))
			}
			continue
		}
		p.Figure(f.Figure)
		p.Para("%s %s, %s.", strings.Join(page.Escaped(f.Caption), " "), page.Link(f.Table, "Numbers"), page.Link(f.PngPath(), "PNG"))
	}
}
