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

// A run that goes on begins at twice the repeats that were looked at; one whose planned looks
// came first, or began there, keeps them.
func TestContinue(t *testing.T) {
	for _, tt := range []struct {
		looks, planned []int
		want           []int
	}{
		{nil, nil, []int{8, 16, 32, 64, 80}},
		{[]int{3}, nil, []int{8, 16, 32, 64, 80}},
		{[]int{10, 12}, nil, []int{24, 48, 80}},
		{[]int{12}, []int{24, 40}, []int{24, 40, 48, 80}},
		{[]int{12}, []int{8, 16}, []int{8, 16, 32, 64, 80}},
		{[]int{60}, nil, []int{80}},
	} {
		if got := (Repeats{From: 8, Value: 80}).Continue(tt.looks, tt.planned).Looks(); !slices.Equal(got, tt.want) {
			t.Errorf("after %v, planned %v: %v, want %v", tt.looks, tt.planned, got, tt.want)
		}
	}
}
