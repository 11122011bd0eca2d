package results

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mercer/internal/plain"
	"mercer/internal/regular"
)

// Manifest describes a run: it lies beside the rows as manifest.json.
type Manifest struct {
	Schema    int               `json:"schema"`
	Profile   string            `json:"profile"`
	SpecSum   string            `json:"spec_sha256"`          // of SpecFile
	Text      string            `json:"spec"`                 // the YAML text as read
	Set       []string          `json:"set,omitempty"`        // assignments of the command line to it, such as repeats=50
	FirstLook int               `json:"first_look,omitempty"` // repeats of it, where repeats are added until verdicts are decided
	Repeats   int               `json:"repeats"`              // of every cell; where they are added, the most
	IDs       []string          `json:"ids,omitempty"`        // of the rows of a complete run; of a shard, of its own
	Shard     string            `json:"shard,omitempty"`      // 3/8: the third of eight parts
	Plan      string            `json:"plan"`                 // hash of the ids of all shards
	Machine   Machine           `json:"machine"`
	Versions  map[string]string `json:"versions"` // mercer, go, blas
	Commit    string            `json:"commit,omitempty"`
	Command   string            `json:"command,omitempty"` // reproduces the run
	File      string            `json:"file,omitempty"`    // of the spec, as given
	Dir       string            `json:"dir,omitempty"`     // directory of relative paths in the spec, as given
	Threads   int               `json:"threads,omitempty"` // processors of a timed fit; 0 where nothing is timed
	Filter    string            `json:"filter,omitempty"`  // condition on its rows, where only some were asked for
	Looks     []int             `json:"looks,omitempty"`   // repeats at which verdicts were read, in the order of reading
	Plans     []PlannedLooks    `json:"plans,omitempty"`   // looks that were planned; where FirstLook is given, the last are those of this run
	Started   string            `json:"started"`           // RFC 3339, in UTC, so that dates sort as texts
	Finished  string            `json:"finished,omitempty"`
}

// PlannedLooks are the looks at a run whose repeats are added until verdicts are decided.
type PlannedLooks struct {
	After int   `json:"after,omitempty"` // how many looks that nobody had planned came before
	At    []int `json:"at"`              // repeats, in ascending order
}

// Machine is where a run was made.
type Machine struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	CPU    string `json:"cpu,omitempty"`
	Cores  int    `json:"cores"`
	Memory uint64 `json:"memory_bytes,omitempty"`
}

// String is the machine in few words: "CPU, 8 cores, 15.5 GiB memory, linux/amd64".
func (m Machine) String() string {
	parts := []string{m.CPU, "", "", strings.Trim(m.OS+"/"+m.Arch, "/")}
	if m.Cores > 0 {
		parts[1] = plain.Count(m.Cores, "core")
	}
	if m.Memory > 0 {
		parts[2] = fmt.Sprintf("%.1f GiB memory", float64(m.Memory)/(1<<30))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// WriteManifest writes m as dir's manifest.json, creating dir. It replaces an
// older one in one step: a reader sees the old text or the new, never a part.
func WriteManifest(dir string, m Manifest) error {
	_, err := writeJSON(dir, ManifestFile, m, "  ", sealed)
	return err
}

// writeJSON writes a file of a run's folder in one step, creating the folder. The text is v as
// JSON with such an indent, as finish returns it.
func writeJSON(dir, name string, v any, indent string, finish func([]byte) []byte) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := cmp.Or(enc.Encode(v), os.MkdirAll(dir, 0o777)); err != nil {
		return nil, fmt.Errorf("results: %s: %w", name, err)
	}
	text := finish(out.Bytes())
	return text, WriteAtomic(filepath.Join(dir, name), text)
}

// seal begins the last member of a manifest.json, the SHA-256 of the text before it.
const seal = ",\n  \"sha256\": \""

// sealed is a manifest's text with its seal.
func sealed(text []byte) []byte {
	body := bytes.TrimSuffix(text, []byte("\n}\n"))
	return fmt.Appendf(nil, "%s%s%x\"\n}\n", body, seal, sha256.Sum256(body))
}

// ReadManifest reads dir's manifest.json. It fails when there is none, when it
// is broken or not what WriteManifest wrote, and when its schema is newer than ours
// (errSchema).
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	text, err := regular.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Manifest{}, fmt.Errorf("results: %s is no run: it has no %s: %w", dir, ManifestFile, err)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("results: %w", err)
	}
	const wayOut = "restore it, or remove its folder and make the run anew"
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, fmt.Errorf("results: %s: broken manifest: %w; %s", path, err, wayOut)
	}
	if err := checkSchema(m.Schema); err != nil {
		if m.Schema < SchemaVersion && m.Command != "" {
			err = fmt.Errorf("%w: %s", err, m.Command)
		}
		return Manifest{}, fmt.Errorf("results: %s: %w", path, err)
	}
	if body, _, _ := bytes.Cut(text, []byte(seal)); !bytes.Equal(text, sealed(body)) {
		return Manifest{}, fmt.Errorf("results: %s was changed, or an earlier version wrote it: its sha256 is not that of its text; %s: %s", path, wayOut, cmp.Or(m.Command, "by the command that made it"))
	}
	return m, nil
}
