//go:build !linux

package linalg

func hugePages([]float64) {}
