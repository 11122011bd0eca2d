package results

import (
	"errors"
	"fmt"
	"io"
	"os"

	"mercer/internal/regular"
)

// scan is what a records file holds.
type scan struct {
	records  []Record       // one per key, at its last place in the file
	index    map[string]int // key -> place in records, below 0 where only expected
	expected []string       // keys, whose strings records take; at -1-index
	others   []int          // places of records that are not expected, where any are
	good     int64          // bytes up to the end of the last good line
	warnings []string
}

// newScan expects records of these keys, if any.
func newScan(keys []string) scan {
	s := scan{expected: keys, index: make(map[string]int, len(keys))}
	for i, key := range keys {
		s.index[key] = -1 - i
	}
	return s
}

// scanFile reads the records file at path; a file that does not exist is empty.
// Keys are those that are expected, if any.
// Cost: one pass, in which all processors decode; some MB of lines in memory beside
// the records.
func scanFile(path string, keys []string) (scan, error) {
	f, info, err := regular.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return newScan(keys), nil
	}
	if err != nil {
		return scan{}, fmt.Errorf("results: %w", err)
	}
	defer f.Close()
	s := newScan(keys)
	return s, s.read(f, path, info.Size())
}

// scanRecords reads records from r; name stands for the file in messages. It
// fails only on a read error and on a newer schema.
func scanRecords(r io.Reader, name string) (scan, error) {
	s := newScan(nil)
	return s, s.read(r, name, 0)
}

// read reads records of about so many bytes, for which it makes room.
func (s *scan) read(r io.Reader, name string, size int64) error {
	var pending []string // broken lines that are the tail unless a good one follows
	var offset int64
	number, goodLines := 0, 0 // lines, those up to offset good
	shared := newSharing()
	take := func(l line) error {
		number++
		offset += int64(l.length)
		switch {
		case l.blank:
			if pending == nil {
				s.good, goodLines = offset, number
			}
		case errors.Is(l.bad, ErrSchema):
			return fmt.Errorf("results: %s:%d: %w", name, number, l.bad)
		case l.bad != nil:
			pending = append(pending, fmt.Sprintf("%s:%d: %v", name, number, l.bad))
		default:
			for _, p := range pending {
				s.warnings = append(s.warnings, p+"; line skipped, its cell counts as not run")
			}
			pending, s.good, goodLines = nil, offset, number
			if s.records == nil {
				s.records = make([]Record, 0, s.room(size, int64(l.length)))
			}
			s.add(shared.record(l.record), name, number)
		}
		return nil
	}
	end, err := eachLine(r, name, take)
	if err != nil {
		return err
	}
	if torn := offset + end - s.good; torn > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf(
			"%s:%d: the last %d bytes, from this line on, are torn (a writer was interrupted) or damaged and are dropped; their cells count as not run", name, goodLines+1, torn))
	}
	return nil
}

// room is how many records a file of so many bytes may have, its first line of
// some.
func (s *scan) room(size, first int64) int {
	const shortest = 128 // bytes of a line
	if len(s.expected) > 0 {
		return min(len(s.expected), int(size/shortest)+1)
	}
	return int(size/first+size/(8*first)) + 1
}

// add puts a record in; file and line are its place for messages, "" for none.
func (s *scan) add(r Record, file string, line int) {
	i, known := s.index[r.Key]
	if !known || i < 0 {
		if known {
			r.Key = s.expected[-1-i] // each key is in memory once
		} else if s.expected != nil {
			s.others = append(s.others, len(s.records))
		}
		s.index[r.Key] = len(s.records)
		s.records = append(s.records, r)
		return
	}
	r.Key = s.records[i].Key
	if file != "" && s.records[i].Status == OK {
		s.warnings = append(s.warnings, fmt.Sprintf("%s:%d: key %s occurs twice; the later record wins", file, line, r.Key))
	}
	s.records[i] = r
}

// wanted are the records without those of keys that were not expected, where any
// were.
func (s *scan) wanted() []Record {
	if len(s.others) == 0 {
		return s.records
	}
	kept, others := s.records[:0], s.others
	for i := range s.records {
		if len(others) > 0 && others[0] == i {
			others = others[1:]
			continue
		}
		kept = append(kept, s.records[i])
	}
	clear(s.records[len(kept):])
	return kept
}
