package deployment

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestNoteReleasesUnknown: the Rollouts of a party are queried only once its Deployment
// is known.
func TestNoteReleasesUnknown(t *testing.T) {
	t.Parallel()
	strategy := of(attrStrategy, tree{"max_surge": "1"})
	for name, test := range map[string]struct {
		config tree
		asks   bool
	}{
		"known":          {valid(strategy), true},
		"unknown domain": {valid(strategy, of(attrDomainID, definition.Unknown)), false},
		"unknown role":   {valid(strategy, of(attrRole, definition.Unknown)), false},
	} {
		queried := false
		c := run.New(clients.WithoutKuscia(""))
		c.Kubernetes.Open = func() (*kube.Client, error) {
			queried = true
			return nil, errors.New("no cluster")
		}
		var diags diag.Diagnostics
		recordPodChanges(t.Context(), c, crud.Planned{Plan: definition.Plan{Planned: kusciaDeployment.Definition.Encode(test.config)}, Prior: kusciaDeployment.Definition.Null()}, &diags)
		if queried != test.asks || diags.HasError() {
			t.Errorf("%s: the cluster is queried: %t; %v", name, queried, diags)
		}
	}
}
