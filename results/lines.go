package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// line is one line of a records file.
type line struct {
	length int // bytes, with the line feed
	blank  bool
	record Record
	bad    error // why it is no record
}

// blockSize is about how much of a file is decoded at a time.
const blockSize = 1 << 18

// block is a part of a file, of whole lines.
type block struct {
	text    []byte
	lines   []line
	decoded chan struct{} // has something once lines are those of text
}

// eachLine gives the lines of a file to take, first to last, until take fails, and
// says how many bytes without a line feed follow them. name stands for the file in
// messages. Lines are decoded on all processors; their texts are not kept.
func eachLine(r io.Reader, name string, take func(line) error) (rest int64, err error) {
	workers := runtime.GOMAXPROCS(0)
	inOrder, work := make(chan *block, 2*workers), make(chan *block, 2*workers)
	spare := make(chan *block, 2*workers) // blocks to be used again
	stop := make(chan struct{})
	var running sync.WaitGroup
	var readErr error
	running.Go(func() {
		defer close(inOrder)
		defer close(work)
		rest, readErr = cutBlocks(r, spare, func(b *block) bool {
			select {
			case inOrder <- b:
				work <- b // has as much room
				return true
			case <-stop:
				return false
			}
		})
	})
	cells := newSharedCells()
	for range workers {
		running.Go(func() {
			lines := cells.decoder()
			for b := range work {
				b.decode(lines)
				b.decoded <- struct{}{}
			}
		})
	}
	defer running.Wait()
	for b := range inOrder {
		<-b.decoded
		for _, l := range b.lines {
			if err := take(l); err != nil {
				close(stop)
				return 0, err
			}
		}
		select {
		case spare <- b:
		default:
		}
	}
	if readErr != nil {
		return 0, fmt.Errorf("results: read %s: %w", name, readErr)
	}
	return rest, nil
}

// cutBlocks gives blocks of whole lines to next, until it wants no more, and says
// how many bytes are left at the end.
func cutBlocks(r io.Reader, spare <-chan *block, next func(*block) bool) (rest int64, err error) {
	var tail []byte // the beginning of a line
	for {
		var b *block
		select {
		case b = <-spare:
		default:
			b = &block{decoded: make(chan struct{}, 1)}
		}
		b.text = append(b.text[:0], tail...)
		for whole := -1; whole < 0; { // more than a block, where a line is so long
			at := len(b.text)
			b.text = append(b.text, make([]byte, blockSize)...)
			n, err := io.ReadFull(r, b.text[at:])
			b.text = b.text[:at+n]
			whole = bytes.LastIndexByte(b.text, '\n')
			if err != nil {
				tail = b.text[whole+1:]
				if b.text = b.text[:whole+1]; errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
					err = nil
				}
				next(b)
				return int64(len(tail)), err
			}
			if whole >= 0 {
				tail = append(tail[:0], b.text[whole+1:]...)
				b.text = b.text[:whole+1]
			}
		}
		if !next(b) {
			return 0, nil
		}
	}
}

func (b *block) decode(d *decoder) {
	clear(b.lines)
	b.lines = b.lines[:0]
	for text := range bytes.Lines(b.text) {
		l := line{length: len(text), blank: len(bytes.TrimSpace(text)) == 0}
		if !l.blank {
			l.record, l.bad = d.decode(text)
		}
		b.lines = append(b.lines, l)
	}
}
