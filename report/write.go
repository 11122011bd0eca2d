package report

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/internal/regular"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/report/views"
	"mercer/results"
)

// Files are the paths of what [Write] wrote, each with the folder it was given.
type Files struct {
	Page   string // HTML
	Figure string // the first one, as PDF; "" where there is none
}

// Write renders run, its verdicts, and plots of its spec into dir: report.md and index.html, which
// say the same, tables/verdicts.csv, tables/summary.csv, and a figure figures/<claim>.svg for each
// claim about slopes, with a number behind it where its groups take several; of each plot
// figures/plot-<id>.svg, and its numbers as tables/plot-<id>.csv; of each budget
// tables/budget-<id>.csv; of the targets tables/targets.csv and a figure
// figures/target-<find>-<over>.svg; each SVG as PNG and PDF too. Points of scatter plots are read
// from run.Dir.
//
// A file is replaced in one step, report.md last, so that it never shows a figure that is not there
// yet. Other files of dir stay. Nothing is written through a link in the place of dir or of a folder
// in it. Cost: a pass over the records for each metric and each point of a plot.
func Write(dir string, run results.Run, verdicts []claims.Verdict, plots []configs.Plot, answers []claims.Answer) (Files, error) {
	r := views.New(run, verdicts, answers)
	figures := r.Draw(plots)
	files, err := drawn(figures)
	if err != nil {
		return Files{}, err
	}
	for _, f := range r.Plots {
		if f.Figure.Path != "" {
			files[f.Table] = views.CSVText(f.Numbers)
		}
	}
	for _, b := range r.Budgets() {
		if b.Problem == "" {
			files[b.Path] = views.CSVText(b.Numbers)
		}
	}
	if len(answers) > 0 {
		files[format.AnswersTable] = views.AnswersCSV(answers)
	}
	files[format.VerdictsTable], files[format.SummaryTable] = views.VerdictsCSV(verdicts), views.SummaryCSV(run)
	short, err := written(r, markdown)
	long, longErr := written(r, html)
	text, pageErr := page.Html(plain.Text(r.Title()), long, figures, files)
	files[format.PageFile] = text
	if err = cmp.Or(err, longErr, pageErr); err != nil {
		return Files{}, err
	}
	names := append(slices.Sorted(maps.Keys(files)), format.ReportFile)
	files[format.ReportFile] = short
	for _, name := range names {
		if err := writeFile(dir, name, files[name]); err != nil {
			return Files{}, fmt.Errorf("report: %w", err)
		}
	}
	paths := Files{Page: filepath.Join(dir, format.PageFile)}
	if len(figures) > 0 {
		paths.Figure = filepath.Join(dir, filepath.FromSlash(figures[0].PdfPath()))
	}
	return paths, nil
}

// drawn are the files of figures, which are drawn on all processors.
func drawn(figures []figure.Figure) (map[string][]byte, error) {
	all := make([][3][]byte, len(figures))
	var drawing errgroup.Group
	drawing.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range figures {
		drawing.Go(func() error {
			svg, err := f.Chart.Svg()
			png, pngErr := f.Chart.Png()
			pdf, pdfErr := f.Chart.Pdf()
			all[i] = [3][]byte{svg, png, pdf}
			return cmp.Or(err, pngErr, pdfErr)
		})
	}
	err := drawing.Wait()
	files := map[string][]byte{}
	for i, f := range figures {
		files[f.Path], files[f.PngPath()], files[f.PdfPath()] = all[i][0], all[i][1], all[i][2]
	}
	return files, err
}

// writeFile writes a file of a folder in one step, making the folders if need be.
func writeFile(dir, name string, text []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	for _, folder := range []string{dir, filepath.Dir(file)} {
		if err := regular.Folder(folder); err != nil {
			return err
		}
	}
	return results.WriteAtomic(file, text)
}
