package run

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// Before the provider is configured, a run is nil. These methods are those of the connections, which
// say so, and which a nil pointer would not reach.

func (r *Run) connections() *clients.Clients {
	if r == nil {
		return nil
	}
	return &r.Clients
}

// ReadyKuscia is clients.Clients.ReadyKuscia.
func (r *Run) ReadyKuscia(diags *diag.Diagnostics) bool { return r.connections().ReadyKuscia(diags) }

// HasKubernetes is clients.Clients.HasKubernetes.
func (r *Run) HasKubernetes() bool { return r.connections().HasKubernetes() }

// OpenKubernetes is clients.Clients.OpenKubernetes.
func (r *Run) OpenKubernetes() (*kube.Client, error) { return r.connections().OpenKubernetes() }

// ReadyKubernetes is clients.Clients.ReadyKubernetes.
func (r *Run) ReadyKubernetes(diags *diag.Diagnostics) (*kube.Client, bool) {
	return r.connections().ReadyKubernetes(diags)
}

// CheckKubernetes is clients.Clients.CheckKubernetes.
func (r *Run) CheckKubernetes(diags *diag.Diagnostics, at path.Path) {
	r.connections().CheckKubernetes(diags, at)
}

// ReadyIEF is clients.Clients.ReadyIEF.
func (r *Run) ReadyIEF(diags *diag.Diagnostics) (*ief.Client, bool) {
	return r.connections().ReadyIEF(diags)
}

// CheckIEF is clients.Clients.CheckIEF.
func (r *Run) CheckIEF(diags *diag.Diagnostics, at path.Path) { r.connections().CheckIEF(diags, at) }
