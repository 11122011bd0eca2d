package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"mercer/internal/budget"
	"mercer/internal/compare"
	"mercer/report/format"
	"mercer/report/sections"
)

// siteRuns is the folder of a site that has the reports of its runs.
const siteRuns = "runs"

// WriteSite writes a folder for a web server: index.html, which lists the runs below root
// with their answers and searches them, the reports of all runs below runs/, copied as they
// are, and, where history has series, their page below history/. It gives the runs that have
// no report to copy.
func WriteSite(dir, root string, judged []Judged, runs []compare.Side, history []compare.Series, level float64) (files Files, without []string, err error) {
	var listed []sections.SiteRun
	names, err := pathsBelow(root, judged)
	if err == nil {
		err = removeStale(filepath.Join(dir, siteRuns), names)
	}
	if err != nil {
		return files, nil, fmt.Errorf("report: site: %w", err)
	}
	for i, j := range judged {
		name := names[i]
		budgets, err := budget.Compare(j.Spec.Budgets, j.Run)
		if err != nil {
			return files, nil, err
		}
		r := sections.SiteRun{NamedRun: sections.NamedRun{Name: name, Run: j.Run, Verdicts: j.Verdicts}, Plots: j.Spec.Plots, Answers: j.Answers, Budgets: budgets}
		r.Page = path.Join(siteRuns, name, format.PageFile)
		err = copyReport(filepath.Join(j.Run.Dir, "report"), filepath.Join(dir, siteRuns, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			r.Page, without = "", append(without, j.Run.Dir)
		} else if err != nil {
			return files, nil, err
		}
		listed = append(listed, r)
	}
	historyPage := ""
	if len(history) > 0 {
		if _, err := WriteHistory(filepath.Join(dir, "history"), runs, history, level); err != nil {
			return files, nil, err
		}
		historyPage = path.Join("history", format.PageFile)
	}
	files, err = newWriter(dir).finish(sections.Site(filepath.Base(root), listed, historyPage))
	return files, without, err
}

// pathsBelow are the paths of runs below a directory.
func pathsBelow(root string, judged []Judged) ([]string, error) {
	var names []string
	for _, j := range judged {
		name, err := filepath.Rel(root, j.Run.Dir)
		if err != nil {
			return nil, err
		}
		if name = filepath.ToSlash(name); name == "." {
			name = filepath.Base(j.Run.Dir)
		}
		names = append(names, name)
	}
	return names, nil
}

// removeStale removes the reports that an earlier site had of runs that are gone, by their
// lists of files.
func removeStale(dir string, names []string) error {
	kept := map[string]bool{}
	for _, name := range names {
		kept[filepath.Join(dir, filepath.FromSlash(name))] = true
	}
	var stale []string
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == format.ListFile && !kept[filepath.Dir(file)] {
			stale = append(stale, filepath.Dir(file))
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, folder := range stale {
		err = errors.Join(err, removeListed(folder, nil))
		_ = os.Remove(folder) // fails unless it is empty
	}
	return err
}

// copyReport copies the files of a report, which has a page; links and what begins with a
// dot stay where they are.
func copyReport(from, to string) error {
	if _, err := os.Stat(filepath.Join(from, format.PageFile)); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return advise(err)
		case strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return filepath.SkipDir
		case !d.Type().IsRegular() || strings.HasPrefix(d.Name(), "."):
			return nil
		}
		name, err := filepath.Rel(from, file)
		if err != nil {
			return advise(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return advise(err)
		}
		return writeFile(to, filepath.ToSlash(name), text)
	})
}
