package crate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mercer/internal/claims"
	"mercer/internal/regular"
	"mercer/results"
)

// Names of a crate's files beside those of a run.
const (
	MetadataFile = "ro-crate-metadata.json"
	SpecFile     = "spec.yaml"
	VerdictsFile = "verdicts.json"
	ReportFolder = "report"
)

// Make makes a folder, which does not exist or is empty: what fill puts into another one
// beside it, which takes its place. Where that fails, the folder is as it was.
func Make(out string, fill func(dir string) error) error {
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real
	}
	if there, err := os.ReadDir(out); err == nil && len(there) > 0 {
		return fmt.Errorf("crate: %s is not empty: name a new folder", out)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("crate: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".*")
	if err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	if err = errors.Join(fill(dir), os.Chmod(dir, 0o755)); err == nil {
		err = os.Rename(dir, out)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// Fill copies a run into an empty folder: its spec, manifest, records in canonical order,
// facts on populations, and points of figures.
func Fill(dir string, run results.Run) error {
	if err := results.WriteManifest(dir, run.Manifest); err != nil {
		return err
	}
	if err := results.WriteAtomic(filepath.Join(dir, SpecFile), []byte(run.Manifest.Spec)); err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	if err := writeRecords(filepath.Join(dir, results.RecordsFile), run); err != nil {
		return fmt.Errorf("crate: %w", err)
	}
	copies := []string{results.PopulationsFile}
	for _, r := range run.Records {
		if results.HasPoints(run.Dir, r.Key) {
			copies = append(copies, filepath.Join(results.PointsFolder, r.Key+".csv"))
		}
	}
	for _, name := range copies {
		if err := copyFile(dir, run.Dir, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("crate: %w", err)
		}
	}
	return nil
}

func writeRecords(path string, run results.Run) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(results.WriteJSONL(file, run), file.Close())
}

// copyFile copies a small file from one folder to another.
func copyFile(to, from, name string) error {
	text, err := regular.ReadFile(filepath.Join(from, name))
	if err != nil {
		return err
	}
	path := filepath.Join(to, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return results.WriteAtomic(path, text)
}

// WriteVerdicts writes the verdicts of a crate.
func WriteVerdicts(dir string, verdicts []claims.Verdict) error {
	if verdicts == nil {
		verdicts = []claims.Verdict{}
	}
	text, err := json.MarshalIndent(verdicts, "", "  ")
	if err != nil {
		return fmt.Errorf("crate: verdicts: %w", err)
	}
	return results.WriteAtomic(filepath.Join(dir, VerdictsFile), append(text, '\n'))
}
