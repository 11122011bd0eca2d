package report

import (
	"encoding/json"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/internal/claims"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/reporttest"
	"mercer/results"
)

var update = flag.Bool("update", false, "write the golden files anew")

// tree reads all files below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, relErr := filepath.Rel(dir, path)
		if relErr != nil {
			return relErr
		}
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, run results.Run, verdicts []claims.Verdict) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a", "report")
	if _, err := Write(dir, run, verdicts, nil, nil); err != nil {
		t.Fatal(err)
	}
	return tree(t, dir)
}

var (
	notFinite = regexp.MustCompile(`\b(NaN|Inf)\b|%!`)
	script    = regexp.MustCompile(`(?s)<script>.*?</script>`)
)

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", filepath.FromSlash(name))
	if *update {
		if err := writeFile(filepath.Dir(path), filepath.Base(path), []byte(got)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs from testdata; -update writes it anew (-want +got):\n%s", name, diff)
	}
}

func TestGolden(t *testing.T) {
	got := write(t, reporttest.FixedRun(), reporttest.FixedVerdicts())
	for _, name := range []string{format.ReportFile, format.VerdictsTable, format.SummaryTable} {
		golden(t, name, got[name])
	}
	for name, text := range got {
		text = script.ReplaceAllString(text, "")
		if bad := notFinite.FindString(text); bad != "" && !strings.HasSuffix(name, ".png") && !strings.HasSuffix(name, ".pdf") {
			t.Errorf("%s has %q", name, bad)
		}
	}
	var wantFigures []string
	for _, name := range []string{"cor-4.2-iii"} {
		wantFigures = append(wantFigures, "figures/"+name+".pdf", "figures/"+name+".png", "figures/"+name+".svg")
	}
	var figures []string
	for name := range got {
		if strings.HasPrefix(name, "figures/") {
			figures = append(figures, name)
			if filepath.Ext(name) == ".svg" && !strings.Contains(got[format.ReportFile], "]("+name+")") {
				t.Errorf("%s is not shown in the report", name)
			}
		}
	}
	slices.Sort(figures)
	if diff := cmp.Diff(wantFigures, figures); diff != "" {
		t.Error(diff)
	}
}

