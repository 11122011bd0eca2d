package results

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rows of a file are those that Decode gives, line by line.
func TestRowsOfAFile(t *testing.T) {
	var text []byte
	var want []Row
	for i := range 12 {
		r := sample(i)
		switch i {
		case 5:
			r.Metrics = Metrics{}
		case 6:
			r.Metrics = map[string]float64{"time_total": 2, "zeta": -1e-9}
		case 7:
			r.Status, r.Reason, r.Metrics = Failed, "it is \"odd\"", Metrics{}
		}
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = Decode(line); err != nil {
			t.Fatal(err)
		}
		text, want = append(append(text, line...), '\n'), append(want, r)
	}
	found, err := scanRows(bytes.NewReader(text), "f", 0)
	if err != nil || !reflect.DeepEqual(found.rows, want) {
		t.Fatalf("%v, %s", err, cmp.Diff(found.rows, want))
	}
}

// A line that is longer than a batch, and batches that end anywhere in a line, are
// read whole.
func TestLongLines(t *testing.T) {
	var text []byte
	var want []string
	for i, length := range []int{0, batchSize - 300, 1, 3 * batchSize, 200, batchSize, batchSize / 2, 0} {
		r := sample(i)
		r.Warnings = []string{string(bytes.Repeat([]byte{'w'}, length))}
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		text, want = append(append(text, line...), '\n'), append(want, r.Warnings[0])
	}
	whole := len(text)
	text = append(text, bytes.Repeat([]byte{'{'}, 2*batchSize)...) // torn
	found, err := scanRows(bytes.NewReader(text), "f", 0)
	if err != nil || len(found.rows) != len(want) || found.end != int64(whole) || len(found.warnings) != 1 {
		t.Fatalf("%d records and %d good bytes of %d; %d warnings, %v", len(found.rows), found.end, whole, len(found.warnings), err)
	}
	for i, r := range found.rows {
		if r.Warnings[0] != want[i] {
			t.Errorf("record %d has a warning of %d bytes; %d are meant", i, len(r.Warnings[0]), len(want[i]))
		}
	}
}
