//go:build unix

package process

import (
	"os"
	"runtime"
	"syscall"
)

// CPU is the processor time of this process and of the children that it has
// waited for, in seconds.
func CPU() float64 {
	own, children := usageOf(syscall.RUSAGE_SELF), usageOf(syscall.RUSAGE_CHILDREN)
	return own.CPU + children.CPU
}

func maxResident() int64 { return usageOf(syscall.RUSAGE_SELF).Peak }

func usageOf(who int) Usage {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return Usage{}
	}
	return usage(u)
}

// usage converts what the system says; memory is in KiB but on Apple's systems.
func usage(u syscall.Rusage) Usage {
	unit := int64(1 << 10)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1
	}
	return Usage{CPU: float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, Peak: int64(u.Maxrss) * unit}
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
	return usage(*u)
}
