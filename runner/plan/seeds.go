package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strconv"

	"mercer/data"
)

// stream is the random stream of a list of names under a seed.
func stream(seed uint64, names ...string) *rand.Rand { return rand.New(chacha(seed, names...)) }

// chacha is that stream's: ChaCha8 keyed by the SHA-256 of the names. Names are
// prefixed by their length, so that no two lists collide.
func chacha(seed uint64, names ...string) *rand.ChaCha8 {
	hash := sha256.New()
	hash.Write(binary.LittleEndian.AppendUint64(nil, seed))
	for _, name := range names {
		hash.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(name))))
		hash.Write([]byte(name))
	}
	return rand.NewChaCha8([32]byte(hash.Sum(nil)))
}

// RepeatStreams are the random streams of one repeat of a data set under a spec's
// seed: every method of the repeat sees the same sample.
func RepeatStreams(seed uint64, dataset string, repeat int) data.Streams {
	return func(purpose string) data.Source {
		return chacha(seed, dataset, strconv.Itoa(repeat), purpose)
	}
}

// FixedStreams are the random streams of a data set that no repeat changes.
func FixedStreams(seed uint64, dataset string) data.Streams {
	return func(purpose string) data.Source { return chacha(seed, dataset, "every repeat", purpose) }
}

// MethodStream is a method's own random stream in one repeat of a data set; each
// fit reads it from the beginning.
func MethodStream(seed uint64, dataset string, repeat int, method string) *rand.Rand {
	return stream(seed, dataset, strconv.Itoa(repeat), "method", method)
}
