package deployment

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// shortcuts handle the requests that Terraform sends for every deployment of
// every plan and that change nothing. They call the functions of the resource,
// so that the rules are the same.
type shortcuts struct{}

var _ crud.Shortcuts = shortcuts{}

// ResourceType returns the resource type.
func (shortcuts) ResourceType() string { return typeName }

// NewResource returns the resource.
func (shortcuts) NewResource() resource.Resource { return NewResource() }

// FastValidate reports whether a configuration is valid and has no warnings.
func (shortcuts) FastValidate(_ context.Context, config map[string]any) bool {
	value, ok := deployment.FromProtocol(config)
	return ok && deployment.Configurable(value) && len(validate(value)) == 0
}

// NoOpPlan reports whether the plan equals the prior state and has no warnings.
func (shortcuts) NoOpPlan(c *clients.Clients, config, prior map[string]any, private map[string][]byte) bool {
	remembered, ok := remembers(private)
	if !ok || remembered.Imported || !c.HasKubernetes() {
		return false
	}
	wanted, ok := deployment.FromProtocol(config)
	state, alsoOK := deployment.FromProtocol(prior)
	if !ok || !alsoOK {
		return false
	}
	wanted, observed := remembered.configured(wanted, state)
	if remembered.Observed && len(observed) == 0 || len(judge(wanted, state)) > 0 {
		return false // with nothing left to keep, the planned private state differs
	}
	change := plan(wanted, state, false)
	if len(change.replaces) > 0 || !definition.Equal(change.planned, state) {
		return false
	}
	var found diag.Diagnostics
	warnUntouched(context.Background(), c, state, &found)
	checkNames(context.Background(), c, state, false, func(string) *kuscia.AppImage { return nil }, &found)
	return len(found) == 0
}

// remembers returns the private state. ok is false if it has other data too, or
// cannot be parsed.
func remembers(private map[string][]byte) (data privateData, ok bool) {
	if len(private) == 0 {
		return data, true
	}
	raw, has := private[privateKey]
	return data, has && len(private) == 1 && json.Unmarshal(raw, &data) == nil
}

// NoOpRead reads the deployment and reports whether the state is unchanged. If
// more than one request is needed, it leaves the read to the resource.
func (shortcuts) NoOpRead(ctx context.Context, c *clients.Clients, raw map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool) {
	prior, ok := deployment.FromProtocol(raw)
	remembered, alsoOK := remembers(private)
	if !ok || !alsoOK || remembered.Uncertain || !c.HasKubernetes() || unfinished(prior) {
		return ctx, nil, false
	}
	client, err := c.Kubernetes.Open()
	name := textAt(prior, attrName)
	if err != nil || name == "" {
		return ctx, nil, false
	}
	kd, err := asked(ctx, c, client, name)
	next = context.WithValue(ctx, askedKey{}, answerFor{name, kd, err})
	if err != nil || !definition.Equal(refreshed(kd, prior), prior) {
		return next, nil, false
	}
	return next, map[string]string{attrName: name}, true
}
