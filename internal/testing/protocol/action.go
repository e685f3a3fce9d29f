package protocol

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Invoke validates, plans and invokes an action, as the CLI does. It returns the progress
// messages and the diagnostics.
func (s *Server) Invoke(t Failer, name string, config Object) (progress []string, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	actions, ok := s.ProviderServer.(tfprotov6.ActionServer)
	action := s.Schemas.ActionSchemas[name]
	if !ok || action == nil {
		t.Fatal("there is no action " + name)
	}
	encoded := Encode(Value(action.Schema.ValueType(), config))
	valid, err := actions.ValidateActionConfig(s.Context, &tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	if len(valid.Diagnostics) > 0 {
		return nil, valid.Diagnostics
	}
	planned, err := actions.PlanAction(s.Context, &tfprotov6.PlanActionRequest{ActionType: name, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	if Failed(planned.Diagnostics) {
		return nil, planned.Diagnostics
	}
	stream, err := actions.InvokeAction(s.Context, &tfprotov6.InvokeActionRequest{ActionType: name, Config: encoded})
	if err != nil {
		t.Fatal(err)
	}
	completed := false
	for event := range stream.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, e.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			completed, diagnostics = true, e.Diagnostics
		}
	}
	if !completed {
		t.Fatal("the action did not complete")
	}
	return progress, diagnostics
}
