package metrics

import (
	"errors"
	"maps"
	"math"

	"mercer/methods"
)

// agreementMeasures are the measures of how clusters agree with classes.
var agreementMeasures = map[string]Measure{
	"nmi": agreement("normalised mutual information of clusters and true classes, normalised by the arithmetic and by the geometric mean of the entropies",
		"KKM §5", ofLabels, nmi,
		Output{"nmi_arithmetic", "NMI (arithmetic)", More, unity}, Output{"nmi_geometric", "NMI (geometric)", More, unity}),
	"rand":             agreement("plain Rand index of clusters and true classes", "KJL Table 2", ofLabels, randIndex, Output{"rand", "Rand index", More, unity}),
	"adjusted_rand":    agreement("Rand index adjusted for chance", "Hubert & Arabie 1985", ofLabels, adjustedRand, Output{"adjusted_rand", "adjusted Rand index", More, unity}),
	"cluster_accuracy": agreement("share of points in the class that their cluster is matched with, by the best one-to-one matching of clusters with classes", "Xie, Girshick & Farhadi 2016", ofLabels+"; k³ for the matching", accuracy, Output{"cluster_accuracy", "clustering accuracy", More, unity}),
	"purity":           agreement("share of points in the largest class of their cluster, which more clusters make larger", "Zhao & Karypis 2001", ofLabels, purity, Output{"purity", "purity", More, unity}),
}

// agreement is a measure of how clusters agree with classes: its outputs of the sample, and
// then of the held-out points, where these have classes.
func agreement(doc, reference, cost string, of func(t contingency) Values, outputs ...Output) Measure {
	m := Measure{Family: ofClasses, Doc: doc + "; _test on held-out points, with population: self on all points, those of the sample among them", Reference: reference, Cost: cost, Steps: true}
	for _, part := range [][2]string{{"", ", sample"}, {"_test", ", held out"}} {
		for _, o := range outputs {
			o.Name += part[0]
			o.Label += part[1]
			m.Outputs = append(m.Outputs, o)
		}
	}
	m.compute = func(e *evaluation, _ int, into Values) error {
		maps.Copy(into, of(newContingency(e.Labels, e.model.(*methods.Clustering).Labels, e.Counts)))
		if e.HeldOut == nil || e.HeldOutLabels == nil {
			return nil
		}
		a, err := e.assigned(e.HeldOut)
		if errors.Is(err, methods.ErrNoCenters) { // see absent of the measures
			return nil
		}
		if err != nil {
			return err
		}
		for name, v := range of(newContingency(e.HeldOutLabels, a.labels, nil)) {
			into[name+"_test"] = v
		}
		return nil
	}
	return m
}

// contingency counts how often each class meets each cluster. Counts are whole numbers.
type contingency struct {
	n              float64
	cells          [][]float64 // classes×clusters
	class, cluster []float64   // sums of rows and columns
}

// newContingency takes labels from 0 up, of the same points, and what each counts for,
// nil for 1; labels that do not occur leave empty rows and columns, which count for
// nothing.
func newContingency(classes, clusters []int, weights []float64) contingency {
	rows, columns := 0, 0
	for i, class := range classes {
		rows, columns = max(rows, class+1), max(columns, clusters[i]+1)
	}
	t := contingency{cells: make([][]float64, rows), class: make([]float64, rows), cluster: make([]float64, columns)}
	for i := range t.cells {
		t.cells[i] = make([]float64, columns)
	}
	for i, class := range classes {
		weight := 1.0
		if weights != nil {
			weight = weights[i]
		}
		t.n += weight
		t.cells[class][clusters[i]] += weight
		t.class[class] += weight
		t.cluster[clusters[i]] += weight
	}
	return t
}

// occurring is how many of the counts are not 0.
func occurring(counts []float64) int {
	n := 0
	for _, c := range counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// entropy is −Σ p log p.
func (t contingency) entropy(counts []float64) float64 {
	sum := 0.0
	for _, c := range counts {
		if c > 0 {
			sum -= c / t.n * math.Log(c/t.n)
		}
	}
	return sum
}

// information is Σ p_ij log(p_ij/(p_i p_j)).
func (t contingency) information() float64 {
	sum, n := 0.0, t.n
	for i, row := range t.cells {
		for j, c := range row {
			if c > 0 {
				sum += c / n * (math.Log(c/n) - math.Log(t.class[i]/n) - math.Log(t.cluster[j]/n))
			}
		}
	}
	return max(0, sum)
}

// mutualInformation is the information normalised by the arithmetic and by the
// geometric mean of the two entropies. As in scikit-learn it is 1 for one class
// and one cluster, and 0 where only one of the two is divided.
func (t contingency) mutualInformation() (arithmetic, geometric float64) {
	classes, clusters := occurring(t.class), occurring(t.cluster)
	switch {
	case classes == 1 && clusters == 1:
		return 1, 1
	case classes == 1 || clusters == 1:
		return 0, 0
	}
	information, a, b := t.information(), t.entropy(t.class), t.entropy(t.cluster)
	return min(1, 2*information/(a+b)), min(1, information/math.Sqrt(a*b))
}

// pairs counts the ordered pairs of different points: together in both, in the
// class only, in the cluster only, apart in both.
func (t contingency) pairs() (both, class, cluster, neither float64) {
	sum := func(counts []float64) (squares float64) {
		for _, c := range counts {
			squares += c * c
		}
		return squares
	}
	together := 0.0
	for _, row := range t.cells {
		together += sum(row)
	}
	sameClass, sameCluster := sum(t.class), sum(t.cluster)
	return together - t.n, sameClass - together, sameCluster - together,
		t.n*t.n - sameClass - sameCluster + together
}

// rand is the share of pairs on which both agree; 1 for a single point, as in
// scikit-learn.
func (t contingency) rand() float64 {
	both, class, cluster, neither := t.pairs()
	if total := both + class + cluster + neither; total > 0 {
		return (both + neither) / total
	}
	return 1
}

// adjustedRand is the same, adjusted for chance; 1 where they agree on every
// pair, as in scikit-learn, which covers one class with one cluster.
func (t contingency) adjustedRand() float64 {
	both, class, cluster, neither := t.pairs()
	if class == 0 && cluster == 0 {
		return 1
	}
	return 2 * (both*neither - class*cluster) / ((both+class)*(class+neither) + (both+cluster)*(cluster+neither))
}

func nmi(t contingency) Values {
	arithmetic, geometric := t.mutualInformation()
	return Values{"nmi_arithmetic": arithmetic, "nmi_geometric": geometric}
}

func randIndex(t contingency) Values { return Values{"rand": t.rand()} }

func adjustedRand(t contingency) Values {
	return Values{"adjusted_rand": t.adjustedRand()}
}

func accuracy(t contingency) Values { return Values{"cluster_accuracy": bestMatching(t.cells) / t.n} }

func purity(t contingency) Values {
	sum := 0.0
	for j := range t.cluster {
		largest := 0.0
		for _, row := range t.cells {
			largest = max(largest, row[j])
		}
		sum += largest
	}
	return Values{"purity": sum / t.n}
}
