package files

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestClaimsAreNotAllocated: files of some bytes that claim, or would need, up to
// 10^12 numbers are refused, and memory is not taken for them; one that unpacks to
// much more than its header claims is unpacked no further than that.
func TestClaimsAreNotAllocated(t *testing.T) {
	points := func(path string) error { _, err := plainly.OpenIDX(path, false); return err }
	labels := func(path string) error { _, err := plainly.LoadLabels(path); return err }
	claims := idx(8, []uint32{1e6, 1e6}, make([]byte, 28)) // 40 bytes in all
	npy := npyFile("<f8", "(1000000, 1000000)", false, binary.LittleEndian, []float64{1})
	for name, tt := range map[string]struct {
		data []byte
		load func(path string) error
		most uint64 // bytes that may be allocated
	}{
		"IDX labels":              {claims, labels, 1 << 17},
		"64 MiB in place of 1 MB": {gz(idx(8, []uint32{1000, 1000}, make([]byte, 64<<20))), points, 8 << 20},
		".npy labels":             {npy, func(path string) error { _, err := plainly.LoadLabels(path); return err }, 1 << 18},
		"an index of LIBSVM":      {[]byte("1 1000000000:1\n"), func(path string) error { _, err := plainly.LoadLIBSVM(path, 0); return err }, 1 << 18},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, tt.data, 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := tt.load(path)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; err == nil || taken > tt.most {
			t.Errorf("%s: %v, %d bytes were allocated; want an error and at most %d", name, err, taken, tt.most)
		}
	}
}
