package results

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mercer/internal/plain"
	"mercer/internal/sizes"
)

// SchemaVersion is the version of the record's JSON form. A reader refuses a
// newer one and says so.
const SchemaVersion = 1

// Status says how a repeat of a cell ended.
type Status string

const (
	OK      Status = "ok"
	Skipped Status = "skipped" // the method does not apply at these sizes
	Failed  Status = "failed"
	Timeout Status = "timeout"
	OOM     Status = "oom"
)

func (s Status) known() bool {
	switch s {
	case OK, Skipped, Failed, Timeout, OOM:
		return true
	}
	return false
}

// Record is what one repeat of one cell measured: one JSON line.
type Record struct {
	Schema     int    `json:"schema"`
	Key        string `json:"key"` // hash of everything that determines the result
	Experiment string `json:"experiment"`
	Dataset    string `json:"dataset"`
	Kernel     string `json:"kernel"`
	Method     string `json:"method"`
	sizes.Sizes
	Point    map[string]float64 `json:"point"`          // the whole grid point, before overrides
	Work     string             `json:"work,omitempty"` // equal in cells of one repeat that differ only in what the method does not use
	Repeat   int                `json:"repeat"`         // 0, 1, ...
	Seed     uint64             `json:"seed"`           // the spec's seed
	Status   Status             `json:"status"`
	Reason   string             `json:"reason,omitempty"` // why it is not ok
	Metrics  Metrics            `json:"metrics,omitzero"`
	Phases   map[string]float64 `json:"phases,omitempty"` // wall seconds by phase, timed cells only
	Warnings []string           `json:"warnings,omitempty"`
	Version  string             `json:"version"` // of the method's implementation
	BLAS     string             `json:"blas"`
	Usage    *Usage             `json:"usage,omitempty"` // of a fit that ran in a process of its own
}

// Usage is what the operating system says that a fit and its measuring took. The
// records that share a fit share it.
type Usage struct {
	CPU  float64 `json:"cpu"`  // seconds, of all processors together
	Peak int64   `json:"peak"` // bytes that the process had resident, at most
}

// Manifest describes a run: it lies beside the records as manifest.json.
type Manifest struct {
	Schema     int                    `json:"schema"`
	Experiment string                 `json:"experiment"`
	Title      string                 `json:"title,omitempty"`
	Source     string                 `json:"source,omitempty"`
	Question   string                 `json:"question,omitempty"`
	Answer     map[string]string      `json:"answer,omitempty"` // to the question: sentences by what becomes of the claims; see configs.Answer
	Labels     map[string]string      `json:"labels,omitempty"` // of methods, data sets, kernels, grid variables and metrics, by name
	Notes      []string               `json:"notes,omitempty"`  // paragraphs for the reader
	Profile    string                 `json:"profile"`
	Spec       string                 `json:"spec"`      // the YAML text as read
	SpecHash   string                 `json:"spec_hash"` // SHA-256 of Spec
	Seed       uint64                 `json:"seed"`
	Repeats    int                    `json:"repeats"`
	FirstLook  int                    `json:"first_look,omitempty"` // repeats of it, where repeats are added until verdicts are decided; Repeats is then the most
	Cells      int                    `json:"cells"`                // records of a complete run
	Keys       []string               `json:"keys,omitempty"`
	Variables  []string               `json:"variables"` // grid variables in the spec's order
	Datasets   map[string]DatasetInfo `json:"datasets"`
	Kernels    map[string]string      `json:"kernels,omitempty"` // id -> resolved form, with its bandwidth
	Machine    Machine                `json:"machine"`
	Versions   map[string]string      `json:"versions"` // mercer, go, blas, methods
	Commit     string                 `json:"commit,omitempty"`
	Command    string                 `json:"command,omitempty"` // reproduces the run
	File       string                 `json:"file,omitempty"`    // of the spec, as given
	Dir        string                 `json:"dir,omitempty"`     // directory of relative paths in the spec, as given
	Threads    int                    `json:"threads,omitempty"` // processors of a timed fit; 0 where nothing is timed
	Filter     string                 `json:"filter,omitempty"`  // condition on its records, where only some were asked for
	Looks      []int                  `json:"looks,omitempty"`   // repeats at which verdicts were read, in the order of reading
	Plans      []PlannedLooks         `json:"plans,omitempty"`   // looks that were planned; where FirstLook is given, the last are those of this run
	Starts     []Start                `json:"starts,omitempty"`  // each start that ran something, first to last
	Started    string                 `json:"started"`           // RFC 3339
	Finished   string                 `json:"finished,omitempty"`
}

