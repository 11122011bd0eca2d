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
	end      int64          // bytes up to the last line feed
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
	s := scan{index: map[string]int{}}
	number := 0
	in := bufio.NewReaderSize(r, 1<<18)
	for {
		texts, rest, err := readLines(in)
		rows, bad := make([]Row, len(texts)), make([]error, len(texts))
		threads.For(len(texts), func(i int) { rows[i], bad[i] = decodeLine(texts[i]) })

		for i, row := range rows {
			number++
			s.end += int64(len(texts[i]))
			switch {
			case errors.Is(bad[i], errBlank):
				continue
			case errors.Is(bad[i], errSchema):
				return scan{}, fmt.Errorf("results: %s:%d: %w", name, number, bad[i])
			case bad[i] != nil:
				s.warn("%s:%d: %v; line skipped, its cell counts as not run", name, number, bad[i])
				continue
			}
			if s.rows == nil { // room for the file, if all lines are about as long
				s.rows = make([]Row, 0, size/int64(len(texts[i]))*9/8+1)
			}
			if at, known := s.index[row.ID]; known && s.rows[at].Status == OK && s.rows[at].At == row.At { // else it was renamed
				s.warn("%s:%d: id %s occurs twice; the later row wins", name, number, row.ID)
			}
			s.add(row)
		}

		switch {
		case err == nil:
			continue
		case !errors.Is(err, io.EOF):
			return scan{}, fmt.Errorf("results: read %s: %w", name, err)
		case rest > 0:
			s.warn("%s:%d: the last %d bytes are torn (a writer was interrupted) and are dropped; their cell counts as not run", name, number+1, rest)
		}
		return s, nil
	}
}

func (s *scan) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
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

// errBlank is why an empty line is no row, which is nothing odd.
var errBlank = errors.New("blank")

func decodeLine(text []byte) (Row, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return Row{}, errBlank
	}
	return Decode(text)
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
