package kernel

import "fmt"

// Numbers is how many numbers a feature map keeps: the coordinates of its
// frequencies, the phases of [Offset], of [Mercer] the indices and how often each was drawn. It panics for a map of another package.
func Numbers(f FeatureMap) int {
	switch f := f.(type) {
	case louder:
		return Numbers(f.FeatureMap)
	case *Fourier:
		m, d := f.Frequencies.Dims()
		return m * d
	case *Offset:
		m, d := f.Frequencies.Dims()
		return m*d + len(f.Phases)
	case *Mercer:
		return len(f.Indices) + len(f.Counts)
	}
	panic(fmt.Sprintf("kernel: no rule to count the numbers of a map of type %T", f))
}
