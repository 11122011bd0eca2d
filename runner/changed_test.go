package runner

import (
	"context"
	"errors"
	"strings"
	"testing"

	"mercer/data"
	"mercer/results"
	"mercer/runner/plan/plantest"
)

// moved is a data set whose file has changed.
type moved struct{ data.Dataset }

var errMoved = errors.New("x.npy: the file was changed")

func (moved) Unchanged() error { return errMoved }

// TestChangedData: from the moment at which a file of the data has changed no
// record is stored; those before stay, and the run continues once the data are back.
func TestChangedData(t *testing.T) {
	want, _ := runIn(t, t.TempDir(), planOf(t, plantest.Moved, ""), Options{Workers: 1})
	dir := t.TempDir()
	runIn(t, dir, planOf(t, plantest.Moved, "repeat == 0"), Options{Workers: 1})
	p := planOf(t, plantest.Moved, "")
	p.Datasets["poly2"] = moved{p.Datasets["poly2"]}
	_, err := Run(context.Background(), p, NewManifest(p, "paper", "", "", "", ThisMachine()), Options{Dir: dir, Workers: 1})
	if !errors.Is(err, errMoved) || !strings.Contains(err.Error(), `data set "poly2"`) || !strings.Contains(err.Error(), "are not stored") {
		t.Fatalf("error %v", err)
	}
	half, err := results.Load(dir)
	if err != nil || len(half.Records) != 1 {
		t.Fatalf("%d records, %v; want the 1 from before the change", len(half.Records), err)
	}
	got, summary := runIn(t, dir, planOf(t, plantest.Moved, ""), Options{Workers: 1})
	if summary.Resumed != 1 || export(t, got) != export(t, want) {
		t.Errorf("after the data came back: %+v\n%s\nwant:\n%s", summary, export(t, got), export(t, want))
	}
}
