package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/internal/plain"
)

// pandasScript reads a table and says what is in it: the type and the number of
// missing values of each column, and the bits of the values.
const pandasScript = `
import json, struct, sys
import pandas
path = sys.argv[1]
table = pandas.read_parquet(path) if path.endswith("parquet") else pandas.read_csv(path, float_precision="round_trip")
bits = lambda column: [struct.pack(">d", v).hex() for v in table[column]]
print(json.dumps({
    "types": {name: str(dtype) for name, dtype in table.dtypes.items()},
    "missing": {name: int(n) for name, n in table.isna().sum().items()},
    "metrics": [m if isinstance(m, str) else "" for m in table["metric"]],
    "values": bits("value"), "theta": bits("theta")}))
`

// pandasTable is what the script says.
type pandasTable struct {
	Types, Missing map[string]any
	Metrics        []string
	Values, Theta  []string
}

// withPandas is a Python that has these modules; without one the test is skipped.
func withPandas(t *testing.T, modules string) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import "+modules).Run() == nil {
			return python
		}
	}
	t.Skipf("SKIPPED: no python3 imports %s (Debian: python3-pandas); that pandas reads exports is not tested", modules)
	return ""
}

func readByPandas(t *testing.T, python, path string) pandasTable {
	t.Helper()
	out, err := exec.Command(python, "-c", pandasScript, path).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	var table pandasTable
	if err := json.Unmarshal(out, &table); err != nil {
		t.Fatal(err)
	}
	return table
}

// pandasRun has numbers that are hard to read, and 500 of random bits. The record
// that failed has neither metric nor theta.
func pandasRun(t *testing.T) (run Run, values []float64) {
	values = []float64{0, math.Copysign(0, -1), 0.1, 1.0 / 3, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 2.2250738585072011e-308,
		1 << 53, 9007199254740993, 1e22, 1e23, 123456789012345678, math.Nextafter(1, 2), math.Pi}
	rng := rand.New(rand.NewPCG(1, 2))
	for len(values) < 515 {
		if v := math.Float64frombits(rng.Uint64()); plain.Finite(v) {
			values = append(values, v)
		}
	}
	var rows []Row
	for i, v := range values {
		r := sample(0)
		r.ID, r.Repeat = fmt.Sprintf("%08x", i), i
		r.Metrics = map[string]float64{"recon_h": v}
		rows = append(rows, r)
	}
	failed := sample(0)
	failed.ID, failed.Repeat, failed.Status, failed.Reason, failed.Metrics = "ffffffff", len(values), Failed, "out, of \"luck\"", Metrics{}
	failed.At = key("dataset", "poly2", "method", "nystrom", "n", 250, "rule", "uniform")
	return testRun(t, append(rows, failed)...), values
}

func checkPandas(t *testing.T, got pandasTable, values []float64, types map[string]any) {
	t.Helper()
	if diff := cmp.Diff(types, got.Types); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	rows := float64(len(values) + 1)
	missing := map[string]any{"dataset": 0.0, "kernel": rows, "method": 0.0, "n": 0.0, "theta": 1.0, "rule": 0.0, "m": 1.0,
		"repeat": 0.0, "metric": 1.0, "value": 1.0, "unit": rows, "status": 0.0}
	if diff := cmp.Diff(missing, got.Missing); diff != "" {
		t.Errorf("missing values (-want +got):\n%s", diff)
	}
	var bits []string // in the order of the table: the point without theta comes first
	for _, v := range values {
		bits = append(bits, fmt.Sprintf("%016x", math.Float64bits(v)))
	}
	if len(got.Values) != len(values)+1 {
		t.Fatalf("%d values", len(got.Values))
	}
	if diff := cmp.Diff(bits, got.Values[1:]); diff != "" {
		t.Errorf("bits of the values (-want +got):\n%s", diff)
	}
	if got.Metrics[0] != "" || got.Metrics[1] != "recon_h" || got.Theta[1] != fmt.Sprintf("%016x", math.Float64bits(0.5)) {
		t.Errorf("metrics %q, ..., theta %s", got.Metrics[:2], got.Theta[1])
	}
}

// pandas takes a CSV as it is: types, what is missing, and numbers to the last bit.
// Its read_csv gives them so with float_precision="round_trip"; without, the last
// bit of some is another.
func TestPandasReadsCSV(t *testing.T) {
	python := withPandas(t, "pandas")
	run, values := pandasRun(t)
	path := filepath.Join(t.TempDir(), "run.csv")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(WriteCSV(file, run, TableOptions{}), file.Close()); err != nil {
		t.Fatal(err)
	}
	checkPandas(t, readByPandas(t, python, path), values, map[string]any{
		"dataset": "object", "kernel": "float64", "method": "object", "n": "int64", "theta": "float64", "rule": "object", "m": "float64", "repeat": "int64", "metric": "object", "value": "float64", "unit": "float64", "status": "object"})
}
