package process

import (
	"os"
	"strconv"
	"strings"
)

// What follows reads /proc, which Linux alone has; elsewhere nothing is known.

// Field is what a line of a file in /proc says under a name: "name: value" or "name
// value". It is empty where there is none.
func Field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name); ok && value != "" && strings.ContainsRune(": \t", rune(value[0])) {
			return strings.TrimSpace(strings.TrimLeft(value, ": \t"))
		}
	}
	return ""
}

// Peak is the most memory that a process has had resident, in bytes; false where the system
// does not tell.
func Peak(pid int) (int64, bool) {
	kib, err := strconv.ParseInt(strings.TrimSuffix(Field("/proc/"+strconv.Itoa(pid)+"/status", "VmHWM"), " kB"), 10, 64)
	return kib << 10, err == nil
}

// OfferToKiller has the kernel kill this process rather than others when memory
// runs out, where it can be told.
func OfferToKiller() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) }
