package compare

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mercer/internal/claims"
	"mercer/internal/regular"
	"mercer/results"
)

// VerdictsFile tells the folder of a reference from that of a run: it has the verdicts and
// answers that the run had.
const VerdictsFile = "verdicts.json"

// judged is the text of VerdictsFile.
type judged struct {
	Verdicts []claims.Verdict `json:"verdicts"`
	Answers  []claims.Answer  `json:"answers,omitempty"`
}

// WriteReference writes into a folder what a later comparison needs of a run: its spec, its
// packed rows without what no comparison reads, and its verdicts. Dates are left out: the same
// numbers give the same bytes.
func WriteReference(dir string, s Side) error {
	run, m := s.Run, s.Manifest
	run.Rows = slices.Clone(run.Rows)
	for i := range run.Rows {
		r := &run.Rows[i]
		r.Warnings = nil
	}
	var rows, verdicts bytes.Buffer
	packed := gzip.NewWriter(&rows)
	lines := json.NewEncoder(&verdicts)
	lines.SetEscapeHTML(false)
	lines.SetIndent("", " ")
	err := errors.Join(results.WriteJSONL(packed, run), packed.Close(), lines.Encode(judged{s.Verdicts, s.Answers}))
	spec, unread := regular.ReadFile(filepath.Join(s.Dir, results.SpecFile))
	if err = errors.Join(err, unread, os.MkdirAll(dir, 0o777)); err != nil {
		return fmt.Errorf("reference of %s: %w", s.Name, err)
	}
	m.Commit, m.Command, m.Started, m.Finished, m.Machine.Memory = "", "", "", "", 0
	return errors.Join(
		results.WriteAtomic(filepath.Join(dir, results.SpecFile), spec),
		results.WriteAtomic(filepath.Join(dir, results.PackedFile), rows.Bytes()),
		results.WriteAtomic(filepath.Join(dir, VerdictsFile), verdicts.Bytes()),
		results.WriteManifest(dir, m))
}

// ReadReference reads what WriteReference wrote; false where the folder is no reference.
func ReadReference(dir, name string) (Side, bool, error) {
	text, err := regular.ReadFile(filepath.Join(dir, VerdictsFile))
	if errors.Is(err, os.ErrNotExist) {
		return Side{}, false, nil
	}
	var of judged
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	run, broken := results.Load(dir)
	if err = errors.Join(err, broken); err == nil && (run.Missing() > 0 || len(run.Warnings) > 0) {
		err = fmt.Errorf("it has %d of %d rows: it was cut off or edited", len(run.Rows), len(run.Manifest.IDs))
	}
	if err != nil {
		err = fmt.Errorf("reference %s: %w; make it anew by mercer export RUN --format reference --out DIR", name, err)
	}
	return Side{name, run, of.Verdicts, of.Answers}, true, err
}
