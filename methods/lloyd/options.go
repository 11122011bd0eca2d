package lloyd

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Init names a way to start.
type Init string

// The ways to start.
const (
	PlusPlus       Init = "plus-plus"        // k-means++: each centre a point, drawn by its squared distance to those before
	GreedyPlusPlus Init = "greedy-plus-plus" // the best of 2 + ⌊log k⌋ such draws for each centre
	FromCenters    Init = "centers"          // Options.Centers
)

// Options of Cluster and Gram.
type Options struct {
	// Init is the way to start. From given centres every restart would be the same, so
	// Restarts must then be 1.
	Init    Init
	Centers *mat.Dense // k×d, for FromCenters; Gram cannot use it
	// Restarts is how many independent starts are made, at least 1; the one of
	// least cost is returned, of equals the first.
	Restarts int
	// Tol stops when the squared shift of all centres together is at most Tol
	// times the mean variance of the columns, as in scikit-learn. With 0 only
	// unchanged labels stop, or centres that do not move at all.
	Tol float64
	// MaxIter is the limit of iterations, at least 1; an iteration assigns all
	// points and moves all centres. With MiniBatch it counts passes: n points
	// drawn.
	MaxIter int
	// Plain computes every distance in every iteration. Without it, bounds spare most
	// of that work, for the same result, at 16 bytes a point; Gram and MiniBatch have none.
	Plain bool
	// Warm is a share of the points, in [0, 1): those drawn at random that the
	// starts are made on, by the same options. Only from the centres of the best
	// are all points then clustered, in few passes. With 0 all points take part
	// from the first. Gram, MiniBatch and weights cannot use it.
	Warm float64
	// MiniBatch is the number of points drawn for each step of the mini-batch
	// variant; 0 is Lloyd's algorithm on all points. Gram and weights cannot use it.
	MiniBatch int
}

// DefaultOptions are one greedy k-means++ start, tol 1e-4, at most 300 iterations,
// as in scikit-learn.
func DefaultOptions() Options {
	return Options{Init: GreedyPlusPlus, Restarts: 1, Tol: 1e-4, MaxIter: 300}
}

// Result is a clustering.
type Result struct {
	Labels []int // n labels in [0, k): the nearest of Centers, of equals the lowest
	// Centers is k×d; nil from Gram. After unchanged labels they are the means of
	// the clusters; after a stop by Tol or MaxIter they are the means of the
	// clusters before the last assignment.
	Centers    *mat.Dense
	Cost       float64 // Σ_i ‖x_i − c_{Labels_i}‖², computed anew from labels and centres
	Sampled    int     // iterations on the sample of Options.Warm
	Iterations int     // of the start that is returned; steps, with MiniBatch
	Converged  bool    // stopped by unchanged labels or Tol, not by MaxIter
	Reassigned int     // how often an empty cluster was given the farthest point
	Empty      int     // clusters that stayed empty: fewer distinct points than k, or MaxIter ended first
	Ties       int     // points with two nearest centres, which went to the lower
	Start      int     // which start is returned, from 0; with Options.Warm, of those on the sample
	Evaluated  int     // points whose distances were computed, over all iterations; at most n(Iterations+1)
	// Warnings are what a reader of the clustering should know: not converged,
	// empty clusters, ties.
	Warnings []string
}

// Check returns what is wrong with the options.
func (o Options) Check() error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(o.Restarts < 1, "restarts %d: at least 1 start is needed", o.Restarts)
	refuse(o.MaxIter < 1, "max_iter %d: at least 1 iteration is needed", o.MaxIter)
	refuse(!(o.Tol >= 0) || math.IsInf(o.Tol, 1), "tol %v: must be finite and not negative", o.Tol)
	refuse(o.MiniBatch < 0, "mini_batch %d: must not be negative (0 is all points)", o.MiniBatch)
	refuse(!(o.Warm >= 0 && o.Warm < 1), "warm %v: must be a share of the points in [0, 1)", o.Warm)
	refuse(o.Warm > 0 && o.MiniBatch > 0, "warm %v with mini_batch %d: mini-batch k-means never takes all points, so that nothing is left to warm up for; leave one of them out", o.Warm, o.MiniBatch)
	switch o.Init {
	case PlusPlus, GreedyPlusPlus:
	case FromCenters:
		refuse(o.Restarts > 1, "restarts %d from given centers: all would be the same; use 1", o.Restarts)
	default:
		refuse(true, "init %q: must be plus-plus, greedy-plus-plus or centers", o.Init)
	}
	return errors.Join(errs...)
}

// check returns why the options cannot be used for so many points and k clusters; why is a
// reason of the caller's own, where unfit.
func (o Options) check(points float64, k int, unfit bool, why string) error {
	err := o.Check()
	switch {
	case k < 1:
		err = errors.Join(err, fmt.Errorf("k = %d clusters: at least 1 is needed", k))
	case float64(k) > points:
		err = errors.Join(err, fmt.Errorf("k = %d clusters of n = %.0f points: lower k or add points", k, points))
	}
	if unfit {
		err = errors.Join(err, errors.New(why))
	}
	if err != nil {
		return fmt.Errorf("k-means: %w", err)
	}
	return nil
}

// checkCenters says what is wrong with given centres.
func (o Options) checkCenters(k, d int) error {
	if o.Init != FromCenters {
		return nil
	}
	if r, c := o.Centers.Dims(); r != k || c != d {
		panic(fmt.Sprintf("lloyd: given centres are %d×%d, not %d×%d", r, c, k, d))
	}
	for j := range k {
		for c, v := range o.Centers.RawRowView(j) {
			if !(math.Abs(v) <= largestMagnitude) {
				return fmt.Errorf("k-means: given centre %d has %v in column %d: must be finite and below %g", j, v, c, largestMagnitude)
			}
		}
	}
	return nil
}

// warn writes the warnings that follow from the other fields.
func (r *Result) warn(k int) {
	if !r.Converged {
		r.Warnings = append(r.Warnings, fmt.Sprintf("not converged after %d iterations", r.Iterations))
	}
	if r.Reassigned > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("an empty cluster was given the farthest point %d times", r.Reassigned))
	}
	if r.Empty > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of k = %d clusters are empty: there are fewer distinct points, or the iterations ended before they were given one", r.Empty, k))
	}
	if r.Ties > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d points are as near to a second centre as to their own", r.Ties))
	}
}
