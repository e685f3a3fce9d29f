package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// shortcuts handle the requests that Terraform sends for every deployment of
// every plan and that change nothing. They call the functions of the resource,
// so that the rules are the same.
type shortcuts struct{ *crud.Kind }

var _ crud.Shortcuts = shortcuts{}

// NewResource returns the resource.
func (shortcuts) NewResource() resource.Resource { return NewResource() }

// NoOpPlan reports whether the plan equals the prior state and has no warnings.
func (shortcuts) NoOpPlan(ctx context.Context, c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool {
	remembered, ok := privateKey.FromProtocol(private)
	if !ok || remembered.Imported || !c.HasKubernetes() {
		return false
	}
	desired, ok := deployment.FromProtocol(config)
	state, alsoOK := deployment.FromProtocol(prior)
	if !ok || !alsoOK {
		return false
	}
	desired, next := remembered.WithImportedSecrets(deployment, desired, state)
	if next != remembered.Flags || len(checkDefinition(desired, state)) > 0 {
		return false // with nothing left to keep, the planned private state differs
	}
	change := plan(desired, state, false)
	if len(change.replaces) > 0 || !definition.Equal(change.planned, state) {
		return false
	}
	var found diag.Diagnostics
	warnChangedInPlace(ctx, c, state, &found)
	checkNames(ctx, c, state, false, func(string) *kuscia.AppImage { return nil }, &found)
	return len(found) == 0
}

// NoOpRead reads the deployment and reports whether the state is unchanged. If
// more than one request is needed, it leaves the read to the resource.
func (shortcuts) NoOpRead(ctx context.Context, c *clients.Clients, raw map[string]any, private map[string][]byte) (next context.Context, id map[string]string, unchanged bool) {
	prior, ok := deployment.FromProtocol(raw)
	remembered, alsoOK := privateKey.FromProtocol(private)
	if !ok || !alsoOK || remembered.Uncertain || !c.HasKubernetes() || definition.IsRolloutIncomplete(prior) {
		return ctx, nil, false
	}
	client, err := c.Kubernetes.Open()
	name := definition.StringAt(prior, attrName)
	if err != nil || name == "" {
		return ctx, nil, false
	}
	kd, err := fetch(ctx, c, client, name)
	next = fastpath.Prefetched[*kube.KusciaDeployment]{Key: name, Response: kd, Err: err}.With(ctx)
	if err != nil || kd.Metadata.Deleting() || !definition.Equal(refreshed(kd, prior), prior) {
		return next, nil, false
	}
	return next, identity(name), true
}
