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

// Fill copies a run into a folder that does not exist or is empty: its spec, manifest,
// records in canonical order, facts on populations, and points of figures.
func Fill(dir string, run results.Run) error {
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return fmt.Errorf("crate: %s is not empty: name a new folder", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("crate: %w", err)
	}
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
