package clients

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Responded returns the servers that have responded in this process, without their addresses.
func (c *Clients) Responded() (servers []string) {
	for _, server := range c.servers(c != nil && c.reached.kubernetes.answered.Load()) {
		if server.HasResponded() {
			servers = append(servers, server.Fingerprint())
		}
	}
	return servers
}

// ExpectResponses announces the servers that have responded to the plan of this apply, nil for
// all but the cluster: what the apply sends first is repeated while one of them restarts.
func (c *Clients) ExpectResponses(responded []string) {
	for _, server := range c.servers(len(responded) > 0) {
		if responded == nil || slices.Contains(responded, server.Fingerprint()) {
			server.ExpectResponses()
		}
	}
}

// servers are those of the provider block; the cluster only on request, since its client has to be
// opened.
func (c *Clients) servers(withCluster bool) (all []*httpapi.Client) {
	if c == nil {
		return nil
	}
	if c.Kuscia != nil {
		all = append(all, c.Kuscia.Server())
	}
	if c.IEF.Client != nil {
		all = append(all, c.IEF.Client.Server())
	}
	var unused diag.Diagnostics
	if withCluster && c.HasKubernetes() {
		if client, ready := c.ReadyKubernetes(&unused); ready {
			all = append(all, client.Server())
		}
	}
	return all
}
