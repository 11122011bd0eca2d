package vector

import "mercer/internal/linalg/threads"

// Sizes of blocks, in elements. A sliver of B (blockDepth × 24) stays in the
// first-level cache while a block of A (blockRows × blockDepth) passes by from
// the second level; a panel of B (blockDepth × panelColumns) is in the third.
const (
	// blockDepth is part of the result: an accumulator is added to C every
	// blockDepth steps. It is the same for all instruction sets.
	blockDepth   = 256
	blockRows    = 192
	panelColumns = 1536
	// directRows is up to how many rows of C reading B in place, row by row,
	// beats packing it; directColumns is the same for A.
	directRows    = 16
	directColumns = 48
	// narrowRows is up to how many rows the product is transposed.
	narrowRows = 8
	// leastSkipping is from how many columns of C on zeros of A are skipped, if of
	// so many probes of A so many are zero; and, as B must be finite, from how many
	// rows where that is not known.
	leastSkipping = 192
	zeroProbes    = 64
	zerosWanted   = 16
	// flopsOfGoroutine is the work for which another goroutine is started.
	flopsOfGoroutine = 1 << 20
	// tasksOfWorker is into how many pieces the share of a goroutine is cut, so
	// that uneven progress evens out; leastRows is where the cutting stops.
	tasksOfWorker = 4
	leastRows     = 96
)

// blocks runs through panels of B and, in parallel, blocks of A.
func (p *product) blocks(t *tiles, workers int) {
	s := scratches.Get().(*scratch)
	w := &s.panel
	*w = panel{
		product: *p, tiles: t,
		directA: p.n <= directColumns,
		directB: p.ready == nil && p.b.col == 1 && p.m <= directRows,
	}
	sparse := t.squeeze != nil && p.n >= leastSkipping && p.m >= t.rows && (p.ready != nil || p.m >= leastSkipping) && p.hasZeros()
	for index := 0; w.next(); index++ {
		w.add = w.firstDepth > 0 || p.beta != 0
		if p.ready != nil {
			w.packed = p.ready.panels[index]
		} else {
			w.packed = s.b.grow(w.slivers() * t.columns() * w.depth)
			each(s, workers, w.slivers(), func(index int, _ *scratch) { w.packSliver(index) })
		}
		w.skips = sparse && (p.ready != nil && p.ready.finite[index] || p.ready == nil && finite(w.packed))
		w.run(s, workers, w.slivers())
	}
	*w = panel{} // the pool must not hold the operands
	scratches.Put(s)
}

// next goes to the next panel of B, at first to the first: down a range of
// columns, then to the next one. It is false after the last.
func (w *panel) next() bool {
	w.firstDepth += w.depth
	if w.depth == 0 {
		w.columns = min(panelColumns, w.n)
	} else if w.firstDepth == w.k {
		w.firstDepth = 0
		w.firstColumn += w.columns
		w.columns = min(panelColumns, w.n-w.firstColumn)
	}
	w.depth = min(blockDepth, w.k-w.firstDepth)
	return w.columns > 0
}

// slivers is how many slivers the panel has.
func (w *panel) slivers() int { return (w.columns + w.tiles.columns() - 1) / w.tiles.columns() }

// run computes all blocks of C, on so many goroutines at most.
func (w *panel) run(own *scratch, workers, slivers int) {
	rows, chunk := w.cut(slivers, workers)
	chunks := (slivers + chunk - 1) / chunk
	each(own, workers, (w.m+rows-1)/rows*chunks, func(task int, s *scratch) {
		i, first := task/chunks*rows, task%chunks*chunk
		w.block(s, i, min(rows, w.m-i), first, min(first+chunk, slivers))
	})
}

// panel is a step of a product: columns firstColumn… of C, columns
// firstDepth… of A.
type panel struct {
	product
	tiles                                   *tiles
	firstColumn, columns, firstDepth, depth int
	directA, directB, add                   bool
	skips                                   bool // steps at which a sliver of A is zero
	packed                                  []float64
}

// hasZeros says whether a good part of A is zero, by probes all over it.
func (p *product) hasZeros() bool {
	zeros := 0
	for i := range zeroProbes {
		// The odd factor spreads the columns while the rows go up.
		if p.a.data[i*p.m/zeroProbes*p.a.row+i*37%zeroProbes*p.k/zeroProbes*p.a.col] == 0 {
			zeros++
		}
	}
	return zeros >= zerosWanted
}

// finite says that no element is infinite or NaN: 0 times any of them is 0.
func finite(x []float64) bool {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0 += x[0] * 0
		s1 += x[1] * 0
		s2 += x[2] * 0
		s3 += x[3] * 0
	}
	for _, v := range x {
		s0 += v * 0
	}
	return s0+s1+s2+s3 == 0
}

// cut says how many rows and slivers of C make a task.
func (w *panel) cut(slivers, workers int) (rows, chunk int) {
	if workers == 1 {
		return blockRows, slivers
	}
	pieces := workers * tasksOfWorker
	rows = (w.m + pieces - 1) / pieces
	rows = max(leastRows, min(blockRows, (rows+w.tiles.rows-1)/w.tiles.rows*w.tiles.rows))
	if tasks := (w.m + rows - 1) / rows; tasks < 2*workers {
		wanted := (pieces + tasks - 1) / tasks
		return rows, max(1, (slivers+wanted-1)/wanted)
	}
	return rows, slivers
}

