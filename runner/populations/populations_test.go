package populations

import "testing"

// Populations that change with the repeat are kept as far as there is room.
func TestForget(t *testing.T) {
	p := &Populations{kept: map[id]*ranked{}}
	for repeat := range 9 {
		p.forget(6000) // 8·6000² bytes: three fit
		at := id{"a", repeat}
		p.kept[at], p.order = &ranked{}, append(p.order, at)
	}
	if len(p.kept) != 3 || p.kept[id{"a", 8}] == nil {
		t.Errorf("%d are kept", len(p.kept))
	}
	p.forget(100_000)
	if len(p.kept) != 0 {
		t.Errorf("%d are kept beside a large one", len(p.kept))
	}
}
