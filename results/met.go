package results

import (
	"slices"
	"strings"

	"mercer/internal/lists"
)

// Meeters finds which of some keys a key meets, without a look at all of them: the places in
// the list, in order.
func Meeters(keys []Key) func(Key) []int {
	places := make([]int, len(keys))
	for i := range places {
		places[i] = i
	}
	columns := lists.By(places, func(i int) string { return strings.Join(keys[i].Names(), " ") })
	index := map[string]map[Key][]int{} // of the keys, by columns and the values of those in common
	return func(k Key) []int {
		var met []int
		for _, same := range columns {
			names := keys[same[0]].Names()
			common := lists.Where(names, func(name string) bool { return slices.Contains(k.Names(), name) })
			id := strings.Join(names, " ") + "\x00" + strings.Join(common, " ")
			if index[id] == nil {
				index[id] = map[Key][]int{}
				for _, i := range same {
					at := keys[i].Only(common...)
					index[id][at] = append(index[id][at], i)
				}
			}
			met = append(met, index[id][k.Only(common...)]...)
		}
		slices.Sort(met)
		return met
	}
}
