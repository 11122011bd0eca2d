package verify

import (
	"context"

	"mercer/internal/crate"
)

// Crate verifies the crate in a folder. Its error says why that could not be done: it
// is no crate, or its data are not here.
func Crate(ctx context.Context, dir string, o Options) (Result, error) {
	opened, err := crate.Open(dir)
	if err != nil {
		return Result{}, err
	}
	v := &verifier{Options: o, Crate: opened, dir: dir, result: Result{
		Crate: dir, Experiment: opened.Run.Manifest.Experiment, Profile: opened.Run.Manifest.Profile,
		Files: opened.Files, Records: len(opened.Run.Records), Notes: []string{},
	}}
	for _, step := range []func(context.Context) error{v.holdRecords, v.holdNumbers, v.holdVerdicts} {
		if len(v.Findings) > 0 {
			break
		}
		if err := step(ctx); err != nil {
			return v.result, err
		}
	}
	v.result.Findings, v.result.Passed = v.Findings, len(v.Findings) == 0
	if v.Findings == nil {
		v.result.Findings = []crate.Finding{}
	}
	return v.result, nil
}
