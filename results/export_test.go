package results

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func exportRun(t *testing.T) Run {
	first, second, failed, empty := sample(0), sample(1), sample(2), sample(3)
	second.At = key("dataset", "poly2", "method", "ekpca", "n", 50, "theta", 0.75, "rule", "a, \"b\"")
	second.Metrics = map[string]float64{"b": -0.5, "a": 1e6}
	failed.At = key("dataset", "aardvark", "method", "nystrom", "n", 250, "m", 20)
	failed.Status, failed.Metrics = Timeout, map[string]float64{"a": 3}
	empty.Metrics = Metrics{}
	return testRun(t, first, empty, second, failed)
}

func TestWriteCSV(t *testing.T) {
	const want = `dataset,kernel,method,n,theta,rule,m,repeat,metric,value,unit,status
poly2,,nystrom,250,0.5,uniform,20,0,recon_h,0.30000000000000004,,ok
poly2,,nystrom,250,0.5,uniform,20,0,time_total,1.5,s,ok
poly2,,nystrom,250,0.5,uniform,20,3,,,,ok
poly2,,ekpca,50,0.75,"a, ""b""",,1,a,1000000,"flop, say",ok
poly2,,ekpca,50,0.75,"a, ""b""",,1,b,-0.5,,ok
aardvark,,nystrom,250,,,20,2,,,,timeout
`
	var got bytes.Buffer
	if err := WriteCSV(&got, exportRun(t), TableOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got.Reset()
	if err := WriteCSV(&got, exportRun(t), TableOptions{OmitTimes: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(regexp.MustCompile("(?m)^.*,time_total,.*\n").ReplaceAllString(want, ""), got.String()); diff != "" {
		t.Errorf("without times (-want +got):\n%s", diff)
	}
}

func TestWriteJSONLReadsBack(t *testing.T) {
	var text bytes.Buffer
	run := exportRun(t)
	if err := WriteJSONL(&text, run); err != nil {
		t.Fatal(err)
	}
	found, err := scanRows(&text, "export", 0)
	if err != nil || len(found.warnings) != 0 {
		t.Fatal(err, found.warnings)
	}
	if diff := cmp.Diff(run.Rows, found.rows, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestExportReportsWriteErrors(t *testing.T) {
	if err := WriteCSV(fullDisk{}, exportRun(t), TableOptions{}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("CSV: %v", err)
	}
	if err := WriteJSONL(fullDisk{}, exportRun(t)); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("JSON lines: %v", err)
	}
}

func TestSummarize(t *testing.T) {
	// sd of 1, 2, 4, 8 is sqrt(28.75/3); the 0.975 quantile of t with 3 degrees of
	// freedom is 3.182446305 (printed tables), so ten digits are all that can agree.
	sd := math.Sqrt(28.75 / 3)
	half := 3.182446305 * sd / 2
	want := Summary{Count: 4, Mean: 3.75, SD: sd, SE: sd / 2, Low: 3.75 - half, High: 3.75 + half, Median: 3, Min: 1, Max: 8, GeoMean: math.Pow(2, 1.5)}
	if diff := cmp.Diff(want, Summarize([]float64{8, 1, 4, 2}), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	nan := math.NaN()
	want = Summary{Count: 1, Mean: -1, SD: nan, SE: nan, Low: nan, High: nan, Median: -1, Min: -1, Max: -1, GeoMean: nan}
	if diff := cmp.Diff(want, Summarize([]float64{-1}), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSummarizeEqualValuesHasNoSpread(t *testing.T) {
	s := Summarize([]float64{0.1, 0.1, 0.1})
	if s.SD != 0 || s.Low != 0.1 || s.High != 0.1 || s.GeoMean != 0.1 {
		t.Errorf("%+v", s)
	}
}
