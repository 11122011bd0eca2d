package files

import (
	"encoding/binary"
	"fmt"
	"io"
)

// idxKinds are the element types of the IDX format, as NumPy names them.
var idxKinds = map[byte]string{0x08: "u1", 0x09: "i1", 0x0B: "i2", 0x0C: "i4", 0x0D: "f4", 0x0E: "f8"}

// idxHeader reads the header of an IDX file, MNIST's format.
func idxHeader(in *input) (array, error) {
	var head [4]byte
	n, _ := io.ReadFull(in, head[:])
	a := array{kind: idxKinds[head[2]], order: binary.BigEndian, header: 4 + 4*int64(head[3])}
	if head[0] != 0 || head[1] != 0 || a.kind == "" || head[3] == 0 {
		return a, fmt.Errorf("no .npy file and no IDX file: it starts with %q; want \\x93NUMPY, or two zeros, an element type (08, 09, 0b, 0c, 0d, 0e) and a rank of 1 or more", head[:n])
	}
	sizes := make([]uint32, head[3])
	if err := binary.Read(in, binary.BigEndian, sizes); err != nil {
		return a, fmt.Errorf("the header is cut short: rank %d needs %d bytes of sizes", head[3], 4*len(sizes))
	}
	a.text = fmt.Sprint(sizes)
	for _, s := range sizes {
		a.shape = append(a.shape, uint64(s))
	}
	return a, nil
}
