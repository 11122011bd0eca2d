package results

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"mercer/internal/linalg/threads"
)

// line is one line of a records file.
type line struct {
	length int // bytes, with the line feed
	blank  bool
	record Record
	bad    error // why it is no record
}

// batchSize is about how many bytes of a file are in memory at a time.
const batchSize = 1 << 20

// eachLine gives the lines of a file to take, first to last, until take fails, and
// says how many bytes without a line feed follow them. name stands for the file in
// messages. The lines of a batch are decoded on all processors; their texts are not
// kept.
func eachLine(r io.Reader, name string, take func(line) error) (rest int64, err error) {
	in := bufio.NewReaderSize(r, 1<<18)
	var lines []line
	for {
		texts, rest, err := readLines(in)
		lines = append(lines[:0], make([]line, len(texts))...)
		threads.For(len(texts), func(i int) { lines[i] = decodeLine(texts[i]) })
		for i := range lines {
			if err := take(lines[i]); err != nil {
				return 0, err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return rest, nil
		case err != nil:
			return 0, fmt.Errorf("results: read %s: %w", name, err)
		}
	}
}

// readLines reads whole lines of about batchSize bytes. With an error, io.EOF among
// them, it says how many bytes follow the last line feed.
func readLines(in *bufio.Reader) (texts [][]byte, rest int64, err error) {
	for size := 0; size < batchSize; {
		text, err := in.ReadBytes('\n')
		if err != nil {
			return texts, int64(len(text)), err
		}
		texts, size = append(texts, text), size+len(text)
	}
	return texts, 0, nil
}

func decodeLine(text []byte) line {
	l := line{length: len(text), blank: len(bytes.TrimSpace(text)) == 0}
	if !l.blank {
		l.record, l.bad = Decode(text)
	}
	return l
}
