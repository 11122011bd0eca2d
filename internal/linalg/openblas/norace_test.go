//go:build !race

package openblas

const raceEnabled = false
