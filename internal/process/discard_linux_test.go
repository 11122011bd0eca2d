package process

import (
	"os"
	"testing"
)

func TestDiscard(t *testing.T) {
	b := make([]byte, 64<<20)
	for i := range b {
		b[i] = 1
	}
	before, _ := Resident(os.Getpid())
	Discard(b[1 : len(b)-1])
	after, _ := Resident(os.Getpid())
	if before-after < 60<<20 {
		t.Errorf("%d bytes resident before, %d after", before, after)
	}
	if b[0] != 1 || b[len(b)-1] != 1 || b[len(b)/2] != 0 {
		t.Error("bytes beyond are gone, or those within are not")
	}
	Discard(nil)
	Discard(b[1:100])
}
