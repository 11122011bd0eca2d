package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mercer/configs"
	"mercer/internal/plain"
)

// Status says how a repeat of a cell ended.
type Status string

const (
	OK      Status = "ok"
	Skipped Status = "skipped" // the method does not apply at these sizes
	Failed  Status = "failed"
	Timeout Status = "timeout"
	OOM     Status = "oom"
)

// Row is one repeat of one cell: a line of a run's table. A cell is one point of the
// grid for one data set, kernel and method, e.g. n=1000, m=50, method nystrom.
type Row struct {
	Schema int    `json:"schema"`
	ID     string `json:"id"` // hash of all that determines its numbers; unique in a run
	// At has the columns dataset, kernel and method, then every variable that the row uses,
	// with the value used.
	At         Key     `json:"at"`
	Repeat     int     `json:"repeat"`               // 0, 1, …
	Population string  `json:"population,omitempty"` // that errors are measured against: a key of Spec.Populations
	Status     Status  `json:"status"`
	Reason     string  `json:"reason,omitempty"` // why it is not ok
	Metrics    Metrics `json:"metrics,omitempty"`
	// Series are the values at iterations 0, 1, … of a solver of metrics whose last one is in
	// Metrics. They are in no ID, and claims and comparisons do not read them.
	Series   map[string][]float64 `json:"series,omitempty"`
	Rounded  []string             `json:"rounded,omitempty"` // metrics whose value is at or below the rounding that their measure states
	Warnings []string             `json:"warnings,omitempty"`
	Version  string               `json:"version"` // of the method's implementation
	BLAS     string               `json:"blas"`
}

// notDefined stands between a metric and the reason why a row has no value of it.
const notDefined = " is not defined: "

// NotDefined is the warning of a row that has no value of a metric because there is none.
func NotDefined(metric, why string) string { return metric + notDefined + why }

// WhyNotDefined is the reason that such a warning gives; empty without one.
func (r *Row) WhyNotDefined(metric string) string {
	for _, warning := range r.Warnings {
		if why, ok := strings.CutPrefix(warning, metric+notDefined); ok {
			return why
		}
	}
	return ""
}

// Dataset is the id of the row's data set.
func (r *Row) Dataset() string { return r.At.Text("dataset") }

// Kernel is the id of the row's kernel.
func (r *Row) Kernel() string { return r.At.Text("kernel") }

// Method is the id of the row's method.
func (r *Row) Method() string { return r.At.Text("method") }

// Final says that a row need not be computed again: it is ok or skipped.
func (r Row) Final() bool { return r.Status == OK || r.Status == Skipped }

// Validate says what keeps r from being stored: a schema that is not ours, an empty id,
// an unknown status, a negative repeat, or a number that is NaN or infinite, one
// of which it names.
func (r Row) Validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("row %s: %s", r.ID, fmt.Sprintf(format, args...))
	}
	if err := checkSchema(r.Schema); err != nil {
		return fail("%v", err)
	}
	if r.ID == "" {
		return errors.New("row without an id")
	}
	if !slices.Contains([]Status{OK, Skipped, Failed, Timeout, OOM}, r.Status) {
		return fail("unknown status %q", r.Status)
	}
	if r.Repeat < 0 {
		return fail("negative repeat %d", r.Repeat)
	}
	wrong := ""
	check := func(what, name string, v float64) {
		if !plain.Finite(v) {
			wrong = fmt.Sprintf("%s %s is %v", what, name, v)
		}
	}
	for name, v := range r.Metrics.All() {
		check("metric", name, v)
	}
	for name, values := range r.Series {
		if len(values) == 0 {
			return fail("series %s has no value", name)
		}
		for _, v := range values {
			check("series", name, v)
		}
	}
	for name, v := range r.At.All() {
		check("column", name, v.Number) // 0 for a text
	}
	if wrong != "" {
		return fail("%s; only finite numbers are stored", wrong)
	}
	return nil
}

// MarshalJSON writes the columns as an object, in their order.
func (k Key) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for name, v := range k.All() {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		var value any = v.Number
		if v.Kind == configs.Text {
			value = v.Text
		}
		column, err := json.Marshal(name)
		text, wrong := json.Marshal(value)
		if err = cmp.Or(err, wrong); err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		b.Write(slices.Concat(column, []byte(":"), text))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON is UnmarshalJSONFrom for encoding/json.
func (k *Key) UnmarshalJSON(text []byte) error {
	return k.UnmarshalJSONFrom(jsontext.NewDecoder(bytes.NewReader(text)))
}

// UnmarshalJSONFrom reads the object, and keeps the order of the columns.
func (k *Key) UnmarshalJSONFrom(decoder *jsontext.Decoder) error {
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return errors.Join(err, errors.New("columns are no object"))
	}
	var names []string
	var values []Value
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		column := name.String() // of the token before the next one is read
		value, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		switch value.Kind() {
		case '0':
			x, err := value.Float()
			if err != nil {
				return fmt.Errorf("column %s: %w", column, err)
			}
			values = append(values, configs.NumberOf(x))
		case '"':
			values = append(values, configs.TextOf(value.String()))
		default:
			return fmt.Errorf("column %s is neither a number nor a text", column)
		}
		names = append(names, column)
	}
	*k = NewKey(names, values)
	_, err := decoder.ReadToken()
	return err
}
