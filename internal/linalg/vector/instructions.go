package vector

// instructions is a set of machine instructions that a code path needs.
type instructions int

const (
	portable instructions = iota // Go alone
	avx2                         // AVX2 and FMA
	avx512                       // AVX-512 F and DQ
)

func (s instructions) String() string {
	return [...]string{"portable Go", "AVX2", "AVX-512"}[s]
}

// active is the set in use: the best that processor and operating system
// offer. Only tests change it.
var active = detect()

// Instructions names the instruction set in use, for records and reports:
// "AVX-512", "AVX2" or "portable Go".
func Instructions() string { return active.String() }

// Accelerated says that products run on vector instructions.
func Accelerated() bool { return active != portable }
