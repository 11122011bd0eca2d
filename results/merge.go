package results

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mercer/internal/regular"
)

// Source is a run directory that records are gathered from.
type Source struct {
	Name string // in the manifest's starts
	Dir  string
}

// Merged says what [Merge] found and did.
type Merged struct {
	Added    int      // records that were not there yet, or not as good
	Present  int      // of the wanted keys
	Final    int      // of these, ok or skipped
	Wanted   int      // keys
	BLAS     []string // of the present records, by name
	Differ   int      // records that two directories have final, of one BLAS, with different numbers
	Warnings []string
}

// mergeBatch is how many records are stored in one write.
const mergeBatch = 10_000

// Merge gathers records of the keys of the manifest of the run in dir from other
// run directories into it, with the points that are kept beside them, and puts
// their starts into the manifest. Final records win over those that failed, and
// stay; of several that failed, the last source's is taken. Sources that do not
// exist hold nothing. Doing it again with the same sources changes no byte of the
// records; a merge that was stopped is continued by the next.
//
// A source that is dir itself is refused: its starts would be listed twice.
//
// It takes the lock of dir ([ErrLocked]), and none of the sources': those may be
// written to meanwhile. Cost: one pass over each file; all records of dir and
// those of one source are in memory at a time.
func Merge(dir string, sources []Source) (Merged, error) {
	if err := notItself(dir, sources); err != nil {
		return Merged{}, err
	}
	store, err := Open(dir)
	if err != nil {
		return Merged{}, err
	}
	defer store.Close()
	manifest, err := ReadManifest(dir)
	if err != nil {
		return Merged{}, err
	}
	g := gathering{store: store, dir: dir, place: make(map[string]int, len(manifest.Keys)), failed: map[string]Record{}}
	for i, key := range manifest.Keys {
		g.place[key] = i
	}
	manifest.Starts = slices.DeleteFunc(manifest.Starts, func(start Start) bool {
		return slices.ContainsFunc(sources, func(s Source) bool { return s.Name == start.Source })
	})
	own := len(manifest.Starts) > 0
	for _, source := range sources {
		if err := g.take(source.Dir); err != nil {
			return g.merged, err
		}
		m, err := ReadManifest(source.Dir)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			g.warn("%v", err)
			continue
		}
		for _, start := range m.Starts {
			start.Source = source.Name
			manifest.Starts = append(manifest.Starts, start)
		}
		if !own && len(m.Starts) > 0 { // the run is of the machines that ran it
			own, manifest.Machine, manifest.Commit, manifest.Versions = true, m.Machine, m.Commit, m.Versions
		}
	}
	if err := g.addFailed(manifest.Keys); err != nil {
		return g.merged, err
	}
	g.date(&manifest)
	if err := WriteManifest(dir, manifest); err != nil {
		return g.merged, err
	}
	g.merged.Warnings = append(g.merged.Warnings, store.Warnings()...)
	return g.merged, store.Close()
}

func notItself(dir string, sources []Source) error {
	own, err := os.Stat(dir)
	if err != nil {
		return nil // not there, so it is none of them
	}
	for _, source := range sources {
		if other, err := os.Stat(source.Dir); err == nil && os.SameFile(own, other) {
			return fmt.Errorf("results: %s is %s itself: it cannot be merged into itself", source.Dir, dir)
		}
	}
	return nil
}

// gathering is one merge.
type gathering struct {
	store  *Store
	dir    string
	place  map[string]int    // of the wanted keys in the plan
	failed map[string]Record // the last that failed, by key
	merged Merged
}

func (g *gathering) warn(format string, args ...any) {
	g.merged.Warnings = append(g.merged.Warnings, fmt.Sprintf(format, args...))
}

// take appends what is final in a directory and not in the run.
func (g *gathering) take(dir string) error {
	path := filepath.Join(dir, RecordsFile)
	found, err := scanFile(path)
	if err != nil {
		return err
	}
	for _, w := range found.warnings {
		if !strings.Contains(w, "torn") { // a writer may be at it
			g.merged.Warnings = append(g.merged.Warnings, w)
		}
	}
	records := slices.DeleteFunc(found.records, func(r Record) bool { _, wanted := g.place[r.Key]; return !wanted })
	slices.SortFunc(records, func(a, b Record) int { return cmp.Compare(g.place[a.Key], g.place[b.Key]) })
	var fresh []Record
	for _, r := range records {
		old, ok := g.store.Lookup(r.Key)
		switch {
		case !r.isFinal():
			g.failed[r.Key] = r
		case !ok || !old.isFinal():
			fresh = append(fresh, r)
		case old.BLAS == r.BLAS && differ(old, r):
			if g.merged.Differ++; g.merged.Differ == 1 {
				g.warn("%s: key %s has other numbers than %s, of the same data, method, seed and BLAS: they depend on the machine or on chance; those that were there first are kept", path, r.Key, g.dir)
			}
		}
	}
	if err := g.copyPoints(dir); err != nil {
		return err
	}
	return g.add(fresh)
}

