package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"mercer/internal/plain"
	"mercer/internal/regular"
)

// WriteManifest writes m as dir's manifest.json, creating dir. It replaces an
// older one in one step: a reader sees the old text or the new, never a part.
func WriteManifest(dir string, m Manifest) error {
	for _, id := range slices.Sorted(maps.Keys(m.Datasets)) {
		constants := m.Datasets[id].Constants
		for _, name := range slices.Sorted(maps.Keys(constants)) {
			if v := constants[name]; !plain.Finite(v) {
				return fmt.Errorf("results: manifest: constant %s of dataset %s is %v; only finite numbers are stored", name, id, v)
			}
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return fmt.Errorf("results: manifest: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if err := writeAtomic(filepath.Join(dir, ManifestFile), text.Bytes()); err != nil {
		return fmt.Errorf("results: manifest: %w", err)
	}
	return nil
}

// ReadManifest reads dir's manifest.json. It fails when there is none, when it
// is broken, and when its schema is newer than ours (errSchema).
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	text, err := regular.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Manifest{}, fmt.Errorf("results: %s is no run: it has no %s: %w", dir, ManifestFile, err)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("results: %w", err)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, fmt.Errorf("results: %s: broken manifest: %w; running the experiment again rewrites it", path, err)
	}
	if err := checkSchema(m.Schema); err != nil {
		return Manifest{}, fmt.Errorf("results: %s: %w", path, err)
	}
	return m, nil
}
