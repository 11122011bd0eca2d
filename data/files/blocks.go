package files

import "runtime/debug"

// blockItems is how many items a block of a list has: 8 MiB of numbers.
const blockItems = 1 << 20

// blocks is a list that grows by blocks. A slice that grows leaves a copy behind each
// time: with its garbage it takes four times what is in it.
type blocks[T any] struct {
	full [][]T
	last []T // at most blockItems
}

func (b *blocks[T]) add(item T) {
	if len(b.last) == blockItems {
		b.full = append(b.full, b.last)
		b.last = make([]T, 0, blockItems)
	}
	b.last = append(b.last, item)
}

func (b *blocks[T]) len() int { return blockItems*len(b.full) + len(b.last) }

func (b *blocks[T]) at(i int) T {
	if k := i / blockItems; k < len(b.full) {
		return b.full[k][i%blockItems]
	}
	return b.last[i%blockItems]
}

// slice is the whole list as one slice, and empties it: of several blocks, a copy. That
// takes twice the bytes of the list and no more: garbage goes back to the system before
// it, and the blocks after it.
func (b *blocks[T]) slice() []T {
	if len(b.full) == 0 {
		return b.last
	}
	debug.FreeOSMemory()
	all := make([]T, 0, b.len())
	for _, block := range b.full {
		all = append(all, block...)
	}
	all = append(all, b.last...)
	*b = blocks[T]{}
	debug.FreeOSMemory()
	return all
}
