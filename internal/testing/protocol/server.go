package protocol

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Server is a provider with its schemas.
type Server struct {
	tfprotov6.ProviderServer
	Schemas *tfprotov6.GetProviderSchemaResponse
	// Context is the context of all calls.
	Context context.Context
}

// NewServer reads the schemas of a provider.
func NewServer(t Failer, server tfprotov6.ProviderServer) *Server {
	t.Helper()
	s := &Server{ProviderServer: server, Context: context.Background()}
	schemas, err := server.GetProviderSchema(s.Context, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	Check(t, nil, schemas.Diagnostics)
	s.Schemas = schemas
	return s
}

// Configure configures the provider.
func (s *Server) Configure(t Failer, block Object) *Server {
	t.Helper()
	configured, err := s.ConfigureProvider(s.Context, &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.14.0", Config: Encode(Value(s.Schemas.Provider.ValueType(), objectOrEmpty(block))),
	})
	if err != nil {
		t.Fatal(err)
	}
	Check(t, nil, configured.Diagnostics)
	return s
}

// Resource is a resource type of a server.
type Resource struct {
	*Server
	// Type is its name, Kind the type of its values.
	Type   string
	Kind   tftypes.Type
	schema *tfprotov6.Schema
}

// Resource returns the resource type with this name.
func (s *Server) Resource(t Failer, name string) *Resource {
	t.Helper()
	schema := s.Schemas.ResourceSchemas[name]
	if schema == nil {
		t.Fatal("there is no resource " + name)
	}
	return &Resource{Server: s, Type: name, Kind: schema.ValueType(), schema: schema}
}

// State is what a CLI stores for a resource.
type State struct {
	Value   tftypes.Value
	Private []byte
	// Identity is nil if there is none.
	Identity *tfprotov6.ResourceIdentityData
}

// None is the state of a resource that does not exist.
func (r *Resource) None() State { return State{Value: tftypes.NewValue(r.Kind, nil)} }

// At is the value of an attribute, by its path of names.
func (s State) At(names ...string) tftypes.Value {
	value := s.Value
	for _, name := range names {
		value = Fields(value)[name]
	}
	return value
}

// Text is the text of an attribute, "" if it is unknown.
func (s State) Text(names ...string) string {
	if value := s.At(names...); value.IsKnown() && !value.IsNull() {
		return Text(value)
	}
	return ""
}

// With is the state with other strings in top-level attributes, and without an
// identity, as after an upgrade.
func (s State) With(texts map[string]string) State {
	fields := maps.Clone(Fields(s.Value))
	for name, text := range texts {
		fields[name] = tftypes.NewValue(tftypes.String, text)
	}
	return State{Value: tftypes.NewValue(s.Value.Type(), fields), Private: s.Private}
}