// sliver is the extent of a sliver of B: its first column, how many it has, and
// how many vectors hold them.
func (w *panel) sliver(index int) (first, columns, vectors int) {
	width := w.tiles.columns()
	columns = min(width, w.columns-index*width)
	return w.firstColumn + index*width, columns, (columns + w.tiles.lanes - 1) / w.tiles.lanes
}

// inPlace says that a sliver is read from B itself: no vector reaches beyond a
// row.
func (w *panel) inPlace(columns int) bool { return w.directB && columns%w.tiles.lanes == 0 }

func (w *panel) packSliver(index int) {
	first, columns, vectors := w.sliver(index)
	if w.inPlace(columns) {
		return
	}
	size := w.tiles.columns() * w.depth
	to := w.packed[index*size:][:size]
	if columns < w.tiles.columns() {
		clear(to) // finite looks at what is not packed too
	}
	pack(to, w.b.transposed(), first, w.firstDepth, columns, w.depth, vectors*w.tiles.lanes)
}

// block computes rows i… of C and the slivers from first to before end.
func (w *panel) block(s *scratch, i, rows, first, end int) {
	if !w.meets(i, w.firstColumn, w.columns) {
		return
	}
	t := w.tiles
	packed := w.packRows(s, i, rows)
	kept := w.squeeze(s, packed, rows)
	size := t.columns() * w.depth
	for index := first; index < end; index++ {
		j, columns, vectors := w.sliver(index)
		full := columns == vectors*t.lanes && w.c.col == 1
		b, rowB := w.packed[index*size:], vectors*t.lanes
		if w.inPlace(columns) {
			b, rowB = w.b.at(w.firstDepth, j), w.b.row
		}
		for r, height := 0, 0; r < rows; r += height {
			height = t.height(rows - r)
			if !w.meets(i+r, j, columns) {
				continue
			}
			c, rowC, cut := w.c.at(i+r, j), w.c.row, !full || !w.inside(i+r, height, j)
			if cut {
				c, rowC = s.tile[:], vectors*t.lanes
				if w.add {
					w.copyTile(c, rowC, i+r, height, j, columns, false)
				}
			}
			switch sliver := r / t.rows; {
			case sliver < len(kept):
				t.steps[vectors-1](kept[sliver], packed[r*w.depth:], b, c, rowC, w.alpha, w.add)
			case w.directA:
				t.microKernel(height, vectors)(w.depth, w.a.at(i+r, w.firstDepth), w.a.row, w.a.col, b, rowB, c, rowC, w.alpha, w.add)
			default:
				a := packed[sliver*t.rows*w.depth+r%t.rows:]
				t.microKernel(height, vectors)(w.depth, a, 1, t.rows, b, rowB, c, rowC, w.alpha, w.add)
			}
			if cut {
				w.copyTile(c, rowC, i+r, height, j, columns, true)
			}
		}
	}
}

// packRows packs the rows of A of a block that are not read in place.
func (w *panel) packRows(s *scratch, i, rows int) []float64 {
	if w.directA {
		return nil
	}
	height := w.tiles.rows
	packed := s.a.grow((rows + height - 1) / height * height * w.depth)
	for r := 0; r < rows; r += height {
		pack(packed[r*w.depth:], w.a, i+r, w.firstDepth, min(height, rows-r), w.depth, height)
	}
	return packed
}

// squeeze removes steps at which whole slivers of packed rows of A are zero and
// returns those that stay, sliver by sliver; none if nothing is skipped. Leaving
// out zeros times finite numbers changes no sum.
func (w *panel) squeeze(s *scratch, packed []float64, rows int) [][]uint32 {
	if !w.skips || w.directA {
		return nil
	}
	height := w.tiles.rows
	whole := rows / height
	if len(s.steps) < whole*w.depth+stepsAhead {
		s.steps = make([]uint32, whole*w.depth+stepsAhead)
	}
	for r := range whole {
		steps := s.steps[r*w.depth : (r+1)*w.depth]
		s.kept[r] = steps[:w.tiles.squeeze(packed[r*height*w.depth:], steps, w.depth)]
	}
	return s.kept[:whole]
}

// copyTile copies the elements of C that are computed to a tile or, if back
// is true, from it.
func (w *panel) copyTile(tile []float64, stride, i, rows, j, columns int, back bool) {
	for r := range rows {
		first, end := max(w.startOf(i+r), j), j+columns
		if first >= end {
			continue
		}
		row := tile[r*stride+first-j : r*stride+end-j]
		c, step := w.c.at(i+r, first), w.c.col
		switch {
		case step == 1 && back:
			copy(c, row)
		case step == 1:
			copy(row, c)
		case back:
			for q, v := range row {
				c[q*step] = v
			}
		default:
			for q := range row {
				row[q] = c[q*step]
			}
		}
	}
}

// meets says whether some element of a rectangle of C is computed.
func (w *panel) meets(i, j, columns int) bool { return !w.upper || i <= j+columns-1 }

// inside says whether all elements of a rectangle of C are.
func (w *panel) inside(i, rows, j int) bool { return !w.upper || i+rows-1 <= j }

// each calls task for 0 … count−1, on several goroutines, as package threads has room for
// them, if the product is worth it; otherwise with the caller's scratch.
func each(own *scratch, workers, count int, task func(index int, s *scratch)) {
	if workers == 1 {
		for index := range count {
			task(index, own)
		}
		return
	}
	threads.For(count, func(index int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		task(index, s)
	})
}
