package crate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"mercer/internal/claims"
	"mercer/internal/regular"
	"mercer/results"
)

// Finding is one way in which a crate is not what it says.
type Finding struct {
	About string `json:"about"` // "file", "metadata", "spec", "records", "numbers", "verdicts" or "report"
	Text  string `json:"text"`
}

// Crate is what a folder holds.
type Crate struct {
	Run      results.Run
	Verdicts []claims.Verdict
	Files    int
	Findings []Finding
}

// Found notes a finding.
func (c *Crate) Found(about, format string, arguments ...any) {
	c.Findings = append(c.Findings, Finding{about, fmt.Sprintf(format, arguments...)})
}

// ErrNone is wrapped by the error of Open on what is no crate that this program reads.
var ErrNone = errors.New("no crate of mercer")

// Open reads a crate, and lists where its files and metadata differ. After findings about
// files nothing else is read.
func Open(dir string) (*Crate, error) {
	stored, err := readMetadata(dir)
	if err != nil {
		return nil, err
	}
	files, err := filesOf(dir)
	if err != nil {
		return nil, err
	}
	c := &Crate{Files: len(files)}
	c.holdFiles(stored, files)
	if len(c.Findings) > 0 {
		return c, nil
	}
	if c.Run, err = results.Load(dir); err != nil {
		c.Found("records", "%v", err)
		return c, nil
	}
	for _, warning := range c.Run.Warnings {
		c.Found("records", "%s", warning)
	}
	if c.Verdicts, err = readVerdicts(dir); err != nil {
		c.Found("verdicts", "%v", err)
	}
	c.holdMetadata(stored, metadata(c.Run.Manifest, files, licenseIn(stored)))
	c.holdSpec(dir)
	return c, nil
}

// readMetadata reads the graph of a crate, by id.
func readMetadata(dir string) (map[string]entity, error) {
	text, err := regular.ReadFile(filepath.Join(dir, MetadataFile))
	if err != nil {
		return nil, fmt.Errorf("%s is %w: %w", dir, ErrNone, err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s is %w: %s: %w", dir, ErrNone, MetadataFile, err)
	}
	if !slices.Equal(d.Context, contexts) {
		return nil, fmt.Errorf("%s is %w: %s has another @context", dir, ErrNone, MetadataFile)
	}
	byID := map[string]entity{}
	for _, e := range d.Graph {
		id, _ := e["@id"].(string)
		if byID[id] != nil || id == "" {
			return nil, fmt.Errorf("%s is %w: %s has %q twice, or an entity without @id", dir, ErrNone, MetadataFile, id)
		}
		byID[id] = e
	}
	if version := byID[MetadataFile]["version"]; version != form {
		return nil, fmt.Errorf("%s is %w in the form that this program reads: it has version %v, not %s", dir, ErrNone, version, form)
	}
	return byID, nil
}

// holdFiles compares the files that are there with those of the metadata.
func (c *Crate) holdFiles(stored map[string]entity, files []file) {
	there := map[string]bool{}
	for _, f := range files {
		there[f.id()] = true
		said := stored[f.id()]
		if is := f.entity(); f.sha256 == "" {
			c.Found("file", "%s is no regular file", f.path)
		} else if said == nil {
			c.Found("file", "%s is not among those of %s", f.path, MetadataFile)
		} else if said["sha256"] != is["sha256"] || said["contentSize"] != is["contentSize"] {
			c.Found("file", "%s was changed: it has %v bytes and SHA-256 %v, not %v and %v", f.path, is["contentSize"], is["sha256"], said["contentSize"], said["sha256"])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(stored)) {
		if stored[id]["@type"] == "File" && !there[id] {
			c.Found("file", "%s is missing", id)
		}
	}
}

// licenseIn is the licence that metadata name.
func licenseIn(stored map[string]entity) string {
	license, _ := stored["./"]["license"].(map[string]any)
	id, _ := license["@id"].(string)
	return id
}

// holdMetadata compares metadata with those that the files give.
func (c *Crate) holdMetadata(stored map[string]entity, made document) {
	known := map[string]bool{}
	for _, e := range made.Graph {
		id := e["@id"].(string)
		known[id] = true
		if !sameJSON(map[string]any(stored[id]), e) {
			c.Found("metadata", "%s: %s is not what the other files give", MetadataFile, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(stored)) {
		if !known[id] {
			c.Found("metadata", "%s: %s follows from no other file", MetadataFile, id)
		}
	}
}

// sameJSON says whether what was read is what would be written.
func sameJSON(read, written any) bool {
	text, err := json.Marshal(written)
	if err != nil {
		return false
	}
	var again any
	return json.Unmarshal(text, &again) == nil && reflect.DeepEqual(read, again)
}

// holdSpec compares the spec with its copy and its hash in the manifest.
func (c *Crate) holdSpec(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, SpecFile))
	sum := sha256.Sum256(text)
	if m := c.Run.Manifest; err != nil || string(text) != m.Spec || hex.EncodeToString(sum[:]) != m.SpecHash {
		c.Found("spec", "%s is not the spec, or has not the hash, that %s has", SpecFile, results.ManifestFile)
	}
}

// readVerdicts reads the verdicts of a crate.
func readVerdicts(dir string) ([]claims.Verdict, error) {
	text, err := regular.ReadFile(filepath.Join(dir, VerdictsFile))
	if err != nil {
		return nil, err
	}
	var verdicts []claims.Verdict
	if err := json.Unmarshal(text, &verdicts); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, VerdictsFile), err)
	}
	return verdicts, nil
}
