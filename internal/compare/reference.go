package compare

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mercer/internal/claims"
	"mercer/results"
)

// referenceSchema is the version of the form of reference files.
const referenceSchema = 1

// head is the first line of a reference file: what of the manifest a comparison
// needs.
type head struct {
	Schema     int                            `json:"reference"`
	Experiment string                         `json:"experiment"`
	Profile    string                         `json:"profile"`
	Seed       uint64                         `json:"seed"`
	Repeats    int                            `json:"repeats"`
	Records    int                            `json:"records"`
	Verdicts   int                            `json:"verdicts"`
	Answers    int                            `json:"answers,omitempty"`
	Variables  []string                       `json:"variables"`
	Datasets   map[string]results.DatasetInfo `json:"datasets"`
	Machine    results.Machine                `json:"machine"`
	Versions   map[string]string              `json:"versions"`
}

// line is any further line: the records of a cell, a verdict, or an answer to a target.
type line struct {
	*Cell
	Version string              `json:"version,omitempty"`
	Repeats []int               `json:"repeats,omitempty"` // empty: 0, 1, …
	Keys    []string            `json:"keys,omitempty"`
	Status  []results.Status    `json:"status,omitempty"` // empty: all ok
	Reasons []string            `json:"reasons,omitempty"`
	Metrics map[string]readings `json:"metrics,omitempty"`
	Verdict *claims.Verdict     `json:"verdict,omitempty"`
	Answer  *claims.Answer      `json:"answer,omitempty"`
}

// readings are a metric's values by repeat, null where a record lacks it.
type readings struct {
	Unit   string     `json:"u,omitempty"`
	Values []*float64 `json:"v"`
}

// WriteReference writes what a later comparison needs of a run, a line a cell,
// a verdict and an answer: keys, statuses and metrics with all their digits. Phases, warnings,
// and the cells, points and notes of verdicts are left out. The order is that of
// the records; the same run gives the same bytes.
func WriteReference(w io.Writer, s Side) error {
	m := s.Manifest
	h := head{Schema: referenceSchema, Experiment: m.Experiment, Profile: m.Profile, Seed: m.Seed, Repeats: m.Repeats,
		Records: len(s.Records), Verdicts: len(s.Verdicts), Answers: len(s.Answers), Variables: m.Variables, Datasets: map[string]results.DatasetInfo{}, Machine: m.Machine, Versions: m.Versions}
	h.Machine.Memory = 0
	for id, d := range m.Datasets {
		h.Datasets[id] = results.DatasetInfo{Fingerprint: d.Fingerprint, Absent: d.Absent}
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return fmt.Errorf("reference of %s: %w", s.Name, err)
	}
	for _, m := range matches(Pair{New: s}) {
		if err := enc.Encode(lineOf(m)); err != nil {
			return fmt.Errorf("reference of %s: %w", s.Name, err)
		}
	}
	for _, v := range s.Verdicts {
		short := claims.Verdict{
			Claim: v.Claim, Check: v.Check, Control: v.Control, Kind: v.Kind, Theorem: v.Theorem, Group: v.Group, Outcome: v.Outcome, Of: v.Of, Over: v.Over,
			Estimate: v.Estimate, Low: v.Low, High: v.High, Level: v.Level, Relation: v.Relation, Target: v.Target, Within: v.Within, Law: v.Law,
			Repeats: v.Repeats, Reason: v.Reason, Tightness: v.Tightness, Trivial: ratiosOf(v.Trivial), Answers: v.Answers,
		}
		if err := enc.Encode(line{Verdict: &short}); err != nil {
			return fmt.Errorf("reference of %s: %w", s.Name, err)
		}
	}
	for _, a := range s.Answers {
		a.Says, a.Theory, a.Curve = "", nil, ""
		if err := enc.Encode(line{Answer: &a}); err != nil {
			return fmt.Errorf("reference of %s: %w", s.Name, err)
		}
	}
	return out.Flush()
}

