package serving

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// privateKey is where privateData is kept beside the state.
const privateKey = "serving"

// privateData is what the rules need to know and no attribute shows.
type privateData struct {
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
	// Seen has what was last seen of each party for which neither the
	// configuration nor the state has resources.
	Seen map[string]sighting `json:"seen,omitempty"`
	// Deployed has what is known of the pods of each party.
	Deployed map[string]deployedParty `json:"deployed,omitempty"`
	// TextEnd says how the configuration text ended when it was last seen, which
	// is what a redeploy changes; "" is not known. It tells nothing of the text.
	TextEnd string `json:"text_end,omitempty"`
	// Rollout is the update whose end nobody has seen; nil for none.
	Rollout *rollout `json:"rollout,omitempty"`
	// ObservedReplicas are the parties to which nobody ever gave a number of
	// replicas: the state shows that of the app image.
	ObservedReplicas []string `json:"observed_replicas,omitempty"`
}

func (d privateData) containers(key partyKey) []string { return d.Containers[key.String()] }

func (d privateData) observed(key partyKey) bool { return slices.Contains(d.Observed, key.String()) }

// keepsReplicas reports whether a party of a configuration stands for the number
// of replicas that was read.
func (d privateData) keepsReplicas(configured party, key partyKey) bool {
	return configured.replicas.IsNull() && slices.Contains(d.ObservedReplicas, key.String())
}

// keepsObserved reports whether a planned list that asks for nothing stands
// for the resources that were read from Kuscia.
func (d privateData) keepsObserved(key partyKey, planned resourceList) bool {
	return d.observed(key) && planned.known() && !planned.form().asks()
}

type privateGetter interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// loadPrivate reads the private data; found is false when there is none.
func loadPrivate(ctx context.Context, from privateGetter, diags *diag.Diagnostics) (data privateData, found bool) {
	raw, more := from.GetKey(ctx, privateKey)
	diags.Append(more...)
	if len(raw) == 0 {
		return privateData{}, false
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		diags.AddError("Unreadable private state",
			"The private part of the stored state is damaged: "+err.Error()+". Remove the serving from the state and import it again.")
	}
	return data, true
}

func savePrivate(ctx context.Context, to privateSetter, data privateData, diags *diag.Diagnostics) {
	raw, err := json.Marshal(data)
	if err != nil {
		diags.AddError("Unable to store private state", err.Error())
		return
	}
	diags.Append(to.SetKey(ctx, privateKey, raw)...)
}

// learn notes the containers of the parties that have come to have resources,
// from the server's answer, and forgets what no longer matters.
func (d privateData) learn(answer *kuscia.Serving, state model) privateData {
	known := d.Containers
	d.Containers = nil
	parties := state.Parties.items
	for _, p := range parties {
		wire := findWire(answer.Parties, p.key())
		if wire == nil || !p.resources.form().asks() {
			continue
		}
		names := known[p.key().String()]
		if len(names) == 0 {
			names = answerContainers(wire.Resources)
		}
		d = d.withContainers(p.key(), names)
	}
	d.Uncertain, d.TextEnd = false, textEnd(answer)
	return d.keepSeen(parties)
}

// afterUpdate is the private data once an update was accepted: what only the
// state knows is settled, and only what is left out of the configuration still
// shows what was read.
func (d privateData) afterUpdate(config model) privateData {
	configured := config.Parties.items
	observed, replicas := d.Observed, d.ObservedReplicas
	d.Imported, d.Observed, d.ObservedReplicas = false, nil, nil
	d.ObservedConfig = keepsConfig(config, d)
	for _, p := range configured {
		key := partyKey{p.domainID.ValueString(), p.role.ValueString()}
		if !p.resources.form().asks() && slices.Contains(observed, key.String()) {
			d.Observed = append(d.Observed, key.String())
		}
		if p.replicas.IsNull() && slices.Contains(replicas, key.String()) {
			d.ObservedReplicas = append(d.ObservedReplicas, key.String())
		}
	}
	return d
}

// afterSending is the private data once an update was sent, whether or not its
// answer came. It brings the resources of the app images to the pods, so that
// those seen before it are no measure for what is seen later: an app image that
// was changed, and is as before again, would look like resources that somebody
// else has stored. Nor is a text that ends otherwise then somebody's redeploy.
func (d privateData) afterSending() privateData {
	d.Seen, d.TextEnd = nil, ""
	return d
}
