package process

import (
	"bytes"
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

// kib is a field of a number of KiB, in bytes.
func kib(file, name string) (int64, bool) {
	v, err := strconv.ParseInt(strings.TrimSuffix(Field(file, name), " kB"), 10, 64)
	return v << 10, err == nil
}

// Resident is the memory that a process has resident now, in bytes; false where
// the system does not tell.
func Resident(pid int) (int64, bool) {
	return kib("/proc/"+strconv.Itoa(pid)+"/status", "VmRSS")
}

// CPUOf is the processor time of a process that runs and of the children that it has
// waited for, in seconds; 0 where the system does not tell.
func CPUOf(pid int) (seconds float64) {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // after the name
	if len(fields) < 15 {
		return 0
	}
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime
		ticks, _ := strconv.ParseFloat(string(field), 64)
		seconds += ticks / 100 // Linux shows hundredths to programs on all its machines
	}
	return seconds
}

// ForgetPeak starts Peak anew, where the system can.
func ForgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// Peak is the most memory that this process has had resident, in bytes: since
// ForgetPeak on Linux, since its start elsewhere; 0 where it is not known.
func Peak() int64 {
	if bytes, ok := kib("/proc/self/status", "VmHWM"); ok {
		return bytes
	}
	return maxResident()
}

// Stopped says whether a process is stopped (SIGSTOP, a debugger); false where the
// system does not tell.
func Stopped(pid int) bool {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, found := bytes.Cut(text[bytes.LastIndexByte(text, ')')+1:], []byte(" ")) // after the name
	return found && len(state) > 0 && (state[0] == 'T' || state[0] == 't')
}

// OfferToKiller has the kernel kill this process rather than others when memory
// runs out, where it can be told.
func OfferToKiller() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) }

// OutOfMemoryKills counts the processes that the kernel has killed for want of
// memory since it started; 0 where it does not tell.
func OutOfMemoryKills() int64 {
	count, _ := strconv.ParseInt(Field("/proc/vmstat", "oom_kill"), 10, 64)
	return count
}
