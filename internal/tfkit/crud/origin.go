package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// Origin is the part of a private state that says how the object came into the
// state. A resource with a private state of its own embeds it there.
type Origin struct {
	// Imported is set after an import until the first update: values that the
	// server does not store are unknown until the configuration sets them.
	Imported bool `json:"imported,omitempty"`
	// Observed is set if an import has read strings with a write-only
	// alternative. They are kept until the configuration sets all of them,
	// since a generated configuration does not contain them.
	Observed bool `json:"observed,omitempty"`
	// Uncertain is set if the response to the create was lost and no lookup has
	// found the object: an object of this id may belong to another client.
	Uncertain bool `json:"uncertain,omitempty"`
	// Unread is set from a move of another provider's state until the first read:
	// the state has only the identity.
	Unread bool `json:"unread,omitempty"`
	// Unready is set if the wait after an update has failed, until a read finds the
	// object ready.
	Unready bool `json:"unready,omitempty"`
}

// WithoutID returns the state of an object whose create has an unknown outcome: its id
// is "". Terraform does not pass the private state on to the delete of a tainted object
// that it replaces, so that only the state can say that the object may belong to another
// client.
func WithoutID(d *definition.Definition, state definition.Value) definition.Value {
	return d.With(state, map[string]definition.Value{attrID: definition.StringValue("")})
}

// IsUncertain reports whether it is unknown if the object of a state was created, see
// WithoutID.
func (o Origin) IsUncertain(state definition.Value) bool {
	return o.Uncertain || definition.Equal(definition.FieldsOf(state)[attrID], definition.StringValue(""))
}

// isSettled reports whether a read and a plan depend only on the state.
func (o Origin) isSettled() bool {
	return !o.Uncertain && !o.Imported && !o.Unread && !o.Unready
}

// ImportedOrigin is the Origin of a state that was imported or moved.
func ImportedOrigin(d *definition.Definition) Origin {
	return Origin{Imported: true, Observed: d.HasWriteOnly()}
}

// Configured returns the configuration to plan from, with the strings that only
// the state has, and the Origin after the plan.
func (o Origin) Configured(d *definition.Definition, config, state definition.Value) (complete definition.Value, next Origin) {
	if !o.Observed || state.IsNull() {
		return config, o
	}
	var observed []path.Path
	complete, observed = d.KeepObserved(config, state)
	o.Observed = len(observed) > 0
	return complete, o
}

// CheckReplacement refuses a replacement that would lose strings that only the
// state has. Terraform plans one as a new object, with this Origin.
func (o Origin) CheckReplacement(d *definition.Definition, title string, config, state definition.Value, diags *diag.Diagnostics) {
	if o.Observed && state.IsNull() && !diags.HasError() {
		definition.RefuseSecretLoss(title, d.UnsetSecrets(config), diags)
	}
}

// AfterUpdate returns the Origin after an update.
func (o Origin) AfterUpdate(d *definition.Definition, config, planned definition.Value) Origin {
	_, o = o.Configured(d, config, planned)
	o.Imported = false
	return o
}

// Keys of an Origin in the private state of a Resource.
const (
	uncertainKey = "uncertain"
	importedKey  = "imported"
	observedKey  = "observed"
	unreadKey    = "unread"
	unreadyKey   = "unready"
)

// flags are the values of an Origin by key.
func (o *Origin) flags() map[string]*bool {
	return map[string]*bool{uncertainKey: &o.Uncertain, importedKey: &o.Imported, observedKey: &o.Observed, unreadKey: &o.Unread, unreadyKey: &o.Unready}
}

func loadOrigin(ctx context.Context, from privatestate.Getter, diags *diag.Diagnostics) (o Origin) {
	for key, flag := range o.flags() {
		value, more := from.GetKey(ctx, key)
		diags.Append(more...)
		*flag = string(value) == "true"
	}
	return o
}

// save saves the flags that differ from before.
func (o Origin) save(ctx context.Context, to privatestate.Setter, before Origin) (diags diag.Diagnostics) {
	old := before.flags()
	for key, flag := range o.flags() {
		switch {
		case *flag == *old[key]:
		case *flag:
			diags.Append(to.SetKey(ctx, key, []byte("true"))...)
		default:
			diags.Append(to.SetKey(ctx, key, nil)...)
		}
	}
	return diags
}

// originFromProtocol is loadOrigin for a shortcut. ok is false if the private
// state has anything else.
func originFromProtocol(private map[string][]byte) (o Origin, ok bool) {
	flags := o.flags()
	for key, value := range private {
		flag, known := flags[key]
		if !known {
			return o, false
		}
		*flag = string(value) == "true"
	}
	return o, true
}
