package kernel

import "fmt"

// Numbers is how many numbers a feature map keeps: the coordinates of its
// frequencies, weights, the phases of [Offset], the buckets and signs of [TensorSketch], the signs of [SORF], of [Mercer] the
// indices and how often each was drawn. It panics for a map of another package.
func Numbers(f FeatureMap) int {
	switch f := f.(type) {
	case *Fourier:
		m, d := f.Frequencies.Dims()
		return m*d + len(f.Weights)
	case *Positive:
		m, d := f.Frequencies.Dims()
		return m*d + 1
	case *TensorSketch:
		return 2 * len(f.signs) * len(f.signs[0])
	case *Offset:
		m, d := f.Frequencies.Dims()
		return m*d + len(f.Phases)
	case *SORF:
		count := 0
		for _, block := range f.blocks {
			for _, diagonal := range block {
				count += len(diagonal)
			}
		}
		return count
	case *Mercer:
		return len(f.Indices) + len(f.Counts) + len(f.Weights)
	}
	panic(fmt.Sprintf("kernel: no rule to count the numbers of a map of type %T", f))
}
