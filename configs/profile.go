package configs

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"mercer/internal/lists"
)

// RunProfile says how a spec is run: how often and with what resources.
// What it measures is the spec's own matter (see Overlay).
type RunProfile struct {
	Name        string
	Describe    string        // one line for mercer's help
	MaxRepeats  int           // cap on repeats where the spec's own overlay says nothing; 0 is no cap
	Workers     int           // cells computed at once; 0 is one for each core
	Memory      string        // for all cells at once: a share of the machine's (80%) or a size (4GiB)
	CellTimeout time.Duration // longest time of one cell; 0 is no limit
	Warmup      int           // runs of a timed cell before the one that is timed
}

// profiles are the run profiles. 16 repeats let mercer compare decide up to 327 tests by pairs:
// 327 / 2^16 is below 0.005.
var profiles = []RunProfile{
	{Name: "ci", Describe: "the regression watch on a shared machine; at most 16 repeats", MaxRepeats: 16, Workers: 2,
		Memory: "70%", CellTimeout: 10 * time.Minute},
	{Name: "paper", Describe: "the spec as written", Memory: "80%"},
	{Name: "smoke", Describe: "a quick look that everything runs; at most 3 repeats", MaxRepeats: 3,
		Memory: "50%", CellTimeout: 2 * time.Minute},
	{Name: "timing", Describe: "the spec as written, one cell at a time after warm-up, for wall times", Workers: 1,
		Memory: "80%", Warmup: 1},
}

// DefaultProfile is the profile of a run that names none.
const DefaultProfile = "paper"

// ProfileNames lists the run profiles in alphabetical order.
func ProfileNames() []string {
	return lists.Map(profiles, func(p RunProfile) string { return p.Name })
}

// Profile is the run profile of a name; an unknown name is an error that
// says the nearest one.
func Profile(name string) (RunProfile, error) {
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
	}
	return RunProfile{}, Errorf(Pos{}, "%s", Unknown("profile", name, "", ProfileNames()))
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
