package runner

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strconv"

	"mercer/data"
)

// stream is the random stream of a list of names under a seed.
func stream(seed uint64, names ...string) *rand.Rand { return rand.New(source(seed, names...)) }

// source is that stream's: ChaCha8 keyed by the SHA-256 of the names. Names are
// prefixed by their length, so that no two lists collide.
func source(seed uint64, names ...string) *rand.ChaCha8 {
	hash := sha256.New()
	hash.Write(binary.LittleEndian.AppendUint64(nil, seed))
	for _, name := range names {
		hash.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(name))))
		hash.Write([]byte(name))
	}
	return rand.NewChaCha8([32]byte(hash.Sum(nil)))
}

// streamsOf are the streams of one repeat of a data set: every method of the
// repeat sees the same sample.
func streamsOf(seed uint64, dataset string, repeat int) data.Streams {
	return func(purpose string) data.Source {
		return source(seed, dataset, strconv.Itoa(repeat), purpose)
	}
}

// fixedStreams are the streams of a data set that no repeat changes.
func fixedStreams(seed uint64, dataset string) data.Streams {
	return func(purpose string) data.Source { return source(seed, dataset, "every repeat", purpose) }
}

// DatasetStreams are the streams that a run of a spec with this seed gives a data
// set of this id, for all repeats and for one.
func DatasetStreams(seed uint64, id string, repeat int) (fixed, own data.Streams) {
	return fixedStreams(seed, id), streamsOf(seed, id, repeat)
}

// methodStream is a method's own stream in one repeat of a data set; each fit
// reads it from the beginning.
func methodStream(seed uint64, dataset string, repeat int, method string) *rand.Rand {
	return stream(seed, dataset, strconv.Itoa(repeat), "method", method)
}
