package runner

import (
	"runtime"
	"runtime/debug"

	"mercer/internal/linalg"
	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

// NewManifest describes the run that a plan will be; command gives the run again.
func NewManifest(p *plan.Plan, command, version string, machine results.Machine) results.Manifest {
	m := results.Manifest{
		Schema: results.SchemaVersion, Profile: p.Input.Profile, Text: p.Input.Spec, Set: p.Input.Set,
		Repeats: p.Spec.Repeats.Value, FirstLook: p.Spec.Repeats.From, Shard: p.Input.Shard.String(),
		Machine: machine, Commit: commit(), Command: command, File: p.Input.File, Dir: p.Input.Dir, Filter: p.Input.Filter,
		Versions: map[string]string{"mercer": version, "go": runtime.Version(), "blas": linalg.Backend()},
	}
	if p.Spec.Repeats.Adaptive() {
		m.Plans = []results.PlannedLooks{{At: p.Spec.Repeats.Looks()}}
	}
	if library := blasLibrary(); library != "" {
		m.Versions[results.BLASLibrary] = library
	}
	if p.Timed {
		m.Threads = max(1, p.Input.Timing.Threads)
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