// Validate returns the response to a validation.
func (r *Resource) Validate(t Failer, config tftypes.Value) *tfprotov6.ValidateResourceConfigResponse {
	t.Helper()
	response, err := r.ValidateResourceConfig(r.Context, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: r.Type, Config: Encode(config),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// Proposed is the proposed new state for a configuration.
func (r *Resource) Proposed(prior, config tftypes.Value) tftypes.Value {
	return Proposed(r.schema.Block.Attributes, prior, config)
}

// Plan returns the response to a plan; planned is its value.
func (r *Resource) Plan(t Failer, config tftypes.Value, prior State) (response *tfprotov6.PlanResourceChangeResponse, planned tftypes.Value) {
	t.Helper()
	response, err := r.PlanResourceChange(r.Context, &tfprotov6.PlanResourceChangeRequest{
		TypeName: r.Type, Config: Encode(config), PriorState: Encode(prior.Value),
		ProposedNewState: Encode(r.Proposed(prior.Value, config)), PriorPrivate: prior.Private, PriorIdentity: prior.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return response, Decode(r.Kind, response.PlannedState)
}

// Apply plans and applies a configuration. For a replacement the provider plans
// the create too before anything is deleted, and again afterwards, as with the
// CLI. It returns the state afterwards and all diagnostics of plan and apply.
func (r *Resource) Apply(t Failer, config tftypes.Value, prior State) (State, string) {
	t.Helper()
	plan, _ := r.Plan(t, config, prior)
	said := Messages(plan.Diagnostics)
	if Failed(plan.Diagnostics) {
		return prior, said
	}
	if r.Replaces(plan, prior) {
		second, _ := r.PlanReplacement(t, config, plan)
		said += Messages(second.Diagnostics)
		if Failed(second.Diagnostics) {
			return prior, said
		}
		gone, more := r.Delete(t, prior)
		if !gone.Value.IsNull() {
			return gone, said + more
		}
		made, more := r.Apply(t, config, r.None())
		return made, said + more
	}
	made := r.Change(t, config, prior, plan)
	return State{Decode(r.Kind, made.NewState), made.Private, made.NewIdentity}, said + Messages(made.Diagnostics)
}

// Replaces reports whether a plan replaces an existing object: a value at one of
// the paths that require it differs.
func (r *Resource) Replaces(plan *tfprotov6.PlanResourceChangeResponse, prior State) bool {
	planned := Decode(r.Kind, plan.PlannedState)
	return !prior.Value.IsNull() && slices.ContainsFunc(plan.RequiresReplace, func(path *tftypes.AttributePath) bool {
		return !equalAt(path, prior.Value, planned)
	})
}

// PlanReplacement returns the response to the plan of the create in a
// replacement; planned is its value. A CLI passes the planned private state of
// the old object.
func (r *Resource) PlanReplacement(t Failer, config tftypes.Value, plan *tfprotov6.PlanResourceChangeResponse) (response *tfprotov6.PlanResourceChangeResponse, planned tftypes.Value) {
	t.Helper()
	return r.Plan(t, config, State{Value: r.None().Value, Private: plan.PlannedPrivate})
}

func equalAt(path *tftypes.AttributePath, a, b tftypes.Value) bool {
	x, _, errX := tftypes.WalkAttributePath(a, path)
	y, _, errY := tftypes.WalkAttributePath(b, path)
	if errX != nil || errY != nil {
		return errX != nil && errY != nil
	}
	left, ok := x.(tftypes.Value)
	right, alike := y.(tftypes.Value)
	return ok && alike && left.Equal(right)
}

// Change applies a plan.
func (r *Resource) Change(t Failer, config tftypes.Value, prior State, plan *tfprotov6.PlanResourceChangeResponse) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	made, err := r.ApplyResourceChange(r.Context, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: r.Type, Config: Encode(config), PriorState: Encode(prior.Value),
		PlannedState: plan.PlannedState, PlannedPrivate: plan.PlannedPrivate, PlannedIdentity: plan.PlannedIdentity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Create plans and creates a resource; any diagnostic ends the test.
func (r *Resource) Create(t Failer, config tftypes.Value) State {
	t.Helper()
	plan, _ := r.Plan(t, config, r.None())
	Check(t, nil, plan.Diagnostics)
	made := r.Change(t, config, r.None(), plan)
	Check(t, nil, made.Diagnostics)
	return State{Decode(r.Kind, made.NewState), made.Private, made.NewIdentity}
}

// Delete deletes a resource.
func (r *Resource) Delete(t Failer, prior State) (State, string) {
	t.Helper()
	made := r.Destroy(t, prior)
	return State{Decode(r.Kind, made.NewState), made.Private, made.NewIdentity}, Messages(made.Diagnostics)
}

// Destroy returns the response to a delete.
func (r *Resource) Destroy(t Failer, prior State) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	null := r.None().Value
	return r.Change(t, null, prior, &tfprotov6.PlanResourceChangeResponse{
		PlannedState: Encode(null), PlannedPrivate: prior.Private, PlannedIdentity: prior.Identity,
	})
}

// Read returns the response to a refresh.
func (r *Resource) Read(t Failer, prior State) (response *tfprotov6.ReadResourceResponse, state State) {
	t.Helper()
	response, err := r.ReadResource(r.Context, &tfprotov6.ReadResourceRequest{
		TypeName: r.Type, CurrentState: Encode(prior.Value), Private: prior.Private, CurrentIdentity: prior.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return response, State{Decode(r.Kind, response.NewState), response.Private, response.NewIdentity}
}

// Import imports a resource by its import id and reads it. What is said leaves out the warning of
// every import without a cluster, see ImportWithWarnings.
func (r *Resource) Import(t Failer, id string) (State, string) {
	t.Helper()
	return r.imported(t, &tfprotov6.ImportResourceStateRequest{TypeName: r.Type, ID: id}, isUsual)
}

// ImportWithWarnings is Import with all that is said.
func (r *Resource) ImportWithWarnings(t Failer, id string) (State, string) {
	t.Helper()
	return r.imported(t, &tfprotov6.ImportResourceStateRequest{TypeName: r.Type, ID: id}, func(*tfprotov6.Diagnostic) bool { return false })
}

// isUsual reports whether a diagnostic is the warning of fields that nobody can see.
func isUsual(d *tfprotov6.Diagnostic) bool {
	return d.Severity == tfprotov6.DiagnosticSeverityWarning && strings.HasSuffix(d.Summary, " may have fields that are not imported")
}

// ImportIdentity imports a resource by its identity and reads it.
func (r *Resource) ImportIdentity(t Failer, identity *tfprotov6.ResourceIdentityData) (State, string) {
	t.Helper()
	return r.imported(t, &tfprotov6.ImportResourceStateRequest{TypeName: r.Type, Identity: identity}, isUsual)
}

func (r *Resource) imported(t Failer, request *tfprotov6.ImportResourceStateRequest, without func(*tfprotov6.Diagnostic) bool) (State, string) {
	t.Helper()
	response, err := r.ImportResourceState(r.Context, request)
	if err != nil {
		t.Fatal(err)
	}
	response.Diagnostics = slices.DeleteFunc(response.Diagnostics, without)
	if len(response.ImportedResources) != 1 {
		return r.None(), Messages(response.Diagnostics)
	}
	imported := response.ImportedResources[0]
	read, state := r.Read(t, State{Decode(r.Kind, imported.State), imported.Private, imported.Identity})
	read.Diagnostics = slices.DeleteFunc(read.Diagnostics, without)
	return state, Messages(response.Diagnostics) + Messages(read.Diagnostics)
}

// Move returns the response to a moved block, and the state that it leads to.
// The request names the source.
func (r *Resource) Move(t Failer, source tfprotov6.MoveResourceStateRequest) (response *tfprotov6.MoveResourceStateResponse, state State) {
	t.Helper()
	source.TargetTypeName = r.Type
	response, err := r.MoveResourceState(r.Context, &source)
	if err != nil {
		t.Fatal(err)
	}
	return response, State{Decode(r.Kind, response.TargetState), response.TargetPrivate, response.TargetIdentity}
}

// Identity is an identity of the resource type as Go values.
func (r *Resource) Identity(t Failer, identity *tfprotov6.ResourceIdentityData) Object {
	t.Helper()
	schema := r.IdentitySchema(t)
	if schema == nil || identity == nil {
		t.Fatal("there is no identity of " + r.Type)
	}
	plain, _ := Plain(Decode(schema.ValueType(), identity.IdentityData)).(Object)
	return plain
}

// IdentityData is an identity of the resource type from Go values; nil is null.
func (r *Resource) IdentityData(t Failer, identity Object) *tfprotov6.ResourceIdentityData {
	t.Helper()
	kind := r.IdentitySchema(t).ValueType()
	if identity == nil {
		return &tfprotov6.ResourceIdentityData{IdentityData: Encode(tftypes.NewValue(kind, nil))}
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: Encode(Value(kind, identity))}
}

// IdentitySchema is the schema of the identity, nil if the type has none.
func (r *Resource) IdentitySchema(t Failer) *tfprotov6.ResourceIdentitySchema {
	t.Helper()
	schemas, err := r.GetResourceIdentitySchemas(r.Context, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return schemas.IdentitySchemas[r.Type]
}

// Upgrade returns the response to the upgrade of a stored state.
func (r *Resource) Upgrade(t Failer, state tftypes.Value) *tfprotov6.UpgradeResourceStateResponse {
	t.Helper()
	response, err := r.UpgradeResourceState(r.Context, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: r.Type, Version: r.schema.Version, RawState: &tfprotov6.RawState{JSON: JSON(state)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return response
}
