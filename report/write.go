package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"mercer/configs"
	"mercer/internal/budget"
	"mercer/internal/claims"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/report/sections"
	"mercer/results"
)

// Files are the paths of what [Write] wrote, each with the folder it was given.
type Files struct {
	Report  string // Markdown
	Page    string // HTML
	Tables  []string
	Figures []string // in the report's order, each as SVG, PNG and PDF
}

// Write renders run, its verdicts, and the plots and budgets of its spec into dir,
// which it makes if need be: report.md and index.html, which say the same,
// tables/verdicts.csv, tables/summary.csv, and a figure
// figures/<claim>-<group>.svg, .png and .pdf for each slope verdict with points, with
// figures/<claim>-all.svg beside the figures of several groups of one
// claim, and one for each claim that is not about slopes; of each plot
// figures/plot-<id>.svg, and its numbers as tables/plot-<id>.csv; of each
// budget tables/budget-<id>.csv; of the targets tables/targets.csv and a figure
// figures/target-<find>-<over>.svg; each SVG as PNG and PDF too. Points of scatter plots are read from run.Dir.
//
// A file is replaced in one step; a reader never sees a part of one. On an
// error, which says what to do, the files written before it stay. Cost: a pass
// over the records for each metric and each point of a plot.
func Write(dir string, run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer, budgets ...budget.Comparison) (Files, error) {
	run.Records = results.Sorted(run.Records, run.Manifest.Variables)
	summary := inBackground(func() []byte { return sections.SummaryCSV(run) })
	taken := map[string]bool{}
	labels := figure.LabelsOf(run.Manifest)
	claimed := sections.Claims(verdicts, taken, labels)
	figures := figure.OfPlots(run, plots, verdicts, taken)
	found := figure.OfAnswers(answers, taken, labels)
	all := drawn(figures)
	for _, s := range claimed {
		all = append(all, s.Figures()...)
	}
	all = append(all, found...)
	said := inBackground(func() page.Page {
		return sections.Report(run, verdicts, plots, claimed, figures, sections.Answers{List: answers, Figures: found}, budgets)
	})
	w := newWriter(dir)
	w.figures(all)
	w.numbers(figures)
	for _, b := range budgets {
		w.table(sections.BudgetTable(b), sections.CSVText(sections.BudgetCSV(b)))
	}
	if len(answers) > 0 {
		w.table(format.AnswersTable, sections.AnswersCSV(answers))
	}
	w.table(format.VerdictsTable, sections.VerdictsCSV(verdicts))
	w.table(format.SummaryTable, summary())
	return w.finish(said())
}

// WriteLatex writes the tables of measurements of a run for a LaTeX document that
// has \usepackage{booktabs,graphicx}: one a metric, data set and kernel, with mean ±
// half-width of the 95 % t interval and the best of a row in bold, as in the
// report. Without names all metrics are written; a name that the run does not have,
// or that is given twice, is an error.
func WriteLatex(w io.Writer, run results.Run, names []string) error {
	run.Records = results.Sorted(run.Records, run.Manifest.Variables)
	if _, err := results.OnlyMetrics(run, names); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if len(names) == 0 {
		names = sections.MetricsOf(run.Records)
	}
	_, err := io.WriteString(w, sections.MeasurementTables(run, names).Latex(sections.LatexHead(run)))
	return err
}

// drawn are the plots that can be drawn.
func drawn(plots []figure.PlotFigure) []figure.Figure {
	var all []figure.Figure
	for _, f := range plots {
		if f.Path != "" {
			all = append(all, f.Figure)
		}
	}
	return all
}

// inBackground starts f; what it gives waits for its end.
func inBackground[T any](f func() T) (wait func() T) {
	done := make(chan T, 1)
	go func() { done <- f() }()
	return func() T { return <-done }
}

// writer writes files below dir until one cannot be written.
type writer struct {
	dir     string
	files   Files
	svg     map[string][]byte // of each figure, by its path
	stale   []string          // what the report that is there shows
	written []string
	err     error
}

