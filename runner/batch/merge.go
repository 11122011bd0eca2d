package batch

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"mercer/internal/misuse"
	"mercer/internal/plain"
	"mercer/results"
)

// StartFrom makes a run folder for the plan of the run in another.
func StartFrom(dir, other string) error {
	m, err := results.ReadManifest(other)
	if err != nil {
		return err
	}
	m.Starts, m.Finished = nil, ""
	return results.WriteManifest(dir, m)
}

// Merge gathers the records of a run's shards, and of further runs of the same
// plan, into the run's folder. What is there stays as it is, byte for byte. It notes
// what is missing.
func Merge(ctx context.Context, dir string, others []string, engines Engines, notes io.Writer) error {
	manifest, err := results.ReadManifest(dir)
	if err != nil {
		return misuse.Mark(err)
	}
	var run *Run
	var sources []results.Source
	if Submitted(dir) {
		if run, err = Open(dir, engines); err != nil {
			return err
		}
		sources = run.sources()
	} else if len(others) == 0 {
		return misuse.Errorf("%s was not submitted, so it has no shards; name the run folders to gather from", dir)
	}
	for _, other := range others {
		if err := samePlan(manifest, other); err != nil {
			return misuse.Mark(err)
		}
		sources = append(sources, results.Source{Dir: other})
	}
	if sources, err = distinct(dir, sources); err != nil {
		return misuse.Mark(err)
	}
	var merged results.Merged
	err = whenFree(ctx, func() (err error) {
		merged, err = results.Merge(dir, sources)
		return err
	})
	for _, warning := range merged.Warnings {
		fmt.Fprintln(notes, "warning:", warning)
	}
	if err != nil {
		return err
	}
	if len(merged.BLAS) > 1 {
		fmt.Fprintf(notes, "warning: records were computed on different back ends (%s), whose rounding differs; choose nodes of one kind, by --sbatch-arg=--constraint=..., or MERCER_BLAS\n", strings.Join(merged.BLAS, ", "))
	}
	if merged.Differ > 0 {
		fmt.Fprintf(notes, "warning: %d records have other numbers in another folder; see above\n", merged.Differ)
	}
	fmt.Fprintf(notes, "%d of %d records are stored, %d of them failed; %d are new\n", merged.Present, merged.Wanted, merged.Present-merged.Final, merged.Added)
	if run != nil && merged.Final < merged.Wanted {
		return run.noteMissing(ctx, notes)
	}
	return nil
}

// distinct leaves out folders that are named twice, and names those without a name
// by their one path, so that a second merge finds the first.
func distinct(dir string, sources []results.Source) ([]results.Source, error) {
	own, err := realDir(dir)
	if err != nil {
		return nil, err
	}
	var kept []results.Source
	known := map[string]bool{}
	for _, s := range sources {
		real, err := realDir(s.Dir)
		if err != nil {
			return nil, err
		}
		if real == own {
			return nil, fmt.Errorf("%s is the run itself: name others to gather from", s.Dir)
		}
		if known[real] {
			continue
		}
		known[real] = true
		if s.Name == "" {
			s.Name = filepath.ToSlash(real)
		}
		kept = append(kept, s)
	}
	return kept, nil
}

// samePlan says why the run in a folder is no part of that of a manifest.
func samePlan(m results.Manifest, dir string) error {
	other, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(m.Keys))
	for _, key := range m.Keys {
		known[key] = true
	}
	foreign := 0
	for _, key := range other.Keys {
		if !known[key] {
			foreign++
		}
	}
	if foreign == 0 {
		return nil
	}
	why := "its data, methods, timing or mercer's version differ"
	switch {
	case other.Experiment != m.Experiment:
		why = fmt.Sprintf("it is of experiment %q, not %q", other.Experiment, m.Experiment)
	case other.SpecHash != m.SpecHash:
		why = "its spec is another"
	case other.Profile != m.Profile:
		why = fmt.Sprintf("its profile is %s, not %s", other.Profile, m.Profile)
	case m.Filter != "":
		why = fmt.Sprintf("the run has the filter %q", m.Filter)
	}
	return fmt.Errorf("%s is of another plan: %d of its %d records are not in the run: %s", dir, foreign, len(other.Keys), why)
}

// mostMissing is how many incomplete shards are named.
const mostMissing = 20

// noteMissing names the shards that are not complete and what to do.
func (r *Run) noteMissing(ctx context.Context, notes io.Writer) error {
	status, err := r.Status(ctx, notes)
	if err != nil {
		return err
	}
	incomplete := slices.DeleteFunc(status.Shards, ShardStatus.Complete)
	for _, s := range incomplete[:min(len(incomplete), mostMissing)] {
		text := fmt.Sprintf("shard %d: %d of %d records", s.Shard, s.Final, s.Due)
		if s.Failed > 0 {
			text += fmt.Sprintf(", %d failed (%s)", s.Failed, s.Reason)
		}
		if s.Explained != "" {
			text += "; " + s.Explained
		}
		fmt.Fprintln(notes, text)
	}
	if more := len(incomplete) - mostMissing; more > 0 {
		fmt.Fprintf(notes, "and %d more; mercer status %s has all\n", more, plain.Quote(r.Dir))
	}
	fmt.Fprintf(notes, "to submit what is neither stored nor queued: mercer submit %s\n", plain.Quote(r.Dir))
	return nil
}
