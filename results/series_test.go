package results

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
)

// solved is three repeats of a solver of which the second stops first, and a method without iterations.
func solved(t *testing.T) Run {
	long, short, direct := sample(0), sample(1), sample(2)
	long.Series = map[string][]float64{"recon_h": {4, 2, 0.30000000000000004}, "residual": {1, 0.1, 0.01}}
	short.Series = map[string][]float64{"recon_h": {3, 0.30000000000000004}, "residual": {1, 0.001}}
	direct.At = key("dataset", "poly2", "method", "ekpca", "n", 250)
	return testRun(t, long, short, direct)
}

func TestAlongIterations(t *testing.T) {
	run := solved(t)
	var got []string
	for _, r := range AlongIterations(run.Present()) {
		x, y := r.At.Text("iteration"), ""
		for name, v := range r.Metrics.All() {
			y += " " + name + "=" + configs.NumberOf(v).String()
		}
		got = append(got, r.Method()+" "+r.At.Text("m")+" "+x+y)
	}
	want := []string{
		"nystrom 20 0 recon_h=4 residual=1", "nystrom 20 1 recon_h=2 residual=0.1", "nystrom 20 2 recon_h=0.30000000000000004 residual=0.01",
		"nystrom 20 0 recon_h=3 residual=1", "nystrom 20 1 recon_h=0.30000000000000004 residual=0.001", "nystrom 20 2 recon_h=0.30000000000000004 residual=0.001",
		"ekpca   recon_h=0.30000000000000004 time_total=1.5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if before := solved(t); cmp.Diff(before.Rows, run.Rows) != "" {
		t.Error("the rows of the run have changed")
	}
}

// A series is read back bit for bit, has no part in a row without any, and is long in CSV, where a solver
// ends with its last iteration.
func TestSeriesInFiles(t *testing.T) {
	run := solved(t)
	for _, r := range run.Rows {
		line, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(line)
		if diff := cmp.Diff(r, back); err != nil || diff != "" || strings.Contains(string(line), "series") != (r.Series != nil) {
			t.Errorf("error %v, %s, of %s", err, diff, line)
		}
	}
	const want = `dataset,kernel,method,n,theta,rule,m,iteration,repeat,metric,value,unit,status
poly2,,nystrom,250,0.5,uniform,20,,1,recon_h,0.30000000000000004,,ok
poly2,,nystrom,250,0.5,uniform,20,0,1,recon_h,3,,ok
poly2,,nystrom,250,0.5,uniform,20,0,1,residual,1,,ok
poly2,,nystrom,250,0.5,uniform,20,1,1,recon_h,0.30000000000000004,,ok
poly2,,nystrom,250,0.5,uniform,20,1,1,residual,0.001,,ok
poly2,,ekpca,250,,,,,2,recon_h,0.30000000000000004,,ok
`
	run.Rows = run.Rows[1:]
	var got bytes.Buffer
	if err := WriteCSV(&got, run, TableOptions{OmitTimes: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
