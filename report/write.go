package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/regular"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/report/views"
	"mercer/results"
)

// Files are the paths of what [Write] wrote, each with the folder it was given.
type Files struct {
	Report  string // Markdown
	Page    string // HTML
	Tables  []string
	Figures []string // in the report's order, each as SVG, PNG and PDF
}

// Write renders run, its verdicts, and plots of its spec into dir,
// which it makes if need be: report.md and index.html, which say the same,
// tables/verdicts.csv, tables/summary.csv, and a figure
// figures/<claim>.svg, .png and .pdf for each claim about slopes, with a number behind it where its
// groups take several; of each plot
// figures/plot-<id>.svg, and its numbers as tables/plot-<id>.csv; of each
// budget tables/budget-<id>.csv; of the targets tables/targets.csv and a figure
// figures/target-<find>-<over>.svg; each SVG as PNG and PDF too. Points of scatter plots are read
// from run.Dir.
//
// A file is replaced in one step; a reader never sees a part of one. mercer-files.txt lists all
// of them; what the report before listed there and this one has not is removed. Nothing is
// written through a link in the place of dir or of a folder in it. On an error, which says what to do, the files written before it stay. Cost: a pass
// over the records for each metric and each point of a plot.
func Write(dir string, run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer) (Files, error) {
	if err := regular.Folder(dir); err != nil {
		return Files{}, fmt.Errorf("report: %w", err)
	}
	r := views.New(run, verdicts, answers)
	figures, budgets := r.Draw(plots), r.Budgets()
	w := newWriter(dir)
	w.draw(figures)
	for _, f := range r.Plots {
		if f.Figure.Path != "" {
			w.table(f.Table, views.CSVText(f.Numbers))
		}
	}
	for _, b := range budgets {
		if b.Problem == "" {
			w.table(b.Path, views.CSVText(b.Numbers))
		}
	}
	if len(answers) > 0 {
		w.table(format.AnswersTable, views.AnswersCSV(answers))
	}
	w.table(format.VerdictsTable, views.VerdictsCSV(verdicts))
	w.table(format.SummaryTable, views.SummaryCSV(run))
	return w.finish(r, figures)
}

// writer writes files below dir until one cannot be written.
type writer struct {
	dir     string
	files   Files
	svg     map[string][]byte // of each figure, by its path
	written []string
	err     error
}

func newWriter(dir string) *writer {
	w := &writer{dir: dir, svg: map[string][]byte{}}
	w.files.Report, w.files.Page = w.path(format.ReportFile), w.path(format.PageFile)
	return w
}

// finish writes the page in both forms, removes what the report before it had and this one
// has not, and lists what this one has.
func (w *writer) finish(r *views.Report, figures []figure.Figure) (Files, error) {
	short, err := written(r, markdown)
	long, longErr := written(r, html)
	text, pageErr := page.Html(long, figures, w.svg)
	w.write(format.PageFile, text, cmp.Or(longErr, pageErr))
	w.write(format.ReportFile, short, err)
	if w.err == nil {
		w.err = removeListed(w.dir, append(w.written, format.ListFile))
	}
	list := strings.Join(append(w.written, format.ListFile), "\n") + "\n"
	w.write(format.ListFile, []byte(list), nil)
	return w.files, w.err
}

func (w *writer) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// write writes a file whose text may have failed.
func (w *writer) write(name string, text []byte, err error) {
	if w.err == nil && err == nil {
		err = writeFile(w.dir, name, text)
	}
	if w.err == nil {
		w.err = err
	}
	w.written = append(w.written, name)
}

// draw draws figures, on all processors, and writes them in their order.
func (w *writer) draw(figures []figure.Figure) {
	type drawn struct{ svg, png, pdf []byte }
	all := make([]drawn, len(figures))
	var drawing errgroup.Group
	drawing.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range figures {
		drawing.Go(func() error {
			svg, err := f.Chart.Svg()
			png, pngErr := f.Chart.Png()
			pdf, pdfErr := f.Chart.Pdf()
			all[i] = drawn{svg, png, pdf}
			return cmp.Or(err, pngErr, pdfErr)
		})
	}
	err := drawing.Wait()
	for i, f := range figures {
		w.svg[f.Path] = all[i].svg
		w.write(f.Path, all[i].svg, err)
		w.write(f.PngPath(), all[i].png, err)
		w.write(f.PdfPath(), all[i].pdf, err)
		if w.err == nil {
			w.files.Figures = append(w.files.Figures, w.path(f.Path), w.path(f.PngPath()), w.path(f.PdfPath()))
		}
	}
}

func (w *writer) table(name string, text []byte) {
	w.write(name, text, nil)
	if w.err == nil {
		w.files.Tables = append(w.files.Tables, w.path(name))
	}
}

// removeListed removes the files that a folder's list has, but for some, and folders in it
// that are then empty. No list leads out of the folder.
func removeListed(dir string, kept []string) error {
	text, err := regular.ReadFile(filepath.Join(dir, format.ListFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	root, openErr := os.OpenRoot(dir)
	if err := cmp.Or(err, openErr); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer root.Close()
	for name := range strings.Lines(string(text)) {
		name = strings.TrimSuffix(name, "\n")
		if slices.Contains(kept, name) {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("report: remove a file of the report before: %w", err)
		}
		_ = root.Remove(path.Dir(name)) // fails unless it is empty
	}
	return nil
}

// writeFile writes a file of a folder in one step, making the folders if need be.
func writeFile(dir, name string, text []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	err := os.MkdirAll(dir, 0o777)
	if folder := filepath.Dir(file); err == nil && folder != filepath.Clean(dir) {
		err = regular.Folder(folder)
	}
	if err == nil {
		err = results.WriteAtomic(file, text)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
