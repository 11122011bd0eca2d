package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// WriteAtomic writes a file in one step: a reader, and whoever comes after a
// crash, sees the old text or the new.
func WriteAtomic(path string, text []byte) error {
	if err := writeAtomic(path, text); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}

// writeAtomic writes a file by way of a synced temporary one and a rename; when
// it fails the old file stands and the temporary one is gone.
func writeAtomic(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes a created or renamed entry of dir durable.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" { // directories cannot be synced there
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
