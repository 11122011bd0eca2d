package results

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// scan is what a records file holds.
type scan struct {
	records  []Record       // one per key, at its last place in the file
	index    map[string]int // key -> place in records
	good     int64          // bytes up to the end of the last good line
	warnings []string
}

// scanFile reads the records file at path; a file that does not exist is empty.
// Cost: one pass, one line in memory beside the records.
func scanFile(path string) (scan, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return scan{index: map[string]int{}}, nil
	}
	if err != nil {
		return scan{}, fmt.Errorf("results: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return scan{}, fmt.Errorf("results: %w", err)
	}
	return scanSized(f, path, info.Size())
}

// scanRecords reads records from r; name stands for the file in messages. It
// fails only on a read error and on a newer schema.
func scanRecords(r io.Reader, name string) (scan, error) { return scanSized(r, name, 0) }

// scanSized is scanRecords of about so many bytes, for which it makes room.
func scanSized(r io.Reader, name string, size int64) (scan, error) {
	s := scan{index: map[string]int{}}
	var pending []string // broken lines that are the tail unless a good one follows
	var offset int64
	goodLines := 0 // up to offset good
	in := bufio.NewReaderSize(r, 1<<16)
	lines := newDecoder()
	var text []byte
	for number := 1; ; number++ {
		line, err := readLine(in, &text)
		if err != nil && err != io.EOF {
			return s, fmt.Errorf("results: read %s: %w", name, err)
		}
		whole := err == nil
		offset += int64(len(line))
		if whole && len(bytes.TrimSpace(line)) > 0 {
			rec, bad := lines.decode(line)
			switch {
			case errors.Is(bad, ErrSchema):
				return s, fmt.Errorf("results: %s:%d: %w", name, number, bad)
			case bad != nil:
				pending = append(pending, fmt.Sprintf("%s:%d: %v", name, number, bad))
			default:
				for _, p := range pending {
					s.warnings = append(s.warnings, p+"; line skipped, its cell counts as not run")
				}
				pending, s.good, goodLines = nil, offset, number
				if s.records == nil {
					expected := size/int64(len(line)) + size/int64(8*len(line)) + 1
					s.records, s.index = make([]Record, 0, expected), make(map[string]int, expected)
				}
				s.add(rec, name, number)
			}
		} else if whole && pending == nil {
			s.good, goodLines = offset, number
		}
		if !whole {
			break
		}
	}
	if torn := offset - s.good; torn > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf(
			"%s:%d: the last %d bytes, from this line on, are torn (a writer was interrupted) or damaged and are dropped; their cells count as not run", name, goodLines+1, torn))
	}
	return s, nil
}

// readLine reads up to a line feed, which is part of the line. The line holds
// until the next call, and may lie in text.
func readLine(in *bufio.Reader, text *[]byte) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	*text = (*text)[:0]
	for err == bufio.ErrBufferFull {
		*text = append(*text, line...)
		line, err = in.ReadSlice('\n')
	}
	*text = append(*text, line...)
	return *text, err
}

// add puts a record in; file and line are its place for messages, "" for none.
func (s *scan) add(r Record, file string, line int) {
	i, twice := s.index[r.Key]
	if !twice {
		s.index[r.Key] = len(s.records)
		s.records = append(s.records, r)
		return
	}
	if file != "" && s.records[i].Status == OK {
		s.warnings = append(s.warnings, fmt.Sprintf("%s:%d: key %s occurs twice; the later record wins", file, line, r.Key))
	}
	s.records[i] = r
}
