package configs

import (
	"slices"
	"testing"
)

// Looks have twice as many repeats each, up to the most. Those that a run has had stay,
// unless it had others or more.
func TestLooks(t *testing.T) {
	for _, tt := range []struct {
		repeats Repeats
		want    []int
	}{
		{Repeats{Value: 4}, []int{4}},
		{Repeats{From: 8, Value: 40}, []int{8, 16, 32, 40}},
		{Repeats{From: 8, Value: 40, Had: []int{8, 12}}, []int{8, 12, 16, 32, 40}},
		{Repeats{From: 8, Value: 40, Had: []int{8, 16, 32, 40}}, []int{8, 16, 32, 40}},
		{Repeats{From: 8, Value: 40, Had: []int{4, 8}}, []int{8, 16, 32, 40}},
		{Repeats{From: 8, Value: 40, Had: []int{8, 16, 32, 64}}, []int{8, 16, 32, 40}},
		{Repeats{Value: 40, Had: []int{8, 16}}, []int{40}},
	} {
		if got := tt.repeats.Looks(); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.repeats, got, tt.want)
		}
	}
}
