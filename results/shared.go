package results

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"unique"
)

// sharing keeps what records have in common once for all of them: a record that is
// decoded has its own strings, grid point and names of metrics, which would be most
// of its memory.
type sharing struct {
	points map[string]map[string]float64 // by pointID
	names  map[string]*metricNames
	last   *metricNames // of the record before
}

func newSharing() *sharing {
	return &sharing{points: map[string]map[string]float64{}, names: map[string]*metricNames{}, last: &metricNames{}}
}

// record is r with what earlier records had in the place of its own. Its grid
// point must not be changed.
func (s *sharing) record(r Record) Record {
	for _, text := range []*string{&r.Experiment, &r.Dataset, &r.Kernel, &r.Method, &r.Work, (*string)(&r.Status), &r.Reason, &r.Version, &r.BLAS} {
		*text = unique.Make(*text).Value()
	}
	for _, texts := range [][]string{r.Warnings, r.Rounded} {
		for i, text := range texts {
			texts[i] = unique.Make(text).Value()
		}
	}
	if r.Point != nil {
		r.Point = once(s.points, pointID(r.Point), r.Point)
	}
	if named := r.Metrics.named; named != nil {
		if !slices.Equal(s.last.names, named.names) || !slices.Equal(s.last.units, named.units) {
			s.last = once(s.names, strings.Join(named.names, "\x00")+"\x00\x00"+strings.Join(named.units, "\x00"), named)
		}
		r.Metrics.named = s.last
	}
	return r
}

// once is what is known by an id, v where nothing was.
func once[T any](known map[string]T, id string, v T) T {
	if first, ok := known[id]; ok {
		return first
	}
	known[id] = v
	return v
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