// TestEveryPartialIsShown: a view whose partial no other one calls is in no report.
func TestEveryPartialIsShown(t *testing.T) {
	text, err := os.ReadFile("templates/report.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	defined := regexp.MustCompile(`{{-? *define "([^"]+)"`).FindAllSubmatch(text, -1)
	if len(defined) < 20 {
		t.Fatalf("only %d partials", len(defined))
	}
	for _, name := range defined {
		if string(name[1]) != "report" && !strings.Contains(string(text), `template "`+string(name[1])+`"`) {
			t.Errorf("no partial calls %q: it needs a line in the partial report", name[1])
		}
	}
}

// The report is a pure function of its input, which it does not change: the order of maps
// does not show.
func TestDeterminism(t *testing.T) {
	run, verdicts := reporttest.FixedRun(), reporttest.FixedVerdicts()
	first := write(t, run, verdicts)
	before := slices.Clone(run.Rows)
	for range 2 {
		if diff := cmp.Diff(first, write(t, run, verdicts)); diff != "" {
			t.Fatal(diff)
		}
	}
	if diff := cmp.Diff(before, run.Rows); diff != "" {
		t.Error(diff)
	}
	asJSON := func(v []claims.Verdict) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if diff := cmp.Diff(asJSON(reporttest.FixedVerdicts()), asJSON(verdicts)); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyRun(t *testing.T) {
	got := write(t, reporttest.Empty(), nil)
	report := got[format.ReportFile]
	for _, want := range []string{"# Untitled experiment", "No claim is judged here", "There are no rows.", "not recorded"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	if strings.Contains(report, "incomplete") {
		t.Error("a run that should have no records is complete")
	}
	if lines := strings.Count(got[format.SummaryTable], "\n"); lines != 1 {
		t.Errorf("summary has %d lines; want the header alone", lines)
	}
}

func TestOnlyFailures(t *testing.T) {
	run := reporttest.FixedRun()
	reporttest.Complete(&run, 0)
	for i := range run.Rows {
		r := &run.Rows[i]
		r.Status, r.Reason, r.Metrics = results.Failed, "panic: index out of range [7]", results.Metrics{}
	}
	got := write(t, run, nil)
	report := got[format.ReportFile]
	if strings.Contains(report, "## Measurements") || strings.Contains(report, "incomplete") {
		t.Error(report)
	}
	want := `| failed | 72 | panic: index out of range [7] | empirical KPCA, n=250, θ=0.5, m=16 |`
	if !strings.Contains(report, want) {
		t.Errorf("no %q in\n%s", want, report)
	}
}

func TestSpecialCharacters(t *testing.T) {
	nasty := "a|b <script>alert(1)</script>\nnew `line` *x* $y$ [z](u) ~w~ & _v_ \x1b[31m \\"
	run := reporttest.FixedRun()
	run.Spec.Title, run.Spec.Question = nasty, nasty
	run.Rows[0].Warnings = []string{nasty}
	run.Rows[0].Reason, run.Rows[0].Status = nasty, results.OOM
	verdicts := reporttest.FixedVerdicts()
	for i := range verdicts {
		v := &verdicts[i]
		v.Says, v.Reason, v.Settle, v.Notes, v.Of = nasty, nasty, nasty, []string{nasty}, nasty
		v.Group = v.Group.Join(reporttest.At(nasty, nasty))
	}
	got := write(t, run, verdicts)
	for name, text := range got {
		if strings.ContainsRune(text, '\x1b') && !slices.Contains([]string{".csv", ".png", ".pdf"}, filepath.Ext(name)) {
			t.Errorf("%s has an escape character", name)
		}
	}
	report := got[format.ReportFile]
	if strings.Contains(report, " <script>") {
		t.Error("a tag is not escaped")
	}
	columns := 0
	for line := range strings.SplitSeq(report, "\n") {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if columns != 0 && bars != columns {
			t.Errorf("row with %d bars in a table of %d: %s", bars, columns, line)
		}
		columns = bars
	}
}

func TestLongNames(t *testing.T) {
	long := strings.Repeat("very-long-", 60)
	a, b := reporttest.FixedSlope("0.5", -0.2, -0.25, claims.Holds), reporttest.FixedSlope("0.5", -0.3, -0.25, claims.Holds)
	a.Claim, b.Claim = long, long
	a.Group, b.Group = reporttest.At("method", long+"a"), reporttest.At("method", long+"b")
	dir := t.TempDir()
	if _, err := Write(dir, reporttest.Empty(), []claims.Verdict{a, b}, nil, nil); err != nil {
		t.Fatal(err)
	}
	for path := range tree(t, dir) {
		if len(filepath.Base(path)) > 110 {
			t.Errorf("%s is too long a name", path)
		}
	}
}

func TestFigureNamesDoNotClash(t *testing.T) {
	taken := map[string]bool{}
	var names []string
	for _, name := range []string{"theta 0.5", "theta/0.5", "THETA 0.5", "c", "c", "§§§"} {
		names = append(names, figure.FigurePath(taken, name))
	}
	want := []string{"figures/theta-0.5.svg", "figures/theta-0.5-2.svg", "figures/THETA-0.5-3.svg",
		"figures/c.svg", "figures/c-2.svg", "figures/figure.svg"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if name := figure.FigurePath(taken, "../../etc"); name != "figures/etc.svg" {
		t.Errorf("path leaves its folder: %s", name)
	}
}

func TestValuesWithoutLogarithm(t *testing.T) {
	v := reporttest.FixedSlope("0.5", -0.25, -0.25, claims.Inconclusive)
	v.Points[0].Y, v.Points[0].Low = 0, -1
	v.Points[1].Low = -0.5
	v.Points[2].Floor = new(float64)
	report := write(t, reporttest.Empty(), []claims.Verdict{v})[format.ReportFile]
	if want := "Log axes have no place for 1 value"; !strings.Contains(report, want) {
		t.Errorf("no %q in\n%s", want, report)
	}
	for i := range v.Points {
		v.Points[i].Y = math.Copysign(float64(i), -1)
	}
	got := write(t, reporttest.Empty(), []claims.Verdict{v})
	for name := range got {
		if strings.HasPrefix(name, "figures/") {
			t.Errorf("%s shows nothing", name)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Write(filepath.Join(file, "report"), reporttest.Empty(), nil, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("got %v", err)
	}
}
