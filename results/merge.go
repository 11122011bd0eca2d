package results

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/plain"
	"mercer/internal/regular"
)

// PlanOf is the hash of the ids of a plan, in any order: shards of one plan have one.
func PlanOf(ids []string) string {
	return hashOf([]byte(strings.Join(slices.Sorted(slices.Values(ids)), "\n")))[:32]
}

// hashOf is the SHA-256 of a text in hexadecimal.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Merge puts the shards of one run, a directory each, together in a directory that does not
// exist yet or holds the same run already. It fails, and changes nothing, where the shards
// are not of one plan, where a row is in two of them or in none, or where a shard is not
// finished. Cost: one pass over each file; all rows are in memory at a time.
func Merge(dir string, shards []string) (Run, error) {
	var runs []Run
	for _, shard := range shards {
		run, err := Load(shard)
		if err != nil {
			return Run{}, err
		}
		runs = append(runs, run)
	}
	whole, err := union(runs)
	if err != nil {
		return Run{}, err
	}
	if old, err := ReadManifest(dir); err == nil && old.Plan != whole.Manifest.Plan {
		return Run{}, fmt.Errorf("results: %s holds another run; choose another directory (--out)", dir)
	}

	store, err := Open(dir)
	if err != nil {
		return Run{}, err
	}
	defer store.Close()
	if err := store.Clear(); err != nil {
		return Run{}, err
	}
	if err := store.Append(whole.Rows...); err != nil {
		return Run{}, err
	}
	for _, run := range runs {
		if err := copyPoints(dir, run.Dir); err != nil {
			return Run{}, err
		}
	}
	if command := whole.Manifest.Command; strings.Contains(command, " --out ") { // what is of a shard is last
		whole.Manifest.Command = command[:strings.LastIndex(command, " --out ")] + " --out " + plain.Quote(dir)
	}
	text, err := regular.ReadFile(filepath.Join(runs[0].Dir, SpecFile))
	if err == nil {
		err = WriteAtomic(filepath.Join(dir, SpecFile), text)
	}
	if err == nil {
		err = WriteManifest(dir, whole.Manifest)
	}
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		return Run{}, err
	}
	return Load(dir)
}

// union is the run of which these are the shards.
func union(shards []Run) (Run, error) {
	whole := shards[0]
	m := &whole.Manifest
	m.Shard, m.IDs, m.Finished, whole.Rows = "", nil, "", nil
	in := map[string]string{} // directories of ids
	for _, s := range shards {
		switch {
		case s.Manifest.Plan != m.Plan || s.Manifest.SpecSum != m.SpecSum:
			return whole, fmt.Errorf("results: %s and %s are no shards of one run: their specs, data or versions differ", shards[0].Dir, s.Dir)
		case s.Missing() > 0:
			return whole, fmt.Errorf("results: %s is not finished: %s of %d are missing; go on with: %s", s.Dir, plain.Count(s.Missing(), "row"), len(s.Manifest.IDs), s.Manifest.Command)
		}
		for _, id := range s.Manifest.IDs {
			if other, twice := in[id]; twice {
				return whole, fmt.Errorf("results: row %s is in %s and in %s: give each shard once", id, other, s.Dir)
			}
			in[id] = s.Dir
			m.IDs = append(m.IDs, id)
		}
		whole.Rows = append(whole.Rows, s.Rows...)
		m.Started = min(m.Started, s.Manifest.Started)
		m.Finished = max(m.Finished, s.Manifest.Finished)
	}
	if PlanOf(m.IDs) != m.Plan {
		return whole, fmt.Errorf("results: shards are missing: %s", strings.Join(missing(shards), ", "))
	}
	sortRows(whole.Rows, whole.Spec, whole.Catalog)
	return whole, nil
}

// missing names the shards that would make these whole.
func missing(shards []Run) (names []string) {
	_, parts, _ := strings.Cut(shards[0].Manifest.Shard, "/")
	count, _ := strconv.Atoi(parts)
	for i := range count {
		name := fmt.Sprintf("%d/%d", i+1, count)
		if !slices.ContainsFunc(shards, func(s Run) bool { return s.Manifest.Shard == name }) {
			names = append(names, name)
		}
	}
	return names
}

// copyPoints copies the points of a shard's rows into dir, which has none of these.
func copyPoints(dir, from string) error {
	source := filepath.Join(from, PointsFolder)
	if _, err := os.Stat(source); os.IsNotExist(err) {
		return nil
	}
	err := regular.Folder(filepath.Join(dir, PointsFolder))
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, PointsFolder), os.DirFS(source))
	}
	if err != nil {
		return fmt.Errorf("results: points: %w", err)
	}
	return nil
}
