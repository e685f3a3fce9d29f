package model

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// PrivateKey is where Private is kept beside the state.
const PrivateKey = "serving"

// Private is what the rules need to know and no attribute shows.
type Private struct {
	// Imported is set until the first update after an import. What the API
	// does not return (affinity_mode, redeploy_triggers, timeouts,
	// wait_for_rollout) is then unknown, and no difference in it counts.
	Imported bool `json:"imported,omitempty"`
	// Uncertain is set when the answer to the create was lost and Kuscia could
	// not be asked: the serving of this id may be somebody else's.
	Uncertain bool `json:"uncertain,omitempty"`
	// Containers has, for each party whose resources Kuscia stores, the
	// containers it stores them for. They are fixed at the first time
	// (Kuscia v1.1) whatever the app image has later.
	Containers map[string][]string `json:"containers,omitempty"`
	// Ports has the ports of each party when the serving was created. Kuscia
	// allocates ports only then, and shows no more than those with endpoints.
	Ports map[string][]string `json:"ports,omitempty"`
	// Observed are the parties whose resources in the state were read from
	// Kuscia rather than configured.
	Observed []string `json:"observed,omitempty"`
	// ObservedConfig says the same of serving_input_config. It is sensitive,
	// so that a generated configuration leaves it out.
	ObservedConfig bool `json:"observed_config,omitempty"`
	// Baselines has what was last seen of each party for which neither the
	// configuration nor the state has resources.
	Baselines map[string]ResourceBaseline `json:"seen,omitempty"`
	// Deployed has what is known of the pods of each party.
	Deployed map[string]DeployedParty `json:"deployed,omitempty"`
	// TrailingNewline says how the configuration text ended when it was last seen, which
	// is what a redeploy changes; "" is not known. It tells nothing of the text.
	TrailingNewline string `json:"text_end,omitempty"`
	// Rollout is the update whose end nobody has seen; nil for none.
	Rollout *PendingRollout `json:"rollout,omitempty"`
	// ObservedReplicas are the parties to which nobody ever gave a number of
	// replicas: the state shows that of the app image.
	ObservedReplicas []string `json:"observed_replicas,omitempty"`
	// RefreshDigest stands for the last answer and for the state and private data that
	// it left as they are, as far as the versions of its objects are known.
	RefreshDigest string `json:"versions,omitempty"`
}

// ContainersOf are the containers for which Kuscia stores resources of a party.
func (d Private) ContainersOf(key party.Key) []string { return d.Containers[key.String()] }

// ResourcesObserved reports whether the resources of a party were read from Kuscia rather than configured.
func (d Private) ResourcesObserved(key party.Key) bool {
	return slices.Contains(d.Observed, key.String())
}

// KeepsReplicas reports whether a party of a configuration stands for the number
// of replicas that was read.
func (d Private) KeepsReplicas(configured Party, key party.Key) bool {
	return configured.Replicas.IsNull() && slices.Contains(d.ObservedReplicas, key.String())
}

// KeepsObserved reports whether a planned list that asks for nothing stands
// for the resources that were read from Kuscia.
func (d Private) KeepsObserved(key party.Key, planned ResourceList) bool {
	return d.ResourcesObserved(key) && planned.Known() && !planned.Spec().IsSet()
}

// LoadPrivate reads the private data; found is false when there is none.
func LoadPrivate(ctx context.Context, from privatestate.Getter, diags *diag.Diagnostics) (data Private, found bool) {
	return privatestate.Load[Private](ctx, from, PrivateKey, diags)
}

// SavePrivate writes the private data.
func SavePrivate(ctx context.Context, to privatestate.Setter, data Private, diags *diag.Diagnostics) {
	privatestate.Save(ctx, to, PrivateKey, data, diags)
}

// AfterUpdate is the private data once an update was accepted: what only the
// state knows is settled, and only what is left out of the configuration still
// shows what was read.
func (d Private) AfterUpdate(config Serving) Private {
	configured := config.Parties.Items
	observed, replicas := d.Observed, d.ObservedReplicas
	d.Imported, d.Observed, d.ObservedReplicas = false, nil, nil
	d.ObservedConfig = KeepsObservedConfig(config, d)
	for _, p := range configured {
		key := party.Key{DomainID: p.DomainID.ValueString(), Role: p.Role.ValueString()}
		if !p.Resources.Spec().IsSet() && slices.Contains(observed, key.String()) {
			d.Observed = append(d.Observed, key.String())
		}
		if p.Replicas.IsNull() && slices.Contains(replicas, key.String()) {
			d.ObservedReplicas = append(d.ObservedReplicas, key.String())
		}
	}
	return d
}

// AfterSending is the private data once an update was sent, whether or not its
// answer came. It brings the resources of the app images to the pods, so that
// those seen before it are no measure for what is seen later: an app image that
// was changed, and is as before again, would look like resources that somebody
// else has stored. Nor is a text that ends otherwise then somebody's redeploy.
func (d Private) AfterSending() Private {
	d.Baselines, d.TrailingNewline = nil, ""
	return d
}

// ObserveReplicas notes a party that is new to the state and was never given a
// number of replicas, until it is given one.
func (d Private) ObserveReplicas(key party.Key, known bool, stored *int32) Private {
	name := key.String()
	noted := slices.Contains(d.ObservedReplicas, name)
	switch {
	case stored == nil && !known && !noted:
		d.ObservedReplicas = append(slices.Clone(d.ObservedReplicas), name)
	case stored != nil && noted:
		d.ObservedReplicas = slices.DeleteFunc(slices.Clone(d.ObservedReplicas), func(other string) bool { return other == name })
	}
	return d
}

// WithContainers notes for which containers Kuscia stores resources of a party.
func (d Private) WithContainers(key party.Key, names []string) Private {
	containers := make(map[string][]string, len(d.Containers)+1)
	for party, stored := range d.Containers {
		containers[party] = stored
	}
	containers[key.String()] = names
	d.Containers = containers
	return d
}

// Unmanaged reports whether resources of a party would be somebody else's doing.
func (d Private) Unmanaged(p Party) bool {
	return !p.Resources.Spec().IsSet() && !d.ResourcesObserved(p.Key())
}

// WithBaseline notes the resources of a party as they were last seen.
func (d Private) WithBaseline(key party.Key, last ResourceBaseline) Private {
	seen := make(map[string]ResourceBaseline, len(d.Baselines)+1)
	maps.Copy(seen, d.Baselines)
	seen[key.String()] = last
	d.Baselines = seen
	return d
}

// KeepBaselines forgets the parties that are not watched any more.
func (d Private) KeepBaselines(parties []Party) Private {
	before := d.Baselines
	d.Baselines = nil
	for _, p := range parties {
		if last, known := before[p.Key().String()]; known && d.Unmanaged(p) {
			d = d.WithBaseline(p.Key(), last)
		}
	}
	return d
}
