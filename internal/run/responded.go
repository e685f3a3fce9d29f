package run

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Responded returns the servers that have responded in this process, without their addresses.
func (r *Run) Responded() (servers []string) {
	for _, server := range r.servers(r != nil && r.reached.kubernetes.answered.Load()) {
		if server.HasResponded() {
			servers = append(servers, server.Fingerprint())
		}
	}
	return servers
}

// ExpectResponses announces the servers that have responded to the plan of this apply, nil for
// all but the cluster: what the apply sends first is repeated while one of them restarts.
func (r *Run) ExpectResponses(responded []string) {
	for _, server := range r.servers(len(responded) > 0) {
		if responded == nil || slices.Contains(responded, server.Fingerprint()) {
			server.ExpectResponses()
		}
	}
}

// servers are those of the provider block; the cluster only on request, since its client has to be
// opened.
func (r *Run) servers(withCluster bool) (all []*httpapi.Client) {
	if r == nil {
		return nil
	}
	if r.Kuscia != nil {
		all = append(all, r.Kuscia.Server())
	}
	if r.IEF.Client != nil {
		all = append(all, r.IEF.Client.Server())
	}
	var unused diag.Diagnostics
	if withCluster && r.HasKubernetes() {
		if client, ready := r.ReadyKubernetes(&unused); ready {
			all = append(all, client.Server())
		}
	}
	return all
}
