package slurm

import (
	"fmt"
	"regexp"
	"strconv"
)

var memory = regexp.MustCompile(`^([0-9]{1,12})([KMGTkmgt]?)$`)

// ParseMemory reads an amount as sbatch's --mem does, in bytes: a whole number of
// K, M, G or T, of M if none is named. 0 is all of a node, and no limit here.
func ParseMemory(text string) (int64, error) {
	m := memory.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is no memory as sbatch reads it: write a whole number of K, M, G or T, such as 8G", text)
	}
	v, err := strconv.ParseInt(m[1], 10, 64)
	shift := map[string]int{"": 20, "K": 10, "k": 10, "M": 20, "m": 20, "G": 30, "g": 30, "T": 40, "t": 40}[m[2]]
	if err != nil || v > 1<<(62-shift) {
		return 0, fmt.Errorf("%q is more memory than any machine has", text)
	}
	return v << shift, nil
}
