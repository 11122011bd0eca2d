package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/plan"
	"mercer/runner/verdicts"
)

// holdRecords makes the plan of the crate's spec, and compares its records with those
// of the crate, but for what was measured.
func (v *verifier) holdRecords(ctx context.Context) (err error) {
	if v.spec, err = verdicts.SpecOf(v.Run); err == nil {
		_, err = plan.Resolve(v.spec)
	}
	if err != nil {
		v.Found("spec", "it gives no plan: %v", err)
		return nil
	}
	if err := v.makePlan(ctx); err != nil {
		return err
	}
	m := v.Run.Manifest
	here := runner.NewManifest(v.plan, m.Profile, m.Spec, "", v.Version, runner.ThisMachine())
	v.exact, v.program = v.sameArithmetic(here), here.Versions["mercer"] == m.Versions["mercer"] && here.Commit == m.Commit
	planned := v.planned()
	v.holdManifest(here, planned)
	for _, r := range v.Run.Records {
		if want, ok := planned[r.Key]; ok && !reflect.DeepEqual(identity(r), want) {
			v.Found("records", "the record %s is of another cell, repeat, seed or version than its key", r.Key)
		}
	}
	return nil
}

// makePlan makes the plan of the spec as the run had it.
func (v *verifier) makePlan(ctx context.Context) (err error) {
	m := v.Run.Manifest
	for _, method := range v.spec.Methods {
		if method.Use.Value == "exec" && !v.Programs {
			return fmt.Errorf("%w (method %s): read its spec.yaml, and if you trust it give --allow-programs", ErrPrograms, method.ID)
		}
	}
	profile, err := configs.LoadProfile(m.Profile)
	if err != nil {
		return err
	}
	in := plan.Input{File: "spec.yaml", Spec: m.Spec, Dir: m.Dir, Profile: m.Profile, Filter: m.Filter,
		UntilDecided: m.FirstLook > 0, Memory: v.Runner.Memory,
		Timing: plan.Timing{Threads: cmp.Or(m.Threads, profile.Threads), Warmup: profile.Warmup}}
	if m.FirstLook > 0 {
		in.MaxRepeats = m.Repeats
	}
	if v.Dir != "" {
		in.Dir = v.Dir
	}
	for _, d := range m.Datasets {
		in.Optional = in.Optional || d.Absent != ""
	}
	v.plan, err = in.PrepareShard(ctx, v.Log, nil)
	if errors.As(err, new(configs.Problems)) { // in the files and data here, since the spec alone is right
		return fmt.Errorf("the crate cannot be computed again here: %v\nrelative paths of its spec start from %q: --dir names another directory", err, in.Dir)
	}
	return err
}

// planned are the records of the plan, by key, without what was measured.
func (v *verifier) planned() map[string]results.Record {
	records := map[string]results.Record{}
	p := v.plan
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				records[g.Key(c)] = results.Record{
					Schema: results.SchemaVersion, Key: g.Key(c), Experiment: p.Spec.Name, Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method,
					Sizes: c.Sizes, Point: g.Point(c), Work: p.Work(f.Method, c), Repeat: g.Repeat, Seed: p.Spec.Seed, Version: p.Methods[f.Method].Version,
				}
			}
		}
	}
	return records
}

// identity is a record without what was measured.
func identity(r results.Record) results.Record {
	r.Status, r.Reason, r.Metrics, r.Phases, r.Rounded, r.Warnings, r.BLAS, r.Usage = "", "", results.Metrics{}, nil, nil, nil, "", nil
	if r.Point == nil {
		r.Point = map[string]float64{}
	}
	return r
}

// holdManifest compares what the manifest says of the plan with the plan. Repeats that
// were added until verdicts were decided may be any part of it.
func (v *verifier) holdManifest(here results.Manifest, planned map[string]results.Record) {
	m := v.Run.Manifest
	for _, id := range slices.Sorted(maps.Keys(here.Datasets)) {
		if is, said := here.Datasets[id], m.Datasets[id]; is.Absent != "" && said.Absent == "" {
			v.Found("spec", "data set %s is not available here: %s", id, is.Absent)
		} else if said.Fingerprint != is.Fingerprint {
			v.Found("spec", "data set %s has the fingerprint %q here, %q in the crate", id, is.Fingerprint, said.Fingerprint)
		}
	}
	foreign := 0
	for _, key := range m.Keys {
		if _, ok := planned[key]; !ok {
			foreign++
		}
	}
	lacking := len(planned) - (len(m.Keys) - foreign)
	if m.FirstLook > 0 {
		lacking = 0
	}
	if foreign > 0 || lacking > 0 {
		v.Found("spec", "%d records of the crate are not of its spec, and %d of its spec are not in the crate%s", foreign, lacking, versionsChanged(m, here))
	}
	for _, same := range []struct {
		name     string
		is, said any
	}{
		{"experiment", here.Experiment, m.Experiment}, {"title", here.Title, m.Title}, {"source", here.Source, m.Source},
		{"question", here.Question, m.Question}, {"answer", here.Answer, m.Answer}, {"labels", here.Labels, m.Labels}, {"notes", here.Notes, m.Notes},
		{"seed", here.Seed, m.Seed}, {"repeats", here.Repeats, m.Repeats}, {"variables", here.Variables, m.Variables},
		{"cells", len(m.Keys), m.Cells}, {"kernels", here.Kernels, m.Kernels},
	} {
		if fmt.Sprint(same.is) != fmt.Sprint(same.said) {
			v.Found("spec", "the manifest has %s %v, its spec %v", same.name, same.said, same.is)
		}
	}
}

// versionsChanged says which versions are others here, which changes keys.
func versionsChanged(m, here results.Manifest) string {
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(here.Versions)) {
		if was := m.Versions[name]; was != here.Versions[name] && name != "blas" && name != results.BLASLibrary && name != "go" {
			changed = append(changed, fmt.Sprintf("%s %s, here %s", name, was, here.Versions[name]))
		}
	}
	if changed == nil {
		return ""
	}
	return "; versions differ: " + strings.Join(changed, ", ")
}
