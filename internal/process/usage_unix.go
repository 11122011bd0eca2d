//go:build unix

package process

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// CPU is the processor time of this process and of the children that it has
// waited for, in seconds.
func CPU() float64 {
	return cpuOf(syscall.RUSAGE_SELF) + cpuOf(syscall.RUSAGE_CHILDREN)
}

func cpuOf(who int) float64 {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return seconds(u)
}

func seconds(u syscall.Rusage) float64 {
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// Ended is what a process that was waited for took in all; nothing for nil, one that
// was not.
func Ended(state *os.ProcessState) Usage {
	if state == nil {
		return Usage{}
	}
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return Usage{}
	}
	return Usage{CPU: seconds(*u), Peak: maxResident(*u)}
}

// maxResident is in bytes on Apple's systems, in KiB elsewhere.
func maxResident(u syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}

// ForgetPeak starts Peak anew, where the system can.
func ForgetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // Linux alone has it
}

// Peak is the most memory that this process has had resident, in bytes: since
// ForgetPeak on Linux, since its start elsewhere.
func Peak() int64 {
	if kib, ok := statusKiB("/proc/self/status", "VmHWM:"); ok {
		return kib << 10
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return maxResident(u)
}

// Resident is the memory that a process has resident now, in bytes; false where
// the system does not tell.
func Resident(pid int) (int64, bool) {
	kib, ok := statusKiB("/proc/"+strconv.Itoa(pid)+"/status", "VmRSS:")
	return kib << 10, ok
}

// Stopped says whether a process is stopped (SIGSTOP, a debugger); false where the
// system does not tell.
func Stopped(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	name := bytes.LastIndex(text, []byte(") ")) // its end
	return name >= 0 && len(text) > name+2 && (text[name+2] == 'T' || text[name+2] == 't')
}

// statusKiB is a field of a Linux process's status.
func statusKiB(file, field string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte(field)); ok {
			kib, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(value), []byte("kB")))), 10, 64)
			return kib, err == nil
		}
	}
	return 0, false
}

// OfferToKiller has the kernel kill this process rather than others when memory
// runs out, where it can be told.
func OfferToKiller() {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // Linux alone has it
}

// OutOfMemoryKills counts the processes that the kernel has killed for want of
// memory since it started; 0 where it does not tell.
func OutOfMemoryKills() int64 {
	text, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte("oom_kill ")); ok {
			count, _ := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
			return count
		}
	}
	return 0
}
