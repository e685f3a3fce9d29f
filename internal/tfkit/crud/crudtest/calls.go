package crudtest

import (
	"context"
	"encoding/json"
	"maps"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// State is what Terraform keeps of a resource.
type State struct {
	Value   definition.Value
	Private []byte
	// Identity is nil as long as there is none.
	Identity *tfprotov6.ResourceIdentityData
}

// None is the state of a resource that does not exist.
func (s *Server) None() State { return State{Value: tftypes.NewValue(s.kind, nil)} }

// Messages are diagnostics as text, errors first in their line.
func Messages(diagnostics []*tfprotov6.Diagnostic) string {
	lines := make([]string, len(diagnostics))
	for i, d := range diagnostics {
		lines[i] = d.Severity.String() + ": " + d.Attribute.String() + ": " + d.Summary + ": " + d.Detail
	}
	return strings.Join(lines, "\n")
}

// Validate answers a validation.
func (s *Server) Validate(t failer, config definition.Value) *tfprotov6.ValidateResourceConfigResponse {
	t.Helper()
	answer, err := s.ValidateResourceConfig(context.Background(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: s.Type, Config: s.encode(t, config),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// Plan answers a plan; planned is its value.
func (s *Server) Plan(t failer, config definition.Value, prior State) (answer *tfprotov6.PlanResourceChangeResponse, planned definition.Value) {
	t.Helper()
	answer, err := s.PlanResourceChange(context.Background(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: s.Type, Config: s.encode(t, config), PriorState: s.encode(t, prior.Value),
		ProposedNewState: s.encode(t, s.proposed(config)), PriorPrivate: prior.Private, PriorIdentity: prior.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer, s.decode(t, answer.PlannedState)
}

// proposed is a configuration without its write-only values, as Terraform
// proposes it. What it leaves out the resource fills in itself.
func (s *Server) proposed(config definition.Value) definition.Value {
	proposed, err := tftypes.Transform(config, func(at *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		steps := at.Steps()
		if len(steps) > 0 {
			if name, ok := steps[len(steps)-1].(tftypes.AttributeName); ok && strings.HasSuffix(string(name), "_wo") {
				return tftypes.NewValue(v.Type(), nil), nil
			}
		}
		return v, nil
	})
	if err != nil {
		return config
	}
	return proposed
}

// Apply plans and applies a configuration, a replacement as two applies. It
// returns the state afterwards and all messages of plan and apply.
func (s *Server) Apply(t failer, config definition.Value, prior State) (State, string) {
	t.Helper()
	plan, _ := s.Plan(t, config, prior)
	said := Messages(plan.Diagnostics)
	if failed(plan.Diagnostics) {
		return prior, said
	}
	if len(plan.RequiresReplace) > 0 && !prior.Value.IsNull() {
		gone, more := s.Delete(t, prior)
		if !gone.Value.IsNull() {
			return gone, said + more
		}
		made, more := s.Apply(t, config, s.None())
		return made, said + more
	}
	made, err := s.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: s.Type, Config: s.encode(t, config), PriorState: s.encode(t, prior.Value),
		PlannedState: plan.PlannedState, PlannedPrivate: plan.PlannedPrivate, PlannedIdentity: plan.PlannedIdentity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return State{s.decode(t, made.NewState), made.Private, made.NewIdentity}, said + Messages(made.Diagnostics)
}

func failed(diagnostics []*tfprotov6.Diagnostic) bool {
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

// Delete deletes a resource.
func (s *Server) Delete(t failer, prior State) (State, string) {
	t.Helper()
	null := s.encode(t, tftypes.NewValue(s.kind, nil))
	made, err := s.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: s.Type, Config: null, PlannedState: null, PriorState: s.encode(t, prior.Value), PlannedPrivate: prior.Private,
	})
	if err != nil {
		t.Fatal(err)
	}
	return State{s.decode(t, made.NewState), made.Private, made.NewIdentity}, Messages(made.Diagnostics)
}

// Read answers a refresh.
func (s *Server) Read(t failer, prior State) (answer *tfprotov6.ReadResourceResponse, state State) {
	t.Helper()
	answer, err := s.ReadResource(context.Background(), &tfprotov6.ReadResourceRequest{
		TypeName: s.Type, CurrentState: s.encode(t, prior.Value), Private: prior.Private, CurrentIdentity: prior.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer, State{s.decode(t, answer.NewState), answer.Private, answer.NewIdentity}
}

// Import imports a resource and reads it.
func (s *Server) Import(t failer, id string) (State, string) {
	t.Helper()
	answer, err := s.ImportResourceState(context.Background(), &tfprotov6.ImportResourceStateRequest{TypeName: s.Type, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.ImportedResources) != 1 {
		return s.None(), Messages(answer.Diagnostics)
	}
	imported := answer.ImportedResources[0]
	read, state := s.Read(t, State{s.decode(t, imported.State), imported.Private, imported.Identity})
	return state, Messages(answer.Diagnostics) + Messages(read.Diagnostics)
}

// Upgrade answers the upgrade of a stored state.
func (s *Server) Upgrade(t failer, state definition.Value) *tfprotov6.UpgradeResourceStateResponse {
	t.Helper()
	text, err := json.Marshal(plain(state))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.UpgradeResourceState(context.Background(), &tfprotov6.UpgradeResourceStateRequest{TypeName: s.Type, RawState: &tfprotov6.RawState{JSON: text}})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// plain is a known value as JSON has it.
func plain(value definition.Value) any {
	switch {
	case value.IsNull():
		return nil
	case value.Type().Is(tftypes.String):
		return definition.TextOf(value)
	case value.Type().Is(tftypes.Bool):
		return definition.BoolOf(value)
	case value.Type().Is(tftypes.Number):
		number := new(big.Float)
		_ = value.As(&number)
		return json.Number(number.Text('f', -1))
	case value.Type().Is(tftypes.List{}):
		elements := []any{}
		for _, element := range definition.ElementsOf(value) {
			elements = append(elements, plain(element))
		}
		return elements
	default:
		object := map[string]any{}
		for name, field := range maps.All(definition.FieldsOf(value)) {
			object[name] = plain(field)
		}
		return object
	}
}
