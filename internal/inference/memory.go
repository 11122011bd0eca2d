package inference

import "sync"

// memory keeps the values of a function that takes as long as the rest of a verdict or
// longer. There are few levels and few numbers of repeats: many verdicts ask for the same.
type memory[K comparable, V any] struct{ known sync.Map }

// at is the value at key, computed the first time.
func (m *memory[K, V]) at(key K, compute func() V) V {
	if v, found := m.known.Load(key); found {
		return v.(V)
	}
	v := compute()
	m.known.Store(key, v)
	return v
}

// levelAndCount is a probability, and a number of values or of degrees of freedom.
type levelAndCount struct {
	level float64
	n     int
}
