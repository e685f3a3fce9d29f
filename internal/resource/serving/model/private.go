package model

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// PrivateKey is the key of Private in the private state.
const PrivateKey privatestate.Key[Private] = "serving"

// Private is the private state: what plans and refreshes need and no attribute
// has.
type Private struct {
	// Imported is set until the first update after an import. What the API does
	// not return (affinity_mode, redeploy_triggers, replace_triggers, follow_app_image,
	// wait_for_rollout, progress_deadline, timeouts) is unknown until then, and
	// differences in it are ignored.
	Imported bool `json:"imported,omitempty"`
	// CreateOutcomeUnknown is set if the response to the create was lost and no query has
	// found the serving: a serving with this id may have been created by another client.
	CreateOutcomeUnknown bool `json:"uncertain,omitempty"`
	// Containers has, for each party whose resources Kuscia stores, the
	// containers with stored resources. They are fixed when resources are first
	// set (Kuscia v1.1), whatever containers the app image has later.
	Containers map[string][]string `json:"containers,omitempty"`
	// Ports has the ports of each party at the creation of the serving. Kuscia
	// allocates ports only then, and shows only those with endpoints.
	Ports map[string][]string `json:"ports,omitempty"`
	// ObservedResources are the parties whose resources in the state were read from
	// Kuscia rather than configured.
	ObservedResources []string `json:"observed,omitempty"`
	// ObservedConfig is set if serving_input_config was read rather than
	// configured: a configuration without it keeps the text.
	ObservedConfig bool `json:"observed_config,omitempty"`
	// Deployed has what is known about the pods of each party.
	Deployed map[string]DeployedParty `json:"deployed,omitempty"`
	// ConfigEnding is how the configuration text ended when it was last read,
	// which a redeploy changes; "" if unknown. It reveals nothing else about the
	// text.
	ConfigEnding string `json:"trailing_newline,omitempty"`
	// Rollout is the last update while its rollout is not complete; nil
	// otherwise.
	Rollout *PendingRollout `json:"rollout,omitempty"`
	// ObservedReplicas are the parties whose replicas were never configured: the
	// state has the replicas of the app image.
	ObservedReplicas []string `json:"observed_replicas,omitempty"`
	// RefreshDigest identifies the last response and the state and private state
	// that it left unchanged, as far as the versions of its objects are known.
	RefreshDigest string `json:"refresh_digest,omitempty"`
}

// WithoutCreation returns the private state without what was recorded when the serving
// was created or updated: it is a new one, about which nothing is known.
func (d Private) WithoutCreation() Private {
	d.Ports, d.Containers, d.Deployed = nil, nil, nil
	return d
}

// ContainersOf returns the containers for which Kuscia stores resources of a
// party.
func (d Private) ContainersOf(key party.Key) []string { return d.Containers[key.String()] }

// ResourcesObserved reports whether the resources of a party were read from Kuscia rather than configured.
func (d Private) ResourcesObserved(key party.Key) bool {
	return slices.Contains(d.ObservedResources, key.String())
}

// KeepsReplicas reports whether a configured party keeps the number of replicas
// that was read.
func (d Private) KeepsReplicas(configured Party, key party.Key) bool {
	return configured.Replicas.IsNull() && slices.Contains(d.ObservedReplicas, key.String())
}

// KeepsObserved reports whether planned resources that set nothing keep those
// that were read from Kuscia.
func (d Private) KeepsObserved(key party.Key, planned Resources) bool {
	return d.ResourcesObserved(key) && planned.Known() && !planned.Spec().IsSet()
}

// AfterUpdate returns the private state after an accepted update: what the API
// does not return (see Imported) is known from then on, and only what the
// configuration leaves out keeps the value that was read.
func (d Private) AfterUpdate(config Serving) Private {
	configured := config.Parties.Items
	observed, replicas := d.ObservedResources, d.ObservedReplicas
	d.Imported, d.ObservedResources, d.ObservedReplicas = false, nil, nil
	d.ObservedConfig = KeepsObservedConfig(config, d)
	for _, p := range configured {
		key := p.Key()
		if !p.Resources.Spec().IsSet() && slices.Contains(observed, key.String()) {
			d.ObservedResources = append(d.ObservedResources, key.String())
		}
		if p.Replicas.IsNull() && slices.Contains(replicas, key.String()) {
			d.ObservedReplicas = append(d.ObservedReplicas, key.String())
		}
	}
	return d
}

// AfterSending returns the private state after an update was sent, with or
// without a response: another trailing newline of the text is then no sign of a
// redeploy by another client.
func (d Private) AfterSending() Private {
	d.ConfigEnding = ""
	return d
}

// ObserveReplicas records a party that is new in the state and has no configured
// replicas, until they are configured.
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

// WithContainers records for which containers Kuscia stores resources of a
// party.
func (d Private) WithContainers(key party.Key, names []string) Private {
	containers := make(map[string][]string, len(d.Containers)+1)
	for party, stored := range d.Containers {
		containers[party] = stored
	}
	containers[key.String()] = names
	d.Containers = containers
	return d
}

// Equal reports whether two private states are stored identically.
func (d Private) Equal(other Private) bool {
	a, errA := json.Marshal(d)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// PrivateFromProtocol decodes the private state of a request. ok is false if it has anything else,
// or nothing.
func PrivateFromProtocol(private map[string][]byte) (data Private, ok bool) {
	raw, ok := private[string(PrivateKey)]
	if !ok || len(private) != 1 {
		return data, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return data, decoder.Decode(&data) == nil
}
