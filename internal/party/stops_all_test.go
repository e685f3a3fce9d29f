package party_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// TestStopsAll: what Kubernetes leaves running while pods are replaced.
func TestStopsAll(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind, surge, unavailable string
		desired, least           int32
		want                     bool
	}{
		{"Recreate", "", "", 3, 3, true},
		{"RollingUpdate", "25%", "25%", 1, 1, false}, // a quarter of one pod is none, and one more may run
		{"RollingUpdate", "0", "25%", 1, 1, true},    // then one has to stop
		{"RollingUpdate", "0", "25%", 2, 2, false},
		{"RollingUpdate", "1", "1", 1, 1, true},
		{"RollingUpdate", "1", "100%", 3, 3, true},
		{"RollingUpdate", "0", "2", 3, 2, true},
		{"RollingUpdate", "0", "2", 3, 3, false},
	} {
		if got := party.StopsAll(test.kind, test.surge, test.unavailable, test.desired, test.least); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}
