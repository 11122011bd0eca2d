package results

import (
	"slices"
	"strings"
)

// Met finds which of some keys a key meets, without a look at all of them.
type Met struct {
	keys    []Key
	columns [][]string               // that they have, each list once
	index   map[string]map[Key][]int // of the keys, by columns and the values of those in common
}

// NewMet takes the keys.
func NewMet(keys []Key) *Met {
	m := &Met{keys: keys, index: map[string]map[Key][]int{}}
	for _, k := range keys {
		if !slices.ContainsFunc(m.columns, func(names []string) bool { return slices.Equal(names, k.Names()) }) {
			m.columns = append(m.columns, k.Names())
		}
	}
	return m
}

// By are the places in the list of those that k meets, in order.
func (m *Met) By(k Key) []int {
	var met []int
	for _, names := range m.columns {
		common := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(k.Names(), name) })
		id := strings.Join(names, " ") + "\x00" + strings.Join(common, " ")
		if m.index[id] == nil {
			m.index[id] = map[Key][]int{}
			for i, other := range m.keys {
				if slices.Equal(other.Names(), names) {
					at := other.Only(common...)
					m.index[id][at] = append(m.index[id][at], i)
				}
			}
		}
		met = append(met, m.index[id][k.Only(common...)]...)
	}
	slices.Sort(met)
	return met
}
