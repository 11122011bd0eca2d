package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"runtime/debug"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

// labels are those of a spec; nil for none.
func labels(spec *configs.Spec) map[string]string {
	var given map[string]string
	for name, label := range spec.Labels {
		if given == nil {
			given = map[string]string{}
		}
		given[name] = label.Value
	}
	return given
}

// NewManifest describes the run that a plan will be: spec is the YAML as read,
// command gives the run again.
func NewManifest(p *plan.Plan, profile, spec, command, version string, machine results.Machine) results.Manifest {
	hash := sha256.Sum256([]byte(spec))
	m := results.Manifest{
		Schema: results.SchemaVersion, Experiment: p.Spec.Name, Title: p.Spec.Title, Source: p.Spec.Source,
		Question: p.Spec.Question, Answer: p.Spec.Answer.Sentences(), Labels: labels(p.Spec), Notes: p.Spec.Notes, Profile: profile, Spec: spec, SpecHash: hex.EncodeToString(hash[:]),
		Seed: p.Spec.Seed, Repeats: p.Spec.Repeats.Value, FirstLook: p.Spec.Repeats.From, Variables: p.Spec.Grid.Names(),
		Datasets: map[string]results.DatasetInfo{}, Kernels: map[string]string{}, Machine: machine,
		Versions: map[string]string{"mercer": version, "go": runtime.Version(), "blas": linalg.Backend()},
		Commit:   commit(), Command: command, Filter: p.Filter,
	}
	if p.Origin != nil {
		m.Set = p.Origin.Input.Set
	}
	if p.Spec.Repeats.Adaptive() {
		m.Plans = []results.PlannedLooks{{At: p.Spec.Repeats.Looks()}}
	}
	if library := blasLibrary(); library != "" {
		m.Versions[results.BLASLibrary] = library
	}
	if p.Timed {
		m.Threads = max(1, p.Timing.Threads)
	}
	for id, d := range p.Datasets {
		m.Datasets[id] = results.DatasetInfo{Describe: d.Describe(), Constants: d.Constants(), Fingerprint: d.Fingerprint()}
		for kernelID, k := range p.Kernels[id] {
			name := kernelID
			if len(p.Datasets) > 1 {
				name += " on " + id
			}
			m.Kernels[name] = k.String()
		}
	}
	for id, err := range p.Absent {
		m.Datasets[id] = results.DatasetInfo{Describe: "not available", Absent: err.Error()}
	}
	for id, method := range p.Methods {
		m.Versions["method "+id] = method.Version
	}
	return m
}

// commit is the revision that the binary was built from, if it knows.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	revision := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value + revision
		case s.Key == "vcs.modified" && s.Value == "true":
			revision += " (modified)"
		}
	}
	return revision
}

// ThisMachine describes the machine, as far as the system tells.
func ThisMachine() results.Machine {
	return results.Machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(),
		CPU:    process.Field("/proc/cpuinfo", "model name"),
		Memory: memoryUnder("/"),
	}
}
