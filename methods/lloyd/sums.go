package lloyd

// sums are exact sums of the rows of each of k clusters, and their numbers.
type sums struct {
	grid   grid
	d      int
	hi, lo []float64 // k×d
	count  []int
}

func newSums(g grid, k, d int) *sums {
	return &sums{grid: g, d: d, hi: make([]float64, k*d), lo: make([]float64, k*d), count: make([]int, k)}
}

func (s *sums) row(j int) (hi, lo []float64) {
	return s.hi[j*s.d:][:s.d], s.lo[j*s.d:][:s.d]
}

// add adds rows of p to cluster j, or takes them from it, with sign −1.
func (s *sums) add(j int, p *points, rows []int, sign int) {
	s.count[j] += sign * len(rows)
	if p.single != nil {
		addRows(s, j, float64(sign), func(i int) []float32 { return p.single[i*p.stride:][:p.d] }, rows)
		return
	}
	addRows(s, j, float64(sign), func(i int) []float64 { return p.row(i, nil) }, rows)
}

func addRows[T float](s *sums, j int, sign float64, row func(i int) []T, rows []int) {
	for ; len(rows) >= 4; rows = rows[4:] {
		addFour(s, j, sign, row(rows[0]), row(rows[1]), row(rows[2]), row(rows[3]))
	}
	for _, i := range rows {
		addOne(s, j, sign, row(i))
	}
}

func addOne[T float](s *sums, j int, sign float64, x []T) {
	hi, lo := s.row(j)
	a, b := s.grid.hi[:len(x)], s.grid.lo[:len(x)]
	hi, lo = hi[:len(x)], lo[:len(x)]
	for c, value := range x {
		v := float64(value)
		h := (v + a[c]) - a[c]
		l := ((v - h) + b[c]) - b[c]
		hi[c] += sign * h
		lo[c] += sign * l
	}
}

// addFour reads and writes the sums once for four rows.
func addFour[T float](s *sums, j int, sign float64, x0, x1, x2, x3 []T) {
	hi, lo := s.row(j)
	a, b := s.grid.hi[:len(x0)], s.grid.lo[:len(x0)]
	hi, lo, x1, x2, x3 = hi[:len(x0)], lo[:len(x0)], x1[:len(x0)], x2[:len(x0)], x3[:len(x0)]
	for c := range x0 {
		v0, v1, v2, v3 := float64(x0[c]), float64(x1[c]), float64(x2[c]), float64(x3[c])
		p, q := a[c], b[c]
		h0, h1, h2, h3 := (v0+p)-p, (v1+p)-p, (v2+p)-p, (v3+p)-p
		l0, l1, l2, l3 := ((v0-h0)+q)-q, ((v1-h1)+q)-q, ((v2-h2)+q)-q, ((v3-h3)+q)-q
		hi[c] += sign * ((h0 + h1) + (h2 + h3))
		lo[c] += sign * ((l0 + l1) + (l2 + l3))
	}
}

// absorb adds what another holds, and empties it.
func (s *sums) absorb(other *sums) {
	for i := range s.hi {
		s.hi[i] += other.hi[i]
		s.lo[i] += other.lo[i]
	}
	for j := range s.count {
		s.count[j] += other.count[j]
	}
	other.reset()
}

func (s *sums) reset() {
	clear(s.hi)
	clear(s.lo)
	clear(s.count)
}

// mean writes the mean of cluster j, which must not be empty, into dst.
func (s *sums) mean(dst []float64, j int) {
	hi, lo := s.row(j)
	n := float64(s.count[j])
	for c := range dst {
		dst[c] = (hi[c] + lo[c]) / n
	}
}
