package results

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Metrics are the numbers that a record has, by name. Its zero value has none.
// Records share the names, so that a million of them stay small.
type Metrics struct {
	named  *metricNames
	values []float64
}

// metricNames are the names, in order, and units of metrics; never changed.
type metricNames struct{ names, units []string }

// NewMetrics takes the metrics of a map.
func NewMetrics(metrics map[string]Metric) Metrics {
	if len(metrics) == 0 {
		return Metrics{}
	}
	names := slices.Sorted(maps.Keys(metrics))
	units, values := make([]string, len(names)), make([]float64, len(names))
	for i, name := range names {
		units[i], values[i] = metrics[name].Unit, metrics[name].Value
	}
	return Metrics{&metricNames{names, units}, values}
}

// Get is the metric of a name; false where there is none.
func (m Metrics) Get(name string) (Metric, bool) {
	if m.named == nil {
		return Metric{}, false
	}
	i, ok := slices.BinarySearch(m.named.names, name)
	if !ok {
		return Metric{}, false
	}
	return Metric{m.values[i], m.named.units[i]}, true
}

// Value is the number of a name; 0 where there is none.
func (m Metrics) Value(name string) float64 {
	v, _ := m.Get(name)
	return v.Value
}

// Len is the number of metrics.
func (m Metrics) Len() int { return len(m.values) }

// All are the metrics in the order of their names.
func (m Metrics) All() iter.Seq2[string, Metric] {
	return func(yield func(string, Metric) bool) {
		for i, v := range m.values {
			if !yield(m.named.names[i], Metric{v, m.named.units[i]}) {
				return
			}
		}
	}
}

// Set adds a metric, or puts it in the place of that of its name. Copies of m
// stay as they are.
func (m *Metrics) Set(name string, metric Metric) {
	all := maps.Collect(m.All())
	all[name] = metric
	*m = NewMetrics(all)
}

// Equal says whether two have the same metrics.
func (m Metrics) Equal(other Metrics) bool {
	return maps.Equal(maps.Collect(m.All()), maps.Collect(other.All()))
}

// IsZero says that there are no metrics: JSON leaves them out.
func (m Metrics) IsZero() bool { return m.Len() == 0 }

// MarshalJSON writes an object.
func (m Metrics) MarshalJSON() ([]byte, error) { return json.Marshal(maps.Collect(m.All())) }

// UnmarshalJSONFrom reads an object, as strictly as the decoder reads the rest.
func (m *Metrics) UnmarshalJSONFrom(decoder *jsontext.Decoder) error {
	var all map[string]Metric
	if err := jsonv2.UnmarshalDecode(decoder, &all); err != nil {
		return err
	}
	*m = NewMetrics(all)
	return nil
}

// Metric is a finite number and its unit ("" for dimensionless).
type Metric struct {
	Value float64 `json:"v"`
	Unit  string  `json:"u,omitempty"`
}

// TimePrefix begins the name of every metric that is a time.
const TimePrefix = "time_"

// Memory is the metric of a fit's peak of memory.
const Memory = "memory"

// IsCost says whether a metric is a time or a peak of memory: no two runs agree on
// them.
func IsCost(metric string) bool { return strings.HasPrefix(metric, TimePrefix) || metric == Memory }
