package serving

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// model is kuscia_serving as Terraform holds it in configuration, plan and
// state. It is decoded once, where a value of Terraform comes in (getModel), and
// encoded once, where one goes out (encode).
type model struct {
	attributes
	Parties parties
}

// attributes are those that the rules use as the framework has them.
type attributes struct {
	ID                 types.String       `tfsdk:"id"`
	ServingID          types.String       `tfsdk:"serving_id"`
	Initiator          types.String       `tfsdk:"initiator"`
	ServingInputConfig tfvalue.ConfigText `tfsdk:"serving_input_config"`
	// ServingInputConfigWO is in a configuration only; plan and state have null.
	ServingInputConfigWO      tfvalue.ConfigText `tfsdk:"serving_input_config_wo"`
	ServingInputConfigVersion types.Int64        `tfsdk:"serving_input_config_wo_version"`
	AffinityMode              types.String       `tfsdk:"affinity_mode"`
	RedeployTriggers          types.Map          `tfsdk:"redeploy_triggers"`
	ReplaceTriggers           types.Map          `tfsdk:"replace_triggers"`
	WaitForRollout            types.Bool         `tfsdk:"wait_for_rollout"`
	ProgressDeadline          types.String       `tfsdk:"progress_deadline"`
	// RolloutComplete is false as long as nobody has seen the last rollout end,
	// and null where nobody waits for it or where it was never looked at.
	RolloutComplete types.Bool     `tfsdk:"rollout_complete"`
	CreateTime      types.String   `tfsdk:"create_time"`
	Endpoints       types.List     `tfsdk:"endpoints"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`
}

// parties is the list of all parties. In a configuration it, an element or a part
// of an element may be unknown. The zero value is null.
type parties struct {
	items []party
	state attr.ValueState
}

// partiesOf is a known list.
func partiesOf(items ...party) parties { return parties{items: items, state: attr.ValueStateKnown} }

func unknownParties() parties { return parties{state: attr.ValueStateUnknown} }

func (l parties) isNull() bool { return l.state == attr.ValueStateNull }

func (l parties) isUnknown() bool { return l.state == attr.ValueStateUnknown }

// equal reports whether two lists are the same to the letter.
func (l parties) equal(other parties) bool {
	return l.state == other.state && slices.EqualFunc(l.items, other.items, party.equal)
}

// party is one element of parties. unknown and null stand for an element that is
// so as a whole.
type party struct {
	unknown, null     bool
	domainID          types.String
	role              types.String
	appImage          types.String
	replicas          types.Int32
	serviceNamePrefix types.String
	strategy          strategy
	resources         resourceList
}

// strategy is update_strategy taken apart.
type strategy struct {
	unknown, null            bool
	kind, surge, unavailable types.String
}

// resourceList is the resources list taken apart.
type resourceList struct {
	unknown, null bool
	items         []containerResources
}

// containerResources is one element of resources; an empty container name
// stands for all containers.
type containerResources struct {
	unknown                              bool
	container                            types.String
	minCPU, maxCPU, minMemory, maxMemory tfvalue.Quantity
}

// partyKey identifies a party within a serving.
type partyKey struct{ domainID, role string }

// String is the form in which Kuscia's own messages name a party.
func (k partyKey) String() string { return k.domainID + "/" + k.role }

func (p party) key() partyKey { return partyKey{p.domainID.ValueString(), p.role.ValueString()} }

// keyKnown reports whether the party can be identified.
func (p party) keyKnown() bool {
	return !p.unknown && !p.domainID.IsUnknown() && !p.role.IsUnknown()
}

// known reports whether nothing in the party is unknown.
func (p party) known() bool {
	return p.keyKnown() && !p.appImage.IsUnknown() && !p.replicas.IsUnknown() &&
		!p.serviceNamePrefix.IsUnknown() && p.strategy.known() && p.resources.known()
}

func (p party) equal(other party) bool {
	if p.unknown || other.unknown {
		return p.unknown == other.unknown
	}
	return p.domainID == other.domainID && p.role == other.role && p.appImage == other.appImage && p.replicas == other.replicas &&
		p.serviceNamePrefix == other.serviceNamePrefix && p.strategy.equal(other.strategy) && p.resources.equal(other.resources)
}

func (s strategy) equal(other strategy) bool {
	if s.unknown || other.unknown || s.null || other.null {
		return s.unknown == other.unknown && (s.unknown || s.null == other.null)
	}
	return s == other
}

func (s strategy) known() bool {
	return !s.unknown && !s.kind.IsUnknown() && !s.surge.IsUnknown() && !s.unavailable.IsUnknown()
}

func (l resourceList) equal(other resourceList) bool {
	if l.unknown || other.unknown || l.null || other.null {
		return l.unknown == other.unknown && (l.unknown || l.null == other.null)
	}
	return slices.EqualFunc(l.items, other.items, containerResources.equal)
}

func (r containerResources) equal(other containerResources) bool {
	return r == other || r.unknown && other.unknown
}

func (l resourceList) known() bool {
	if l.unknown {
		return false
	}
	for _, item := range l.items {
		if !item.known() {
			return false
		}
	}
	return true
}

func (r containerResources) known() bool {
	return !r.unknown && !r.container.IsUnknown() && !r.minCPU.IsUnknown() && !r.maxCPU.IsUnknown() &&
		!r.minMemory.IsUnknown() && !r.maxMemory.IsUnknown()
}