func newWriter(dir string) *writer {
	w := &writer{dir: dir, svg: map[string][]byte{}}
	w.files.Report, w.files.Page = w.path(format.ReportFile), w.path(format.PageFile)
	w.stale = shownFiles(w.files.Report)
	return w
}

// finish writes the page in both forms, and removes what the report before it showed
// and this one does not.
func (w *writer) finish(p page.Page) (Files, error) {
	text, err := p.Html(w.svg)
	w.write(format.PageFile, text, err)
	w.write(format.ReportFile, p.Markdown(), nil)
	for _, old := range w.stale {
		if !slices.Contains(w.written, old) {
			w.remove(old)
		}
	}
	return w.files, w.err
}

func (w *writer) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// write writes a file whose text may have failed.
func (w *writer) write(name string, text []byte, err error) {
	if w.err == nil && err == nil {
		err = writeFile(w.path(name), text)
	}
	if w.err == nil {
		w.err = err
	}
	w.written = append(w.written, name)
}

// figures draws figures, on all processors, and writes them in their order.
func (w *writer) figures(figures []figure.Figure) {
	svg, png, pdf := make([][]byte, len(figures)), make([][]byte, len(figures)), make([][]byte, len(figures))
	var drawing errgroup.Group
	var pool figure.PixelPool
	drawing.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range figures {
		drawing.Go(func() (err error) {
			if svg[i], err = f.Chart.Svg(); err == nil {
				png[i], err = f.Chart.Png(&pool)
			}
			if err == nil {
				pdf[i], err = f.Chart.Pdf()
			}
			return err
		})
	}
	err := drawing.Wait()
	for i, f := range figures {
		w.write(f.Path, svg[i], err)
		w.svg[f.Path] = svg[i]
		w.write(f.PngPath(), png[i], err)
		w.write(f.PdfPath(), pdf[i], err)
		if w.err == nil {
			w.files.Figures = append(w.files.Figures, w.path(f.Path), w.path(f.PngPath()), w.path(f.PdfPath()))
		}
	}
}

// numbers writes those of the plots that are drawn.
func (w *writer) numbers(plots []figure.PlotFigure) {
	for _, f := range plots {
		if f.Path != "" {
			w.table(f.Table, sections.CSVText(f.Numbers))
		}
	}
}

func (w *writer) table(name string, text []byte) {
	w.write(name, text, nil)
	if w.err == nil {
		w.files.Tables = append(w.files.Tables, w.path(name))
	}
}

// remove takes away a file of the report before.
func (w *writer) remove(name string) {
	if w.err != nil {
		return
	}
	if err := os.Remove(w.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.err = advise(fmt.Errorf("remove a figure of the report before: %w", err))
	}
}

// fileLink is a link to a file that a report may have had written beside it.
var fileLink = regexp.MustCompile(`\]\(((?:` + format.FiguresFolder + `/[A-Za-z0-9][A-Za-z0-9._-]*\.(?:svg|png|pdf)|` + format.TablesFolder + `/(?:targets|(?:plot|budget)-[A-Za-z0-9._-]*)\.csv))\)`)

// shownFiles lists the figures of this package in both forms, and the numbers of
// plots, that a report shows; none when there is no report.
func shownFiles(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var shown []string
	for _, match := range fileLink.FindAllSubmatch(text, -1) {
		name := string(match[1])
		shown = append(shown, name)
		if figure, isSVG := strings.CutSuffix(name, ".svg"); isSVG {
			shown = append(shown, figure+".png", figure+".pdf")
		}
	}
	slices.Sort(shown)
	return slices.Compact(shown)
}

// writeFile writes text to path in one step, making the folder if need be.
func writeFile(path string, text []byte) error {
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = results.WriteAtomic(path, text)
	}
	if err != nil {
		return advise(err)
	}
	return nil
}

// advise adds to an error of the file system what to do about it.
func advise(err error) error {
	return fmt.Errorf("report: %w", results.Advise(err, "folder of the report", "", "then write the report again: the records are untouched"))
}
