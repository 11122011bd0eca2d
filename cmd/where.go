package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/compare"
	"mercer/internal/selection"
	"mercer/results"
)

// whereFlag picks records as the where of a claim does.
type whereFlag struct{ text string }

func (f *whereFlag) add(c *cobra.Command, what string) {
	c.Flags().StringVar(&f.text, "where", "", "only these "+what+", as the where of a claim: 'method: [ekpca, nystrom], n: 500'")
}

// only is a run with the records that are picked.
func (f *whereFlag) only(run results.Run) (results.Run, error) {
	where, err := configs.ParseConditions(f.text)
	if err == nil {
		run, err = selection.Only(run, where)
	}
	if err != nil {
		return run, usage(fmt.Errorf("--where: %w", err))
	}
	return run, nil
}

// pairs are those where either side has records that are picked, with these alone. Verdicts
// and answers, which are of all records, are left out.
func (f *whereFlag) pairs(all []compare.Pair) ([]compare.Pair, error) {
	if f.text == "" {
		return all, nil
	}
	var picked []compare.Pair
	var errs []error
	for _, p := range all {
		base, errBase := f.side(p.Base)
		changed, errNew := f.side(p.New)
		if errBase == nil || errNew == nil {
			picked = append(picked, compare.Pair{Base: base, New: changed})
		}
		errs = append(errs, errNew)
	}
	if len(picked) == 0 && len(all) > 0 {
		return nil, errs[0]
	}
	return picked, nil
}

// side is one with the records that are picked, none beside an error. Its keys are those of
// all records and would make it incomplete.
func (f *whereFlag) side(s compare.Side) (compare.Side, error) {
	run, err := f.only(results.Run{Manifest: s.Manifest, Records: s.Records})
	s.Manifest.Keys, s.Verdicts, s.Answers = nil, nil, nil
	if s.Records = run.Records; err != nil {
		s.Records = nil
	}
	return s, err
}
