package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"

	"mercer/claims"
	"mercer/configs"
	"mercer/results"
)

// Names of what [Write] makes in its folder.
const (
	ReportFile    = "report.md"
	VerdictsTable = "tables/verdicts.csv"
	SummaryTable  = "tables/summary.csv"
	FiguresFolder = "figures"
	TablesFolder  = "tables"
)

// Files are the paths of what [Write] wrote, each with the folder it was given.
type Files struct {
	Report  string
	Tables  []string
	Figures []string // in the report's order, those of plots as SVG and then as PNG
}

// Write renders run, its verdicts and the plots of its spec into dir, which it
// makes if need be: report.md, tables/verdicts.csv, tables/summary.csv, and a
// figure figures/<claim>-<group>.svg for each slope verdict with points, with
// figures/<claim>-all.svg beside the figures of several groups of one claim; of
// each plot figures/plot-<id>.svg and .png, and its numbers as
// tables/plot-<id>.csv. Points of scatter plots are read from run.Dir.
//
// A file is replaced in one step; a reader never sees a part of one. On an
// error, which says what to do, the files written before it stay. Cost: a pass
// over the records for each metric and each point of a plot.
func Write(dir string, run results.Run, verdicts []claims.Verdict, plots []configs.Plot) (Files, error) {
	run.Records = slices.Clone(run.Records)
	results.SortRecords(run.Records, run.Manifest.Variables)
	taken := map[string]bool{}
	sections := sectionsOf(verdicts, taken)
	figures := plotFigures(run, plots, taken)
	files := Files{Report: filepath.Join(dir, ReportFile)}
	stale := shownFiles(files.Report)
	write := func(name string, text []byte, err error) (string, error) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err == nil {
			err = writeFile(path, text)
		}
		stale = slices.DeleteFunc(stale, func(old string) bool { return old == name })
		return path, err
	}
	draw := func(name string, text []byte, err error) error {
		path, err := write(name, text, err)
		if err == nil {
			files.Figures = append(files.Figures, path)
		}
		return err
	}
	tabulate := func(name string, text []byte) error {
		path, err := write(name, text, nil)
		if err == nil {
			files.Tables = append(files.Tables, path)
		}
		return err
	}
	for _, f := range figures {
		if f.path == "" {
			continue
		}
		svg, err := f.chart.svg()
		if err := draw(f.path, svg, err); err != nil {
			return files, err
		}
		png, err := f.chart.png()
		if err := draw(f.pngPath(), png, err); err != nil {
			return files, err
		}
		if err := tabulate(f.table, csvText(f.numbers)); err != nil {
			return files, err
		}
	}
	for _, s := range sections {
		for _, f := range s.figures() {
			svg, err := f.chart.svg()
			if err := draw(f.path, svg, err); err != nil {
				return files, err
			}
		}
	}
	if err := tabulate(VerdictsTable, verdictsCSV(verdicts)); err != nil {
		return files, err
	}
	if err := tabulate(SummaryTable, summaryCSV(run)); err != nil {
		return files, err
	}
	if err := writeFile(files.Report, markdown(run, verdicts, sections, figures)); err != nil {
		return files, err
	}
	for _, old := range stale {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(old))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return files, advise(fmt.Errorf("remove a figure of the report before: %w", err))
		}
	}
	return files, nil
}

// markdown is the text of report.md.
func markdown(run results.Run, verdicts []claims.Verdict, sections []section, figures []plotFigure) []byte {
	var p page
	p.front(run, verdicts, sections)
	p.verdicts(verdicts, sections)
	p.plots(figures)
	for _, s := range sections {
		p.claim(s, run.Manifest.Source, setting(verdicts))
	}
	p.notes(run.Manifest.Notes)
	p.measurements(run)
	p.losses(run)
	p.caveats(run)
	p.provenance(run)
	return []byte(p.String())
}

// fileLink is a link to a file that a report may have had written beside it.
var fileLink = regexp.MustCompile(`\]\(((?:` + FiguresFolder + `/[A-Za-z0-9][A-Za-z0-9._-]*\.(?:svg|png)|` + TablesFolder + `/plot-[A-Za-z0-9._-]*\.csv))\)`)

// shownFiles lists the figures of this package, and the numbers of plots, that a
// report shows; none when there is no report.
func shownFiles(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var shown []string
	for _, match := range fileLink.FindAllSubmatch(text, -1) {
		shown = append(shown, string(match[1]))
	}
	slices.Sort(shown)
	return slices.Compact(shown)
}

// writeFile writes text to path by way of a temporary file beside it, making
// the folder if need be.
func writeFile(path string, text []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return advise(err)
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*")
	if err != nil {
		return advise(err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return advise(errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// advise adds to an error of the file system what to do about it.
func advise(err error) error {
	advice := "look at the folder and write the report again"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		advice = "the disk is full: free some space and write the report again; the records are untouched"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		advice = "a file stands where a folder is needed: move it away, or choose another folder for the report"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "make the folder writable, or choose another one for the report"
	}
	return fmt.Errorf("report: %w\n%s", err, advice)
}