func lineOf(m match) line {
	l := line{Cell: &m.cell, Metrics: map[string]readings{}}
	repeats := repeatsOf(m.new)
	odd, failed := false, false
	for i, r := range repeats {
		record := m.new[r]
		l.Version = record.Version
		l.Keys = append(l.Keys, record.Key)
		l.Status, l.Reasons = append(l.Status, record.Status), append(l.Reasons, record.Reason)
		odd, failed = odd || r != i, failed || record.Status != results.OK
		for name, v := range record.Metrics.All() {
			all := l.Metrics[name]
			if all.Values == nil {
				all = readings{v.Unit, make([]*float64, len(repeats))}
			}
			all.Values[i] = &v.Value
			l.Metrics[name] = all
		}
	}
	if odd {
		l.Repeats = repeats
	}
	if !failed {
		l.Status, l.Reasons = nil, nil
	}
	return l
}

// ReadReference reads what WriteReference wrote; name is how errors and findings
// call it.
func ReadReference(r io.Reader, name string) (Side, error) {
	fail := func(number int, err error) (Side, error) {
		return Side{}, fmt.Errorf("reference %s:%d: %w", name, number, err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return fail(1, err)
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var h head
	if err := json.Unmarshal(first, &h); err != nil {
		return fail(1, fmt.Errorf("no reference: %w", err))
	}
	if h.Schema != referenceSchema {
		return fail(1, fmt.Errorf("no reference of the form %d, which this program reads", referenceSchema))
	}
	s := Side{Name: name, Manifest: results.Manifest{
		Experiment: h.Experiment, Profile: h.Profile, Seed: h.Seed, Repeats: h.Repeats, Variables: h.Variables,
		Datasets: h.Datasets, Machine: h.Machine, Versions: h.Versions,
	}}
	number := 1
	for text := range bytes.Lines(rest) {
		number++
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fail(number, err)
		}
		switch {
		case l.Verdict != nil:
			s.Verdicts = append(s.Verdicts, *l.Verdict)
		case l.Answer != nil:
			s.Answers = append(s.Answers, *l.Answer)
		case l.Cell != nil:
			records, err := l.records(h)
			if err != nil {
				return fail(number, err)
			}
			s.Records = append(s.Records, records...)
		default:
			return fail(number, errors.New("neither a cell nor a verdict nor an answer"))
		}
	}
	if len(s.Records) != h.Records || len(s.Verdicts) != h.Verdicts || len(s.Answers) != h.Answers || h.Experiment == "" {
		return Side{}, fmt.Errorf("reference %s: it has %d records, %d verdicts and %d answers of %q, and should have %d, %d and %d: it was cut off or edited; make reference",
			name, len(s.Records), len(s.Verdicts), len(s.Answers), h.Experiment, h.Records, h.Verdicts, h.Answers)
	}
	return s, nil
}

// records are those of a cell's line.
func (l line) records(h head) ([]results.Record, error) {
	c, n := l.Cell, len(l.Keys)
	short := len(l.Repeats) > 0 && len(l.Repeats) != n || len(l.Status) > 0 && len(l.Status) != n || len(l.Status) != len(l.Reasons)
	for _, m := range l.Metrics {
		short = short || len(m.Values) != n
	}
	if n == 0 || short {
		return nil, fmt.Errorf("cell %s: lists of different lengths", c)
	}
	records := make([]results.Record, n)
	for i := range records {
		records[i] = results.Record{
			Schema: results.SchemaVersion, Key: l.Keys[i], Experiment: h.Experiment, Dataset: c.Dataset, Kernel: c.Kernel, Method: c.Method,
			Sizes: c.Sizes, Point: c.Point, Repeat: i, Seed: h.Seed, Status: results.OK,
			Version: l.Version, BLAS: h.Versions["blas"],
		}
		if len(l.Repeats) > 0 {
			records[i].Repeat = l.Repeats[i]
		}
		if len(l.Status) > 0 {
			records[i].Status, records[i].Reason = l.Status[i], l.Reasons[i]
		}
		all := map[string]results.Metric{}
		for name, m := range l.Metrics {
			if v := m.Values[i]; v != nil {
				all[name] = results.Metric{Value: *v, Unit: m.Unit}
			}
		}
		records[i].Metrics = results.NewMetrics(all)
		if err := records[i].Validate(); err != nil {
			return nil, err
		}
	}
	return records, nil
}
