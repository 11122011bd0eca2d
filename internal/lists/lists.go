// Package lists has what package slices lacks: lists that are mapped, picked from and
// grouped, in their order.
package lists

// Map has f of each entry.
func Map[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, one := range list {
		out[i] = f(one)
	}
	return out
}

// Where has the entries that are so; nil where none is.
func Where[T any](list []T, so func(T) bool) []T {
	var out []T
	for i, one := range list {
		if so(one) {
			if out == nil {
				out = make([]T, 0, len(list)-i)
			}
			out = append(out, one)
		}
	}
	return out
}

// Once has each entry once, where it first occurs.
func Once[T comparable](list []T) []T {
	return Map(By(list, func(one T) T { return one }), func(same []T) T { return same[0] })
}

// By groups entries by a key, in the order in which the keys first occur.
func By[K comparable, T any](list []T, key func(T) K) [][]T {
	var groups [][]T
	index := map[K]int{}
	for _, one := range list {
		k := key(one)
		i, known := index[k]
		if !known {
			i = len(groups)
			index[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], one)
	}
	return groups
}
