package plan

import (
	"strings"
	"testing"

	"mercer/configs/source"
	"mercer/runner/plan/plantest"
)

// TestMisplacedClusterMeasures: the reason names the block that is missing.
func TestMisplacedClusterMeasures(t *testing.T) {
	text := strings.NewReplacer(", kmeans: {}", "", "  - {id: plain, use: kmeans}\n", "", "  - {id: exact, use: kernel-kmeans, tol: 0}\n", "", ", kmeans: {restarts: 2}", "").Replace(plantest.Clustering)
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const says = `measure "cluster_cost" is defined for no method of this spec: method "whole" on dataset "rings": cluster_cost is not defined for an embedding: it measures clusters; give the embedding a block kmeans`
	if _, err = Resolve(spec); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("error %v, want %s", err, says)
	}
}

// TestStreamedMeasures: what needs the sample's points is refused, with the
// reason.
func TestStreamedMeasures(t *testing.T) {
	text := strings.NewReplacer("  - {id: memory, use: nystrom-embedding, kmeans: {}}\n", "", "clusters]", "partition_cost]").Replace(plantest.Streamed)
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Resolve(spec); err == nil || !strings.Contains(err.Error(), "it needs the points of the sample, which are not kept; drop stream: true") {
		t.Errorf("error %v", err)
	}
}
