//go:build !unix

package process

import "os"

// CPU is 0: not known on this system.
func CPU() float64 { return 0 }

// Ended is what a process that was waited for took in all; nothing for nil, one that
// was not.
func Ended(state *os.ProcessState) Usage {
	if state == nil {
		return Usage{}
	}
	return Usage{CPU: (state.UserTime() + state.SystemTime()).Seconds()}
}

// ForgetPeak does nothing.
func ForgetPeak() {}

// Peak is 0: not known on this system.
func Peak() int64 { return 0 }

// Resident is not known on this system.
func Resident(int) (int64, bool) { return 0, false }

// OfferToKiller does nothing.
func OfferToKiller() {}

// OutOfMemoryKills is 0: not known on this system.
func OutOfMemoryKills() int64 { return 0 }

// Stopped is false: not known on this system.
func Stopped(int) bool { return false }
