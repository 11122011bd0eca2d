package plan

import "testing"

// Populations that change with the repeat are kept as far as there is room.
func TestPopulationsForget(t *testing.T) {
	p := &Populations{kept: map[popKey]*rankedPopulation{}}
	for repeat := range 9 {
		p.forget(6000) // 8·6000² bytes: three fit
		key := popKey{"a", "b", repeat}
		p.kept[key], p.order = &rankedPopulation{}, append(p.order, key)
	}
	if len(p.kept) != 3 || p.kept[popKey{"a", "b", 8}] == nil {
		t.Errorf("%d are kept", len(p.kept))
	}
	p.forget(100_000)
	if len(p.kept) != 0 {
		t.Errorf("%d are kept beside a large one", len(p.kept))
	}
}