// differ says that two records of one key have different numbers, times and peaks
// of memory apart.
func differ(a, b Record) bool {
	if a.Status != b.Status {
		return true
	}
	for name, m := range a.Metrics.All() {
		if other, ok := b.Metrics.Get(name); !ok || other.Value != m.Value && !IsCost(name) {
			return true
		}
	}
	return a.Metrics.Len() != b.Metrics.Len()
}

func (g *gathering) add(records []Record) error {
	for batch := range slices.Chunk(records, mergeBatch) {
		if err := g.store.Append(batch...); err != nil {
			return fmt.Errorf("%w\nnothing is lost: free space or mend the directory, then merge again", err)
		}
		g.merged.Added += len(batch)
	}
	return nil
}

// addFailed adds what failed everywhere, and counts.
func (g *gathering) addFailed(keys []string) error {
	var failed []Record
	backends := map[string]bool{}
	for _, key := range keys {
		r, ok := g.store.Lookup(key)
		if other, has := g.failed[key]; has && (!ok || !r.isFinal() && (r.Status != other.Status || r.Reason != other.Reason)) {
			failed = append(failed, other)
			r, ok = other, true
		}
		if !ok {
			continue
		}
		g.merged.Present++
		if r.isFinal() {
			g.merged.Final++
		}
		if !backends[r.BLAS] {
			backends[r.BLAS] = true
			g.merged.BLAS = append(g.merged.BLAS, r.BLAS)
		}
	}
	g.merged.Wanted = len(keys)
	slices.Sort(g.merged.BLAS)
	return g.add(failed)
}

// date sets when the run began and, once it is complete, ended.
func (g *gathering) date(m *Manifest) {
	slices.SortStableFunc(m.Starts, func(a, b Start) int { return cmp.Compare(instant(a.Started), instant(b.Started)) })
	finished := ""
	for i, s := range m.Starts {
		if i == 0 && instant(s.Started) < instant(m.Started) {
			m.Started = s.Started
		}
		if instant(s.Finished) > instant(finished) {
			finished = s.Finished
		}
	}
	m.Finished = ""
	if g.merged.Present == g.merged.Wanted {
		m.Finished = finished
	}
}

// copyPoints copies the points of wanted records that the run has not.
func (g *gathering) copyPoints(from string) error {
	entries, err := os.ReadDir(filepath.Join(from, PointsFolder))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("results: %w", err)
	}
	for _, e := range entries {
		key := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		if _, wanted := g.place[key]; !wanted || HasPoints(g.dir, key) {
			continue
		}
		text, err := regular.ReadFile(pointsPath(from, key))
		if err == nil {
			err = regular.Folder(filepath.Join(g.dir, PointsFolder))
		}
		if err == nil {
			err = writeAtomic(pointsPath(g.dir, key), text)
		}
		if err != nil {
			return fmt.Errorf("results: points of %s: %w", key, err)
		}
	}
	return nil
}

// Tally counts what directories hold of wanted keys.
type Tally struct {
	Final  map[string]bool // keys with a record that is ok or skipped
	Failed map[string]Record
}

// Survey reads what the directories hold together, without taking their locks;
// those that do not exist hold nothing.
func Survey(dirs ...string) (Tally, error) {
	t := Tally{Final: map[string]bool{}, Failed: map[string]Record{}}
	for _, dir := range dirs {
		found, err := scanFile(filepath.Join(dir, RecordsFile))
		if err != nil {
			return t, err
		}
		for _, r := range found.records {
			if r.isFinal() {
				t.Final[r.Key] = true
				delete(t.Failed, r.Key)
			} else if !t.Final[r.Key] {
				t.Failed[r.Key] = r
			}
		}
	}
	return t, nil
}
