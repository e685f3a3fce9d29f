package deployment

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// shortcuts answer what comes with every deployment of every plan and changes
// nothing, by the rules of the resource: they call the functions that it calls.
type shortcuts struct{}

var _ crud.Shortcuts = shortcuts{}

// ResourceType is the resource type.
func (shortcuts) ResourceType() string { return typeName }

// NewResource returns the resource.
func (shortcuts) NewResource() resource.Resource { return NewResource() }

// FastValidate reports whether a configuration is valid, without a message.
func (shortcuts) FastValidate(_ context.Context, config map[string]any) bool {
	value, ok := deployment.FromProtocol(config)
	return ok && deployment.Configurable(value) && len(validate(value)) == 0
}

// NoOpPlan reports whether the plan is the prior state, without a message.
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
	if wanted, _ = remembered.configured(wanted, state); len(judge(wanted, state)) > 0 {
		return false
	}
	change := plan(wanted, state, false)
	if len(change.replaces) > 0 || !definition.Equal(change.planned, state) {
		return false
	}
	var found diag.Diagnostics
	warnUntouched(context.Background(), c, state, &found)
	return len(found) == 0
}

// remembers is what the private state has; ok is false where it has more, or
// what cannot be read.
func remembers(private map[string][]byte) (data privateData, ok bool) {
	if len(private) == 0 {
		return data, true
	}
	raw, has := private[privateKey]
	return data, has && len(private) == 1 && json.Unmarshal(raw, &data) == nil
}

// NoOpRead asks for the deployment and reports whether the state stays as it
// is. Where more than one question is needed, the resource has to ask.
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