// Start is one start of a run: a run that was stopped has several.
type Start struct {
	Started  string  `json:"started"` // RFC 3339
	Finished string  `json:"finished,omitempty"`
	Written  int     `json:"written"` // records
	Machine  Machine `json:"machine"`
	Commit   string  `json:"commit,omitempty"`
	BLAS     string  `json:"blas"`
	Source   string  `json:"source,omitempty"` // whose records were merged into the run; "" for its own
}

// DatasetInfo is what a run knew of a dataset: its constants for expressions
// (alpha, kappa, N, D, classes, ...), a line that describes it, and a hash of
// its content.
type DatasetInfo struct {
	Describe    string             `json:"describe"`
	Constants   map[string]float64 `json:"constants,omitempty"`
	Fingerprint string             `json:"fingerprint"`
	Absent      string             `json:"absent,omitempty"` // why its data could not be read or fetched: its records are skipped
}

// Machine is where a run was made.
type Machine struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	CPU    string `json:"cpu,omitempty"`
	Cores  int    `json:"cores"`
	Memory uint64 `json:"memory_bytes,omitempty"`
}

// String is the machine in few words: "CPU, 8 cores, 15.5 GiB memory, linux/amd64".
func (m Machine) String() string {
	parts := []string{m.CPU, "", "", strings.Trim(m.OS+"/"+m.Arch, "/")}
	if m.Cores > 0 {
		parts[1] = plain.Count(m.Cores, "core")
	}
	if m.Memory > 0 {
		parts[2] = fmt.Sprintf("%.1f GiB memory", float64(m.Memory)/(1<<30))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// isFinal says that a record need not be made again: it is ok or skipped.
func (r Record) isFinal() bool { return r.Status == OK || r.Status == Skipped }

// Validate says what keeps r from being stored: a schema that is not ours, an
// empty key, an unknown status, a negative repeat, size or usage, or a number that is
// NaN or infinite, one of which it names.
func (r Record) Validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("record %s: %s", r.Key, fmt.Sprintf(format, args...))
	}
	if err := checkSchema(r.Schema); err != nil {
		return fail("%v", err)
	}
	if r.Key == "" {
		return errors.New("record without a key")
	}
	if !r.Status.known() {
		return fail("unknown status %q", r.Status)
	}
	if all := r.Sizes.All(); r.Repeat < 0 || slices.Min(all[:]) < 0 {
		return fail("negative repeat or size: repeat=%d n=%d m=%d d=%d ell=%d k=%d", r.Repeat, r.N, r.M, r.D, r.Ell, r.K)
	}
	if u := r.Usage; u != nil && (!plain.Finite(u.CPU) || u.CPU < 0 || u.Peak < 0) {
		return fail("usage of %v s and %d bytes: must be finite and not negative", u.CPU, u.Peak)
	}
	for name, m := range r.Metrics.All() {
		if !plain.Finite(m.Value) {
			return fail("metric %s is %v; only finite numbers are stored", name, m.Value)
		}
	}
	for kind, values := range map[string]map[string]float64{"phase": r.Phases, "grid variable": r.Point} {
		for name, v := range values {
			if !plain.Finite(v) {
				return fail("%s %s is %v; only finite numbers are stored", kind, name, v)
			}
		}
	}
	return nil
}
