package verify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"

	"mercer/internal/claims"
	"mercer/internal/crate"
	"mercer/internal/plain"
	"mercer/internal/regular"
	"mercer/runner/verdicts"
)

// Relative differences that verdicts on the same records may have where back end or
// version are others: facts on populations differ by 1e-7 at most, and how tight a bound is by 1e-4,
// see package compare.
const (
	numberTolerance    = 1e-6
	tightnessTolerance = 1e-4
)

// holdVerdicts judges the claims again, and writes the report again where it must be the
// same.
func (v *verifier) holdVerdicts(ctx context.Context) error {
	return inTemporary(func(dir string) error {
		run := v.Run
		run.Dir = dir // without the crate's facts on populations
		if err := verdicts.Record(ctx, run, v.spec, v.Log); err != nil {
			return err
		}
		judged, _, err := verdicts.Judge(run, v.spec)
		own, _, broken := verdicts.Judge(v.Run, v.spec)
		if err = cmp.Or(err, broken); err != nil {
			return err
		}
		v.compareVerdicts(judged, "with facts on populations computed again")
		v.compareVerdicts(own, "from the crate alone")
		if !v.exact || !v.program {
			v.note("figures and tables are not compared: back end, machine or version are not those of the run; their hashes are right")
			return nil
		}
		return v.holdReport(dir, judged)
	})
}

func (v *verifier) compareVerdicts(judged []claims.Verdict, how string) {
	v.result.Verdicts = len(judged)
	if len(judged) != len(v.Verdicts) {
		v.Found("verdicts", "there are %d; judged again %s, %d", len(v.Verdicts), how, len(judged))
		return
	}
	for i, is := range judged {
		if said := v.Verdicts[i]; !same(said, is, v.exact && v.program) {
			v.Found("verdicts", "%s %v: %s, estimate %v in [%v, %v]; judged again %s, %s %s, estimate %v in [%v, %v]",
				said.Claim, said.Group, said.Outcome, said.Estimate, said.Low, said.High, how, is.Claim, is.Outcome, is.Estimate, is.Low, is.High)
		}
	}
}

// same says whether two verdicts agree: in every byte where both are of one back end,
// machine and version, else in outcome and, within the tolerance, in numbers.
func same(a, b claims.Verdict, exact bool) bool {
	if exact {
		x, failed := json.Marshal(a)
		y, err := json.Marshal(b)
		return failed == nil && err == nil && bytes.Equal(x, y)
	}
	type words struct {
		claim, kind, theorem, says, source, of, over, relation string
		check, control, stands, vacuous                        bool
		outcome                                                claims.Outcome
		repeats                                                int
	}
	said := func(v claims.Verdict) words {
		return words{v.Claim, v.Kind, v.Theorem, v.Says, v.Source, v.Of, v.Over, v.Relation, v.Check, v.Control, v.Stands, v.Vacuous, v.Outcome, v.Repeats}
	}
	scale := 0.0
	for _, x := range []float64{a.Estimate, a.Low, a.High, a.Target} {
		if plain.Finite(x) {
			scale = max(scale, math.Abs(x))
		}
	}
	near := func(x, y, tolerance float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= tolerance*scale
	}
	tight := (a.Tightness == nil) == (b.Tightness == nil)
	if tight && a.Tightness != nil {
		tight = math.Abs(*a.Tightness-*b.Tightness) <= tightnessTolerance*math.Abs(*b.Tightness)
	}
	return said(a) == said(b) && reflect.DeepEqual(a.Group, b.Group) && tight &&
		near(a.Estimate, b.Estimate, numberTolerance) && near(a.Low, b.Low, numberTolerance) &&
		near(a.High, b.High, numberTolerance) && near(a.Target, b.Target, numberTolerance)
}

// holdReport writes the report of the crate's records again, and compares all its files.
func (v *verifier) holdReport(dir string, judged []claims.Verdict) error {
	again := filepath.Join(dir, crate.ReportFolder)
	if err := v.Report(again, v.Run, v.spec, judged); err != nil {
		return err
	}
	v.result.Report = true
	return fs.WalkDir(os.DirFS(again), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		is, err := os.ReadFile(filepath.Join(again, name))
		if err != nil {
			return err
		}
		said, err := regular.ReadFile(filepath.Join(v.dir, crate.ReportFolder, name))
		if err != nil || !bytes.Equal(is, said) {
			v.Found("report", "%s is not what the records give", fmt.Sprintf("%s/%s", crate.ReportFolder, filepath.ToSlash(name)))
		}
		return nil
	})
}
