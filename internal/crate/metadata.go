package crate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/results"
)

// form is the version of what Seal writes.
const form = "1"

// noLicense is where a crate's licence points that nobody has named.
const noLicense = "#license"

// contexts are where the terms of the graph are defined.
var contexts = []string{"https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/terms/workflow-run/context"}

// entity is one object of the graph.
type entity map[string]any

// document is the JSON-LD file.
type document struct {
	Context []string `json:"@context"`
	Graph   []entity `json:"@graph"`
}

func ref(id string) entity { return entity{"@id": id} }

func refs(ids []string) []entity {
	return lists.Map(ids, ref)
}

// Seal writes the metadata of a crate whose other files are there. The licence is a URL;
// "" says that none is stated.
func Seal(dir, license string) error {
	m, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	files, err := filesOf(dir)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(metadata(m, files, cmp.Or(license, noLicense)), "", "  ")
	if err != nil {
		return fmt.Errorf("crate: metadata: %w", err)
	}
	return results.WriteAtomic(filepath.Join(dir, MetadataFile), append(text, '\n'))
}

// metadata are those of a run and its files.
func metadata(m results.Manifest, files []file, license string) document {
	var parts, made []string
	for _, f := range files {
		parts = append(parts, f.id())
		if f.path != SpecFile {
			made = append(made, f.id())
		}
	}
	used := []string{SpecFile}
	graph := []entity{
		{"@id": MetadataFile, "@type": "CreativeWork", "about": ref("./"), "version": form,
			"conformsTo": ref("https://w3id.org/ro/crate/1.1")},
		{"@id": "./", "@type": "Dataset", "name": cmp.Or(m.Title, m.Experiment), "description": describe(m),
			"datePublished": cmp.Or(m.Finished, m.Started), "license": ref(license),
			"conformsTo": ref("https://w3id.org/ro/wfrun/process/0.5"), "hasPart": refs(parts), "mentions": ref("#run")},
		{"@id": "https://w3id.org/ro/wfrun/process/0.5", "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
		licenseOf(license),
	}
	for _, f := range files {
		graph = append(graph, f.entity())
	}
	for _, id := range slices.Sorted(maps.Keys(m.Datasets)) {
		d := m.Datasets[id]
		used = append(used, "#data-"+url.PathEscape(id))
		graph = append(graph, entity{"@id": used[len(used)-1], "@type": "CreativeWork", "name": id,
			"description": cmp.Or(d.Absent, d.Describe), "identifier": d.Fingerprint})
	}
	graph = append(graph, programs(m)...)
	facts, named := factsOf(m)
	graph = append(graph, entity{"@id": "#run", "@type": "CreateAction", "name": "run of " + m.Experiment + " under the profile " + m.Profile,
		"description": m.Command, "instrument": ref("#mercer"), "object": refs(used), "result": refs(made),
		"startTime": offset(m.Started), "endTime": offset(m.Finished), "actionStatus": "http://schema.org/CompletedActionStatus",
		"additionalProperty": refs(named)})
	graph = append(graph, facts...)
	for _, e := range graph {
		maps.DeleteFunc(e, func(_ string, value any) bool { return value == "" }) // what is not known
	}
	return document{contexts, graph}
}

// offset writes a time of UTC as one with an offset, which validators of the profile ask for.
func offset(utc string) string { return strings.Replace(utc, "Z", "+00:00", 1) }

func describe(m results.Manifest) string {
	return strings.TrimSpace(fmt.Sprintf("Records, verdicts and figures of the experiment %s (profile %s, seed %d, %d repeats), computed by mercer. %s",
		m.Experiment, m.Profile, m.Seed, m.Repeats, m.Question))
}

func licenseOf(id string) entity {
	if id == noLicense {
		return entity{"@id": id, "@type": "CreativeWork", "name": "not stated", "description": "No licence was stated for this crate: ask its authors."}
	}
	return entity{"@id": id, "@type": "CreativeWork", "name": id}
}

// programs are what computed the run: mercer, its methods and the BLAS library.
func programs(m results.Manifest) []entity {
	library := entity{"@id": "#blas", "@type": "SoftwareApplication", "name": "BLAS", "softwareVersion": m.Versions["blas"]}
	if name, sum, ok := strings.Cut(m.Versions[results.BLASLibrary], " sha256:"); ok {
		library["name"], library["sha256"] = name, sum
	}
	parts := []string{"#blas"}
	list := []entity{library}
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		if name == "blas" || name == "mercer" || name == results.BLASLibrary {
			continue
		}
		id := "#" + url.PathEscape(strings.ReplaceAll(name, " ", "-"))
		parts = append(parts, id)
		list = append(list, entity{"@id": id, "@type": "SoftwareApplication", "name": name, "softwareVersion": m.Versions[name]})
	}
	return append(list, entity{"@id": "#mercer", "@type": "SoftwareApplication", "name": "mercer", "softwareVersion": m.Versions["mercer"],
		"identifier": "commit " + cmp.Or(m.Commit, "unknown"), "softwareRequirements": refs(parts)})
}

// factsOf are the seed, the spec's hash and the machine, as properties of the run.
func factsOf(m results.Manifest) (facts []entity, ids []string) {
	for _, fact := range [][3]string{
		{"#seed", "seed", strconv.FormatUint(m.Seed, 10)}, {"#spec-hash", "SHA-256 of the spec", m.SpecHash},
		{"#filter", "filter", m.Filter}, {"#machine", "machine", m.Machine.String()},
	} {
		if fact[2] != "" {
			facts = append(facts, entity{"@id": fact[0], "@type": "PropertyValue", "name": fact[1], "value": fact[2]})
			ids = append(ids, fact[0])
		}
	}
	return facts, ids
}

// formats are the media types of a crate's files.
var formats = map[string]string{
	".csv": "text/csv", ".html": "text/html", ".json": "application/json", ".jsonl": "application/jsonl",
	".md": "text/markdown", ".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml", ".yaml": "application/yaml",
}

// contents say what the files of a crate are that every run has.
var contents = map[string]string{
	SpecFile:                "the spec of the experiment",
	VerdictsFile:            "verdicts on the claims of the spec",
	results.ManifestFile:    "what was run, with which versions, where and when",
	results.RecordsFile:     "what was measured: one record a line",
	results.PopulationsFile: "what theorems ask of the populations",
}

// id is the file's in the graph.
func (f file) id() string { return (&url.URL{Path: f.path}).EscapedPath() }

func (f file) entity() entity {
	return entity{"@id": f.id(), "@type": "File", "name": cmp.Or(contents[f.path], f.path),
		"contentSize": strconv.FormatInt(f.size, 10), "sha256": f.sha256,
		"encodingFormat": cmp.Or(formats[path.Ext(f.path)], "application/octet-stream")}
}
