package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mercer/internal/plain"
)

// Run is what a run directory holds.
type Run struct {
	Dir      string
	Manifest Manifest
	Records  []Record // one per key, in canonical order, see SortRecords
	Warnings []string // what was odd in the files, and whether records are missing
}

// Load reads the run in dir without taking its lock, so that a run in progress
// can be looked at. Where the manifest lists keys, records of other keys (from
// an earlier form of the spec) are left aside with a warning.
func Load(dir string) (Run, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return Run{}, err
	}
	found, err := scanFile(filepath.Join(dir, RecordsFile))
	if err != nil {
		return Run{}, err
	}
	found.index = nil // room for what comes
	run := Run{Dir: dir, Manifest: m, Records: found.records, Warnings: found.warnings}
	if len(m.Keys) > 0 {
		run.Records = withKeys(run.Records, m.Keys)
	}
	if aside := len(found.records) - len(run.Records); aside > 0 {
		run.Warnings = append(run.Warnings, fmt.Sprintf(
			"%s: %d records do not belong to this manifest's plan and are left aside", dir, aside))
	}
	SortRecords(run.Records, m.Variables)
	if missing := run.Missing(); missing > 0 {
		run.Warnings = append(run.Warnings, fmt.Sprintf(
			"%s: the run is incomplete: %d of %d records are missing", dir, missing, missing+len(run.Records)))
	}
	return run, nil
}

// withKeys are the records of these keys, in their order; the others are cleared.
func withKeys(records []Record, keys []string) []Record {
	wanted := make(map[string]bool, len(keys))
	for _, key := range keys {
		wanted[key] = true
	}
	return slices.DeleteFunc(records, func(r Record) bool { return !wanted[r.Key] })
}

// Missing is the number of records that a complete run would have beyond these.
func (r Run) Missing() int {
	want := max(len(r.Manifest.Keys), r.Manifest.Cells)
	return max(0, want-len(r.Records))
}

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
		if at := instant(m.Started); best == "" || at >= started {
			best, started = dir, at
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
	var names []string
	for _, dir := range RunsBelow(root) {
		name, err := filepath.Rel(root, dir)
		if err == nil && name != "." {
			names = append(names, filepath.ToSlash(name))
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("there are no runs below %s yet", root)
	}
	slices.Sort(names)
	return fmt.Sprintf("runs below %s: %s", root, plain.Some(names, 20))
}

// RunsBelow lists the run directories at most three levels below root, root
// included, in the order of their paths.
func RunsBelow(root string) []string {
	const depth = 3
	var runs []string
	level := []string{root}
	for range depth + 1 {
		var next []string
		for _, dir := range level {
			if isRun(dir) {
				runs = append(runs, dir)
				continue
			}
			entries, err := os.ReadDir(dir)
			if err != nil { // not a directory, or not ours to read: no run there
				continue
			}
			for _, e := range entries {
				if e.IsDir() || e.Type()&os.ModeSymlink != 0 {
					next = append(next, filepath.Join(dir, e.Name()))
				}
			}
		}
		level = next
	}
	slices.Sort(runs)
	return runs
}

func isRun(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, ManifestFile))
	return err == nil && info.Mode().IsRegular()
}
