package verify

import (
	"fmt"
	"strings"

	"mercer/internal/plain"
)

// Text is what came of verifying a crate, for a reader.
func (r Result) Text() string {
	w := &strings.Builder{}
	fmt.Fprintf(w, "%s: %s", r.Crate, plain.Count(r.Files, "file", "files"))
	if r.Experiment != "" {
		fmt.Fprintf(w, ", %s of %s (%s)", plain.Count(r.Records, "record", "records"), r.Experiment, r.Profile)
	}
	fmt.Fprintln(w)
	if r.Sample != nil {
		r.Sample.write(w)
	}
	if r.Verdicts > 0 {
		fmt.Fprintf(w, "judged again: %s\n", plain.Count(r.Verdicts, "verdict", "verdicts"))
	}
	if r.Report {
		fmt.Fprintln(w, "written again: the report, with figures and tables")
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, "note:", note)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s: %s\n", f.About, f.Text)
	}
	if r.Passed {
		fmt.Fprintln(w, "passed")
	} else {
		fmt.Fprintf(w, "FAILED: %s\n", plain.Count(len(r.Findings), "finding", "findings"))
	}
	return w.String()
}

// write writes what a sample of records, computed again, gave.
func (s Sample) write(w *strings.Builder) {
	n := s.Numbers
	how := "same back end and machine: numbers must be identical bit for bit"
	if !s.Exact {
		how = "another back end or machine: numbers must agree within the tolerance"
	}
	fmt.Fprintf(w, "computed again: %d of %d records (--sample %d --seed %d); %s\n", s.Records, s.Of, s.Records, s.Seed, how)
	fmt.Fprintf(w, "numbers: %d compared, %d identical, %d within the tolerance (largest difference %.1e), %d tipped, %d differ\n",
		n.Compared, n.Identical, n.Within, n.Largest, n.Tipped, n.Drifted)
	if s.Records < s.Of {
		fmt.Fprintf(w, "the sample can miss changed records: if more than %d of the %d were changed, it has one of them with probability 95 %% or more\n", s.MostWrong, s.Of)
	}
}
