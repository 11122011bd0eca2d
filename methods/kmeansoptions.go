package methods

import (
	"errors"
	"fmt"

	"mercer/methods/lloyd"
)

// LloydOptions are the parameters of Lloyd's algorithm. They mean what the
// fields of lloyd.Options mean, whose defaults they have.
type LloydOptions struct {
	Restarts int     `yaml:"restarts" min:"1" doc:"independent starts; the one with the smallest cost is kept"`
	Tol      float64 `yaml:"tol" min:"0" doc:"stop when the squared shift of all centres is at most tol times the mean variance of the columns; 0 stops at unchanged labels"`
	MaxIter  int     `yaml:"max_iter" min:"1" doc:"largest number of iterations of a start; with mini_batch, of passes over the sample"`
	Init     string  `yaml:"init" enum:"plus-plus,greedy-plus-plus" doc:"plus-plus: k-means++; greedy-plus-plus (default): the best of 2 + log k draws for each centre"`
}

// KMeansOptions are the parameters of k-means on points.
type KMeansOptions struct {
	LloydOptions
	Warm      float64 `yaml:"warm" min:"0" below:"1" doc:"run each start first on this share of the points, drawn at random, so that few iterations on all points remain; 0 (default) starts on all points"`
	MiniBatch int     `yaml:"mini_batch" min:"0" doc:"points per step of mini-batch k-means; 0 (default) is Lloyd's algorithm on all points"`
}

func defaultLloyd() LloydOptions {
	o := lloyd.DefaultOptions()
	return LloydOptions{Restarts: o.Restarts, Tol: o.Tol, MaxIter: o.MaxIter, Init: string(o.Init)}
}

// DefaultKMeans are the parameters where a spec gives none.
func DefaultKMeans() KMeansOptions {
	return KMeansOptions{LloydOptions: defaultLloyd()}
}

// SetDefaults is for the block kmeans of an embedding, which may be absent.
func (o *KMeansOptions) SetDefaults() { *o = DefaultKMeans() }

func (o LloydOptions) options() lloyd.Options {
	all := lloyd.DefaultOptions()
	all.Restarts, all.Tol, all.MaxIter, all.Init = o.Restarts, o.Tol, o.MaxIter, lloyd.Init(o.Init)
	return all
}

func (o KMeansOptions) options() lloyd.Options {
	all := o.LloydOptions.options()
	all.MiniBatch, all.Warm = o.MiniBatch, o.Warm
	return all
}

// noCounts is why points that stand for several are not clustered so.
func (o KMeansOptions) noCounts() string {
	if o.Warm > 0 || o.MiniBatch > 0 {
		return "k-means of a sample of counts takes all points at once; leave out warm and mini_batch"
	}
	return ""
}

// checkClusters says why n points cannot be divided into k clusters.
func checkClusters(s Sizes) error {
	switch {
	case s.K < 1:
		return errors.New("the grid gives no k: k-means needs a number of clusters, such as k: \"classes\"")
	case s.K > s.N:
		return fmt.Errorf("k = %d clusters of n = %d points", s.K, s.N)
	}
	return nil
}
