package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"mercer/internal/regular"
)

// The names of a run's files.
const (
	RecordsFile  = "records.jsonl"
	PackedFile   = "records.jsonl.gz" // in place of it, in a folder that is kept to compare with
	ManifestFile = "manifest.json"
	// PopulationsFile holds what theorems ask of the run's populations; there is none
	// where no claim is about a theorem.
	PopulationsFile = "populations.jsonl"
)

// BLASLibrary names, among the versions of a manifest, the file of the BLAS library and
// its SHA-256: "libopenblas.so sha256:…".
const BLASLibrary = "blas library"

// Measuring is the version of what determines a row beside its method: data,
// kernels, populations and measures. Raise it whenever their results change by more
// than the order of rounding: results of two versions, as of two back ends, stand
// side by side where they agree to 1e-9.
const Measuring = "3"

// Store appends rows to a run's records.jsonl. It may be used by several
// goroutines at once; a second Store on the same directory, in this process or
// another, is refused while the first is open.
type Store struct {
	mu     sync.Mutex
	path   string
	file   appendFile
	lock   io.Closer
	scan   scan
	size   int64
	broken error // why no further batch is taken
}

// appendFile is what a Store needs of its file; *os.File opened with O_APPEND.
type appendFile interface {
	io.Writer
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Open opens the store of the run directory dir, creating both where they are
// missing. A torn end is cut off. It fails when another process has the
// directory open ([ErrLocked]), when a row's schema is newer than ours
// (errSchema), and on input/output errors.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	lock, warning, err := acquire(dir)
	if err != nil {
		return nil, err
	}
	s, err := open(filepath.Join(dir, RecordsFile))
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s.lock = lock
	if warning != "" {
		s.scan.warnings = append([]string{warning}, s.scan.warnings...)
	}
	return s, nil
}

func open(path string) (*Store, error) {
	found, err := scanFile(path)
	if err != nil {
		return nil, err
	}
	f, err := regular.Own(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	err = f.Truncate(found.end)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = regular.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("results: %s: cannot cut off the torn end: %w", path, err), f.Close())
	}
	return &Store{path: path, file: f, scan: found, size: found.end}, nil
}

// Append stores the rows in one write and one fsync: after it returns nil
// they survive a crash of the machine. On an error none of them is stored.
// Writing an id again replaces its earlier row.
func (s *Store) Append(rows ...Row) error {
	if len(rows) == 0 {
		return nil
	}
	var batch []byte
	for _, r := range rows {
		line, err := Encode(r)
		if err != nil {
			return fmt.Errorf("results: %w", err)
		}
		batch = append(append(batch, line...), '\n')
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	if err := s.write(batch); err != nil {
		return fmt.Errorf("results: %d rows not stored in %s: %w", len(rows), s.path, err)
	}
	s.size += int64(len(batch))
	for _, r := range rows {
		s.scan.add(r)
	}
	return nil
}

// write appends batch or leaves the file as it was. After a failure of fsync
// or of the way back the state on disk is unknown, so the store closes itself
// to further batches; the next Open finds out what is there.
func (s *Store) write(batch []byte) error {
	n, err := s.file.Write(batch)
	if err == nil && n < len(batch) {
		err = io.ErrShortWrite
	}
	synced := true
	if err == nil {
		err = s.file.Sync()
		synced = err == nil
	}
	if err == nil {
		return nil
	}
	if back := s.file.Truncate(s.size); back != nil {
		s.broken = fmt.Errorf("results: %s: an earlier write failed (%w) and could not be undone (%w); run again to resume", s.path, err, back)
	} else if !synced {
		s.broken = fmt.Errorf("results: %s: an earlier fsync failed (%w); run again to resume", s.path, err)
	}
	return err
}

// Clear forgets all rows, and what was kept with them.
func (s *Store) Clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return s.broken
	}
	err := s.file.Truncate(0)
	if err == nil {
		err = s.removeKept()
	}
	if err != nil {
		return fmt.Errorf("results: clear %s: %w", s.path, err)
	}
	s.size, s.scan = 0, scan{index: map[string]int{}, warnings: s.scan.warnings}
	return nil
}

// removeKept removes what was kept with the rows, and no other file.
func (s *Store) removeKept() error {
	root, err := os.OpenRoot(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	defer root.Close()
	kept := []string{PopulationsFile}
	for _, r := range s.scan.rows {
		if fileID(r.ID) {
			kept = append(kept, pointsPath("", r.ID))
		}
	}
	for _, name := range kept {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Lookup returns the row of an id, so that a runner can tell a finished
// cell from one that it may want to try again.
func (s *Store) Lookup(id string) (Row, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.scan.index[id]
	if !ok {
		return Row{}, false
	}
	return s.scan.rows[i], true
}

// Warnings lists what Open found odd in the directory: a torn end, skipped
// lines, doubled keys, no lock.
func (s *Store) Warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.scan.warnings)
}

// Close closes the file and gives up the lock. Further calls do nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file, s.broken = nil, fmt.Errorf("results: %s: the store is closed", s.path)
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	if err != nil {
		return fmt.Errorf("results: close %s: %w", s.path, err)
	}
	return nil
}
