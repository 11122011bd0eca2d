package vector

import (
	"math/rand/v2"
	"testing"

	"mercer/internal/linalg/blastest"
)

// TestLevel3: every routine agrees with gonum's, and panics as it does.
func TestLevel3(t *testing.T) {
	if blockDepth < tinyProduct {
		t.Fatal("a tiny product has sums in more than one piece")
	}
	every(t, func(t *testing.T) {
		blastest.Level3(t, Implementation{Workers: 2}, shapes(rand.New(rand.NewPCG(89, 97)), count(300)), 3)
		blastest.Panics(t, Implementation{})
	})
}
