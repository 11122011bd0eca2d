package results

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mercer/internal/linalg/threads"
	"mercer/internal/regular"
)

// scan is what a file of rows holds.
type scan struct {
	rows     []Row          // one per id, at its last place in the file
	index    map[string]int // id -> place in rows
	good     int64          // bytes up to the end of the last good line
	warnings []string
}

// scanFile reads the file of rows at path, which may be gzipped; one that does not exist is
// empty. It fails only on a read error and on a newer schema.
// Cost: one pass, in which all processors decode; some MB of lines in memory beside
// the rows.
func scanFile(path string) (scan, error) {
	f, info, err := regular.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return scan{index: map[string]int{}}, nil
	}
	if err != nil {
		return scan{}, fmt.Errorf("results: %w", err)
	}
	defer f.Close()
	var lines io.Reader = f
	if filepath.Base(path) == PackedFile {
		if lines, err = gzip.NewReader(f); err != nil {
			return scan{}, fmt.Errorf("results: read %s: %w", path, err)
		}
	}
	return scanRows(lines, path, info.Size())
}

// scanRun reads the rows of a run's folder, from PackedFile where it has no RecordsFile.
func scanRun(dir string) (scan, error) {
	path := filepath.Join(dir, RecordsFile)
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		path = filepath.Join(dir, PackedFile)
	}
	return scanFile(path)
}

// batchSize is about how many bytes of a file are in memory at a time.
const batchSize = 1 << 20

// scanRows reads about size bytes of rows; name stands for the file in
// messages. The lines of a batch are decoded on all processors; their texts are not
// kept.
func scanRows(r io.Reader, name string, size int64) (scan, error) {
	s := scanner{scan: scan{index: map[string]int{}}, name: name, size: size, shared: newSharing()}
	in := bufio.NewReaderSize(r, 1<<18)
	for {
		texts, rest, err := readLines(in)
		lines := make([]rowLine, len(texts))
		threads.For(len(texts), func(i int) { lines[i] = decodeLine(texts[i]) })
		for _, l := range lines {
			if err := s.take(l); err != nil {
				return scan{}, err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			s.end(rest)
			return s.scan, nil
		case err != nil:
			return scan{}, fmt.Errorf("results: read %s: %w", name, err)
		}
	}
}

// readLines reads whole lines of about batchSize bytes. With an error, io.EOF among
// them, it says how many bytes follow the last line feed.
func readLines(in *bufio.Reader) (texts [][]byte, rest int64, err error) {
	for size := 0; size < batchSize; {
		text, err := in.ReadBytes('\n')
		if err != nil {
			return texts, int64(len(text)), err
		}
		texts, size = append(texts, text), size+len(text)
	}
	return texts, 0, nil
}

// rowLine is one line of a file of rows.
type rowLine struct {
	length int // bytes, with the line feed
	blank  bool
	row    Row
	bad    error // why it is no row
}

func decodeLine(text []byte) rowLine {
	l := rowLine{length: len(text), blank: len(bytes.TrimSpace(text)) == 0}
	if !l.blank {
		l.row, l.bad = Decode(text)
	}
	return l
}

// scanner reads one file, line by line.
type scanner struct {
	scan
	name              string
	size              int64 // of the file
	shared            *sharing
	offset            int64    // bytes up to the line at hand
	number, goodLines int      // lines, those up to good
	pending           []string // broken lines that are the tail unless a good one follows
}

func (s *scanner) take(l rowLine) error {
	s.number++
	s.offset += int64(l.length)
	switch {
	case l.blank:
		if s.pending == nil {
			s.good, s.goodLines = s.offset, s.number
		}
	case errors.Is(l.bad, errSchema):
		return fmt.Errorf("results: %s:%d: %w", s.name, s.number, l.bad)
	case l.bad != nil:
		s.pending = append(s.pending, fmt.Sprintf("%s:%d: %v", s.name, s.number, l.bad))
	default:
		for _, p := range s.pending {
			s.warnings = append(s.warnings, p+"; line skipped, its cell counts as not run")
		}
		s.pending, s.good, s.goodLines = nil, s.offset, s.number
		if s.rows == nil { // room for the file, if all lines are about as long
			s.rows = make([]Row, 0, s.size/int64(l.length)*9/8+1)
		}
		if i, known := s.index[l.row.ID]; known && s.rows[i].Status == OK && s.rows[i].At == l.row.At { // else it was renamed
			s.warnings = append(s.warnings, fmt.Sprintf("%s:%d: id %s occurs twice; the later row wins", s.name, s.number, l.row.ID))
		}
		s.add(s.shared.row(l.row))
	}
	return nil
}

// end is called after the last line, which so many bytes follow.
func (s *scanner) end(rest int64) {
	if torn := s.offset + rest - s.good; torn > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf(
			"%s:%d: the last %d bytes, from this line on, are torn (a writer was interrupted) or damaged and are dropped; their cells count as not run", s.name, s.goodLines+1, torn))
	}
}

// add puts a row in, in the place of an earlier one of its id.
func (s *scan) add(r Row) {
	i, known := s.index[r.ID]
	if !known {
		s.index[r.ID] = len(s.rows)
		s.rows = append(s.rows, r)
		return
	}
	s.rows[i] = r
}
