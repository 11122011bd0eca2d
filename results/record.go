package results

import (
	"errors"
	"fmt"
	"slices"

	"mercer/internal/plain"
	"mercer/internal/sizes"
)

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
	Phases   map[string]float64 `json:"phases,omitempty"`  // wall seconds by phase, timed cells only
	Rounded  []string           `json:"rounded,omitempty"` // metrics whose value is at or below the rounding that their measure states
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
