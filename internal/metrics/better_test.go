package metrics

import "testing"

// Every output of every measure has a direction of its own or shares one.
func TestEveryOutputHasADirection(t *testing.T) {
	for name, m := range Registry {
		if len(m.Better) != 1 && len(m.Better) != len(m.Outputs) {
			t.Errorf("%s has %d outputs and %d directions; want one each, or one for all", name, len(m.Outputs), len(m.Better))
		}
	}
	for metric, want := range map[string]Better{
		"recon_h": Less, "recon_h_floor": Neither, "recon_h_projection": Neither, "time_total": Less, "time_exec": Less,
		"cluster_cost_test": Less, "cluster_cost_embedding_test": Neither, "nmi_geometric_test": More, "adjusted_rand": More,
		"eigenvalue_1": Neither, "eigenvalue_7": Neither, "skp_excess": Neither, "kjl_operator": Less, "unknown": Neither,
	} {
		if got := BetterOf(metric); got != want {
			t.Errorf("%s: %v is better; want %v", metric, got, want)
		}
	}
}
