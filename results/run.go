package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
)

// Run is what a run directory holds.
type Run struct {
	Dir      string
	Spec     *configs.Spec // resolved: under its profile and assignments
	Catalog  Catalog
	Manifest Manifest
	Rows     []Row    // one per id, in canonical order, see sortRows
	Warnings []string // what was odd in the files, and whether rows are missing
}

// Head reads the run in dir without its rows.
func Head(dir string) (Run, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return Run{}, err
	}
	spec, catalog, err := readSpec(dir, m.SpecSum)
	if err != nil {
		return Run{}, err
	}
	if m.FirstLook > 0 {
		spec.Repeats.From, spec.Repeats.Value, spec.Repeats.Had = m.FirstLook, m.Repeats, m.Planned()
	}
	return Run{Dir: dir, Spec: spec, Catalog: catalog, Manifest: m}, nil
}

// Load reads the run in dir without taking its lock, so that a run in progress can be
// looked at. Its rows may be packed, see PackedFile. Rows that the manifest does not list
// (from an earlier form of the spec) are left aside with a warning.
func Load(dir string) (Run, error) {
	run, err := Head(dir)
	if err != nil {
		return Run{}, err
	}
	found, err := scanRun(dir)
	if err != nil {
		return Run{}, err
	}
	found.index = nil // room for what comes

	ids := map[string]bool{}
	for _, id := range run.Manifest.IDs {
		ids[id] = true
	}
	rows := len(found.rows)
	run.Rows, run.Warnings = slices.DeleteFunc(found.rows, func(r Row) bool { return !ids[r.ID] }), found.warnings
	if aside := rows - len(run.Rows); aside > 0 {
		run.warn("%d rows do not belong to this manifest's plan and are left aside", aside)
	}
	sortRows(run.Rows, run.Spec, run.Catalog)
	if missing := run.Missing(); missing > 0 {
		run.warn("the run is incomplete: %d of %d rows are missing", missing, missing+len(run.Rows))
	}
	return run, nil
}

func (r *Run) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, r.Dir+": "+fmt.Sprintf(format, args...))
}

// Missing is the number of rows that a complete run would have beyond these.
func (r Run) Missing() int { return max(0, len(r.Manifest.IDs)-len(r.Rows)) }

// Latest resolves what a user calls a run: a run directory, or the name of an
// experiment, which means its run below root/experiment that was started last,
// under whichever profile. When there is none the error lists what there is.
func Latest(root, experiment string) (string, error) {
	if isRun(experiment) {
		return experiment, nil
	}
	if experiment == "" || experiment != filepath.Base(experiment) || experiment == "." || experiment == ".." {
		return "", fmt.Errorf("results: %q is neither a run directory (it has no %s) nor an experiment's name; %s",
			experiment, ManifestFile, available(root))
	}
	var best, started string
	var unreadable error
	for _, dir := range RunsBelow(filepath.Join(root, experiment)) {
		m, err := ReadManifest(dir)
		if err != nil {
			unreadable = errors.Join(unreadable, err)
			continue
		}
		if best == "" || m.Started >= started {
			best, started = dir, m.Started
		}
	}
	if best == "" {
		err := fmt.Errorf("results: no run of %q; %s", experiment, available(root))
		return "", errors.Join(err, unreadable)
	}
	return best, nil
}

// available says which experiments have runs below root.
func available(root string) string {
	names := lists.Map(RunsBelow(root), func(dir string) string {
		return strings.TrimPrefix(filepath.ToSlash(dir), filepath.ToSlash(filepath.Clean(root))+"/")
	})
	if len(names) == 0 {
		return fmt.Sprintf("there are no runs below %s yet", root)
	}
	return fmt.Sprintf("runs below %s: %s", root, plain.Some(names, 20))
}

// RunsBelow lists the run directories at most three levels below root, root
// included, in the order of their paths.
func RunsBelow(root string) []string {
	runs := runsBelow(root, 3)
	slices.Sort(runs)
	return runs
}

func runsBelow(dir string, levels int) []string {
	if isRun(dir) {
		return []string{dir}
	}
	if levels == 0 {
		return nil
	}
	var runs []string
	entries, _ := os.ReadDir(dir) // where that fails, there is no run
	for _, e := range entries {
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 {
			runs = append(runs, runsBelow(filepath.Join(dir, e.Name()), levels-1)...)
		}
	}
	return runs
}

func isRun(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, ManifestFile))
	return err == nil && info.Mode().IsRegular()
}
