package configs

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"
)

// RunProfile says how a spec is run: how often, with what resources, how
// strictly. What it measures is the spec's own matter (see Overlay).
type RunProfile struct {
	Name       string `yaml:"name" required:"true" doc:"Name of the profile; that of its file."`
	Describe   string `yaml:"describe" required:"true" doc:"One line for mercer's help."`
	MaxRepeats int    `yaml:"max_repeats" min:"0" max:"1000000" doc:"Cap on repeats where the spec's own overlay says nothing; 0 is no cap."`
	Workers    int    `yaml:"workers" min:"0" max:"4096" doc:"Cells computed at once; 0 is one for each core."`
	Memory     string `yaml:"memory" doc:"Memory for all cells at once: a share of the machine's (80%) or a size (4GiB)."`
	CellLimits
	Strict  bool    `yaml:"strict" doc:"Inconclusive claims count as failures."`
	Threads int     `yaml:"threads" min:"0" max:"1024" doc:"BLAS threads of one cell; 0 leaves it to the runner."`
	Warmup  int     `yaml:"warmup" min:"0" max:"100" doc:"Runs of a timed cell before the one that is timed."`
	Compare Compare `yaml:"compare" required:"true" doc:"What mercer compare calls a regression of runs under this profile."`
}

// CellLimits are what each cell is held to, in profiles, in frozen plans and in runs.
type CellLimits struct {
	CellTimeout time.Duration `yaml:"cell_timeout" json:"cell_timeout_ns" doc:"Longest time of one cell, such as 30m; 0 is no limit."`
	CellMemory  string        `yaml:"cell_memory" json:"cell_memory,omitempty" doc:"Most memory of a cell, as memory; each cell then runs in a process of its own. None: that of all cells."`
	Isolate     string        `yaml:"isolate" json:"isolate,omitempty" enum:"auto,process,none" doc:"Cells that run in processes of their own: auto (those that are timed or have a memory limit, and large ones with a time limit; default), process (all) or none."`
}

// Isolations are the values of isolate.
var Isolations = []string{"auto", "process", "none"}

// Compare has the thresholds of a comparison with an earlier run.
type Compare struct {
	Drift      float64 `yaml:"drift" required:"true" min:"0" max:"1" doc:"Relative difference that numbers with the same seeds may have."`
	Elsewhere  float64 `yaml:"drift_elsewhere" required:"true" min:"0" max:"1" doc:"The same where machine or BLAS differ."`
	Worse      float64 `yaml:"worse" required:"true" min:"0" max:"10" doc:"Least relative worsening of a distribution that is a regression: 0.005 is half a percent."`
	Slower     float64 `yaml:"slower" required:"true" min:"1" max:"1000" doc:"Ratio of times, and of memory, that is still allowed."`
	Confidence float64 `yaml:"confidence" required:"true" min:"0.9" max:"0.999999" doc:"Chance that a comparison of runs that do not differ finds no regression, at least."`
}

// DefaultProfile is the profile of a run that names none.
const DefaultProfile = "paper"

// ProfileNames lists the run profiles in alphabetical order; package source has their files.
func ProfileNames() []string { return []string{"ci", "paper", "smoke", "timing"} }

// DecodeProfile decodes a run profile.
func DecodeProfile(tree *Node) (p RunProfile, err error) {
	d := newDecoder("")
	d.Decode(tree, &p)
	for _, key := range []string{"memory", "cell_memory"} {
		if n := tree.Get(key); n != nil {
			if _, err := ParseMemory(n.Text, 1<<30); err != nil {
				d.add(n.Pos, "%v", err)
			}
		}
	}
	return p, d.problems.Err()
}

var memorySize = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)\s*(%|B|KiB|MiB|GiB|TiB|KB|MB|GB|TB)$`)

var memoryUnits = map[string]float64{
	"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
}

// ParseMemory reads "80%" (of total) or "4GiB" as bytes; "" is 0, no limit.
func ParseMemory(text string, total uint64) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	m := memorySize.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("memory %q is neither a share such as 80%% nor a size such as 4GiB", text)
	}
	x, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, fmt.Errorf("memory %q: %w", text, err)
	}
	if m[2] == "%" {
		if x <= 0 || x > 100 {
			return 0, fmt.Errorf("memory %q is not a share between 0%% and 100%%", text)
		}
		return uint64(math.Floor(float64(total) * x / 100)), nil
	}
	if x *= memoryUnits[m[2]]; x < 1 || x >= 1<<62 {
		return 0, fmt.Errorf("memory %q is out of range", text)
	}
	return uint64(x), nil
}
