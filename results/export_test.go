package results

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"mercer/internal/plain"
	"mercer/internal/sizes"
)

func exportRun() Run {
	first, second, failed, empty := sample(0), sample(1), sample(2), sample(3)
	first.Usage = &Usage{CPU: 0.25, Peak: 50e6}
	second.Point = map[string]float64{"n": 50, "theta": 0.75, "rho, \"x\"": 1e-9}
	second.N, second.Metrics = 50, NewMetrics(map[string]Metric{"b": {Value: -0.5}, "a": {Value: 1e6, Unit: "flop, say"}})
	failed.Status, failed.Metrics, failed.Dataset = Timeout, NewMetrics(map[string]Metric{"a": {Value: 3}}), "aardvark"
	empty.Metrics = Metrics{}
	return Run{
		Manifest: Manifest{Variables: []string{"n", "theta", "m", "rho, \"x\""}},
		Records:  []Record{first, empty, second, failed},
	}
}

func TestWriteCSV(t *testing.T) {
	const want = `experiment,dataset,kernel,method,n,m,d,ell,k,repeat,metric,value,unit,status,theta,"rho, ""x"""
exp,aardvark,,nystrom,250,20,,4,,2,,,,timeout,0.5,
exp,poly2,,nystrom,50,20,,4,,1,a,1000000,"flop, say",ok,0.75,1e-09
exp,poly2,,nystrom,50,20,,4,,1,b,-0.5,,ok,0.75,1e-09
exp,poly2,,nystrom,250,20,,4,,0,recon_h,0.30000000000000004,,ok,0.5,
exp,poly2,,nystrom,250,20,,4,,0,time_total,1.5,s,ok,0.5,
exp,poly2,,nystrom,250,20,,4,,0,process_cpu,0.25,s,ok,0.5,
exp,poly2,,nystrom,250,20,,4,,0,process_peak,50000000,B,ok,0.5,
exp,poly2,,nystrom,250,20,,4,,3,,,,ok,0.5,
`
	var got bytes.Buffer
	if err := WriteCSV(&got, exportRun(), CSVOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got.Reset()
	if err := WriteCSV(&got, exportRun(), CSVOptions{OmitTimes: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(regexp.MustCompile("(?m)^.*,(time_total|process_cpu|process_peak),.*\n").ReplaceAllString(want, ""), got.String()); diff != "" {
		t.Errorf("without times (-want +got):\n%s", diff)
	}
}

// TestParquetIsTheCSV: read back, column by column, the Parquet file has the
// values of the CSV, and nulls where that is empty.
func TestParquetIsTheCSV(t *testing.T) {
	var table, file bytes.Buffer
	if err := errors.Join(WriteCSV(&table, exportRun(), CSVOptions{}), WriteParquet(&file, exportRun(), CSVOptions{})); err != nil {
		t.Fatal(err)
	}
	want, err := csv.NewReader(&table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, column := range f.Schema().Fields() {
		names = append(names, column.Name())
	}
	got := [][]string{names}
	rows := parquet.NewReader(f)
	for range f.NumRows() {
		one := make([]parquet.Row, 1)
		if n, err := rows.ReadRows(one); n != 1 {
			t.Fatal(err)
		}
		var texts []string
		for _, v := range one[0] {
			text := ""
			switch {
			case v.IsNull():
			case v.Kind() == parquet.Double:
				text = plain.Number(v.Double())
			default:
				text = v.String()
			}
			texts = append(texts, text)
		}
		got = append(got, texts)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-CSV +Parquet):\n%s", diff)
	}
}

func TestWriteJSONLReadsBack(t *testing.T) {
	var text bytes.Buffer
	run := exportRun()
	if err := WriteJSONL(&text, run); err != nil {
		t.Fatal(err)
	}
	found, err := scanRecords(&text, "export", 0)
	if err != nil || len(found.warnings) != 0 {
		t.Fatal(err, found.warnings)
	}
	SortRecords(run.Records, run.Manifest.Variables)
	if diff := cmp.Diff(run.Records, found.records, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOnlyMetrics(t *testing.T) {
	run := exportRun()
	some, err := OnlyMetrics(run, []string{"time_total", "b"})
	if err != nil {
		t.Fatal(err)
	}
	const want = `experiment,dataset,kernel,method,n,m,d,ell,k,repeat,metric,value,unit,status,theta,"rho, ""x"""
exp,aardvark,,nystrom,250,20,,4,,2,,,,timeout,0.5,
exp,poly2,,nystrom,50,20,,4,,1,b,-0.5,,ok,0.75,1e-09
exp,poly2,,nystrom,250,20,,4,,0,time_total,1.5,s,ok,0.5,
exp,poly2,,nystrom,250,20,,4,,3,,,,ok,0.5,
`
	var got bytes.Buffer
	if err := WriteCSV(&got, some, CSVOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(exportRun(), run, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the run is changed (-want +got):\n%s", diff)
	}
	if _, err := OnlyMetrics(run, []string{"a", "c"}); err == nil || err.Error() != `the run has no metric "c"; it has a, b, recon_h, time_total` {
		t.Errorf("of an unknown metric: %v", err)
	}
	if _, err := OnlyMetrics(run, []string{"a", "b", "a"}); err == nil || err.Error() != `metric "a" is given twice` {
		t.Errorf("of a metric given twice: %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestExportReportsWriteErrors(t *testing.T) {
	if err := WriteCSV(fullDisk{}, exportRun(), CSVOptions{}); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("CSV: %v", err)
	}
	if err := WriteJSONL(fullDisk{}, exportRun()); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("JSON lines: %v", err)
	}
}

func TestSummaries(t *testing.T) {
	var records []Record
	for i, v := range []float64{1, 2, 4, 8} {
		r := sample(i)
		r.Metrics.Set("recon_h", Metric{Value: v, Unit: "u"})
		records = append(records, r)
	}
	failed, other := sample(4), sample(5)
	failed.Status = Failed
	other.Point = map[string]float64{"n": 250, "theta": 0.75}
	other.Metrics.Set("recon_h", Metric{Value: -1})
	got := Summaries(append(records, failed, other), "recon_h")
	if len(got) != 2 {
		t.Fatalf("%d summaries, want 2", len(got))
	}
	// sd of 1, 2, 4, 8 is sqrt(28.75/3); the 0.975 quantile of t with 3 degrees of
	// freedom is 3.182446305 (printed tables), so ten digits are all that can agree.
	sd := math.Sqrt(28.75 / 3)
	half := 3.182446305 * sd / 2
	want := []Summary{
		{Dataset: "poly2", Method: "nystrom", Sizes: sizes.Sizes{N: 250, M: 20, Ell: 4}, Point: records[0].Point, Metric: "recon_h", Unit: "u",
			Count: 4, Missing: 1, Mean: 3.75, SD: sd, SE: sd / 2, Low: 3.75 - half, High: 3.75 + half, Level: 0.95,
			Median: 3, Min: 1, Max: 8, GeoMean: math.Pow(2, 1.5)},
		{Dataset: "poly2", Method: "nystrom", Sizes: sizes.Sizes{N: 250, M: 20, Ell: 4}, Point: other.Point, Metric: "recon_h",
			Count: 1, Mean: -1, SD: math.NaN(), SE: math.NaN(), Low: math.NaN(), High: math.NaN(), Level: 0.95,
			Median: -1, Min: -1, Max: -1, GeoMean: math.NaN()},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 0), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSummarizeEqualValuesHasNoSpread(t *testing.T) {
	s := Summarize([]float64{0.1, 0.1, 0.1}, 0.95)
	if s.SD != 0 || s.Low != 0.1 || s.High != 0.1 || s.GeoMean != 0.1 {
		t.Errorf("%+v", s)
	}
}
