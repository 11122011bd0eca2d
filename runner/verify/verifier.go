package verify

import (
	"errors"
	"fmt"
	"io"
	"os"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/compare"
	"mercer/internal/crate"
	"mercer/internal/linalg"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/plan"
)

// Options say how much of a crate is computed again, and how.
type Options struct {
	Sample   int    // records; 0 for none
	Seed     uint64 // of the sample
	Dir      string // that relative paths in the spec start from; "" for that of the run
	Programs bool   // run the programs of methods (use: exec) that the spec names
	Version  string // of this mercer
	Log      io.Writer
	// Report writes the report of a run into a folder.
	Report func(dir string, run results.Run, spec *configs.Spec, verdicts []claims.Verdict) error
	// Runner has workers and limits; its folder is a temporary one.
	Runner runner.Options
}

// Result is what came of verifying a crate.
type Result struct {
	Crate      string          `json:"crate"`
	Experiment string          `json:"experiment,omitempty"`
	Profile    string          `json:"profile,omitempty"`
	Files      int             `json:"files"`
	Records    int             `json:"records"`
	Sample     *Sample         `json:"sample,omitempty"` // nil where nothing was computed again
	Verdicts   int             `json:"verdicts"`         // judged again
	Report     bool            `json:"report"`           // written again and compared
	Passed     bool            `json:"passed"`
	Findings   []crate.Finding `json:"findings"`
	Notes      []string        `json:"notes"`
}

// Sample is what was computed again.
type Sample struct {
	Seed      uint64          `json:"seed"`
	Records   int             `json:"records"`
	Of        int             `json:"of"`         // records that can be computed again
	MostWrong int             `json:"most_wrong"` // see MostWrong
	Exact     bool            `json:"exact"`      // bit for bit
	Numbers   compare.Numbers `json:"numbers"`
}

// ErrPrograms is the error of a crate whose spec runs programs, where these are not
// allowed.
var ErrPrograms = errors.New("the spec of this crate runs programs")

// verifier is a verification that goes on.
type verifier struct {
	Options
	*crate.Crate
	dir     string // of the crate
	spec    *configs.Spec
	plan    *plan.Plan
	exact   bool // same back end, its file, and machine
	program bool // same version and commit of mercer
	result  Result
}

// note says what a reader of the result should know.
func (v *verifier) note(format string, arguments ...any) {
	v.result.Notes = append(v.result.Notes, fmt.Sprintf(format, arguments...))
}

// sameArithmetic says whether this program rounds as that of the run did: back end,
// library and machine are the same in all of its starts and records.
func (v *verifier) sameArithmetic(here results.Manifest) bool {
	m := v.Run.Manifest
	same := m.Versions[results.BLASLibrary] == here.Versions[results.BLASLibrary] && sameMachine(m.Machine, here.Machine)
	for _, start := range m.Starts {
		same = same && sameMachine(start.Machine, here.Machine)
	}
	for _, r := range v.Run.Records {
		same = same && r.BLAS == linalg.Backend()
	}
	return same
}

// sameMachine leaves out the memory, which changes no number.
func sameMachine(a, b results.Machine) bool {
	a.Memory, b.Memory = 0, 0
	return a == b
}

// inTemporary does something in a folder that is removed afterwards.
func inTemporary(do func(dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "mercer-verify-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return do(dir)
}
