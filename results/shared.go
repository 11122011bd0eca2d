package results

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
)

// sharing keeps what records have in common once for all of them: a record that is
// decoded has its own strings, grid point and names of metrics, which would be most
// of its memory.
type sharing struct {
	texts   map[string]string
	points  map[string]map[string]float64 // by pointID
	metrics sharedNames
}

func newSharing() *sharing {
	return &sharing{texts: map[string]string{}, points: map[string]map[string]float64{}}
}

// record is r with what earlier records had in the place of its own. Its grid
// point must not be changed.
func (s *sharing) record(r Record) Record {
	for _, text := range []*string{&r.Experiment, &r.Dataset, &r.Kernel, &r.Method, &r.Work, (*string)(&r.Status), &r.Reason, &r.Version, &r.BLAS} {
		*text = s.text(*text)
	}
	for i, warning := range r.Warnings {
		r.Warnings[i] = s.text(warning)
	}
	if r.Point != nil {
		id := pointID(r.Point)
		if point, known := s.points[id]; known {
			r.Point = point
		} else {
			s.points[id] = r.Point
		}
	}
	if named := r.Metrics.named; named != nil {
		r.Metrics.named = s.metrics.of(named.names, named.units)
	}
	return r
}

func (s *sharing) text(text string) string {
	known, ok := s.texts[text]
	if !ok {
		s.texts[text], known = text, text
	}
	return known
}

// pointID tells grid points apart: it is equal where names and numbers are, to the
// bit.
func pointID(point map[string]float64) string {
	var id []byte
	for _, name := range slices.Sorted(maps.Keys(point)) {
		id = binary.AppendUvarint(id, uint64(len(name)))
		id = append(id, name...)
		id = binary.BigEndian.AppendUint64(id, math.Float64bits(point[name]))
	}
	return string(id)
}

// sharedNames are names of metrics that are kept once for all records that have
// them.
type sharedNames struct {
	last *metricNames
	all  map[string]*metricNames
}

// of are names and units, which it keeps where it does not have them.
func (s *sharedNames) of(names, units []string) *metricNames {
	if s.last != nil && slices.Equal(s.last.names, names) && slices.Equal(s.last.units, units) {
		return s.last
	}
	id := strings.Join(names, "\x00") + "\x00\x00" + strings.Join(units, "\x00")
	known := s.all[id]
	if known == nil {
		if s.all == nil {
			s.all = map[string]*metricNames{}
		}
		known = &metricNames{names, units}
		s.all[id] = known
	}
	s.last = known
	return known
}
