package results

import (
	"slices"
	"strings"

	"mercer/internal/lists"
)

// Meeters finds which of some keys a key meets, without a look at all of them: the places in
// the list, in order.
func Meeters(keys []Key) func(Key) []int {
	columns := lists.By(keys, func(k Key) string { return strings.Join(k.Names(), " ") })
	index := map[string]map[Key][]int{} // of the keys, by columns and the values of those in common
	return func(k Key) []int {
		var met []int
		for _, same := range columns {
			names := same[0].Names()
			common := lists.Where(names, func(name string) bool { return slices.Contains(k.Names(), name) })
			id := strings.Join(names, " ") + "\x00" + strings.Join(common, " ")
			if index[id] == nil {
				index[id] = map[Key][]int{}
				for i, other := range keys {
					if slices.Equal(other.Names(), names) {
						at := other.Only(common...)
						index[id][at] = append(index[id][at], i)
					}
				}
			}
			met = append(met, index[id][k.Only(common...)]...)
		}
		slices.Sort(met)
		return met
	}
}
