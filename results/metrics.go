package results

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Metrics are the numbers that a row has, by name. The zero value has none. Rows share
// the names, so that a million of them stay small.
type Metrics struct {
	names  *[]string // in order, each list once; never changed
	values []float64
}

// metricNames holds each different list of names once, by its text.
var metricNames sync.Map

// NewMetrics takes the metrics of a map.
func NewMetrics(metrics map[string]float64) Metrics {
	if len(metrics) == 0 {
		return Metrics{}
	}
	names := slices.Sorted(maps.Keys(metrics))
	values := make([]float64, len(names))
	for i, name := range names {
		values[i] = metrics[name]
	}
	known, _ := metricNames.LoadOrStore(strings.Join(names, "\x00"), &names)
	return Metrics{known.(*[]string), values}
}

// Get is the number of a name; false where there is none.
func (m Metrics) Get(name string) (float64, bool) {
	if m.names == nil {
		return 0, false
	}
	i, ok := slices.BinarySearch(*m.names, name)
	if !ok {
		return 0, false
	}
	return m.values[i], true
}

// Value is the number of a name; 0 where there is none.
func (m Metrics) Value(name string) float64 {
	v, _ := m.Get(name)
	return v
}

// Len is the number of metrics.
func (m Metrics) Len() int { return len(m.values) }

// All are the metrics in the order of their names.
func (m Metrics) All() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for i, v := range m.values {
			if !yield((*m.names)[i], v) {
				return
			}
		}
	}
}

// Set adds a metric, or replaces that of its name. Copies of m stay as they are.
func (m *Metrics) Set(name string, value float64) {
	all := maps.Collect(m.All())
	all[name] = value
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
	var all map[string]float64
	if err := jsonv2.UnmarshalDecode(decoder, &all); err != nil {
		return err
	}
	*m = NewMetrics(all)
	return nil
}

// TimePrefix begins the name of every metric that is a time.
const TimePrefix = "time_"

// Memory is the metric of a fit's peak of memory.
const Memory = "memory"

// IsCost says whether a metric is a time or a peak of memory: no two runs agree on
// them.
func IsCost(metric string) bool { return strings.HasPrefix(metric, TimePrefix) || metric == Memory }
