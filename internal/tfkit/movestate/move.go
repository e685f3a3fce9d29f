package movestate

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Mover moves states into one resource type. A state of the same type, from another
// provider address, is kept as it is.
type Mover struct {
	// Kind is the kind of object that the resource manages, and Known are the
	// kinds of all resources.
	Kind  Kind
	Known KindsSetter
	// Type is the name of the resource type.
	Type string
	// CopyPrivate copies the private state of a resource of the same type.
	CopyPrivate func(context.Context, resource.MoveStateRequest, *resource.MoveStateResponse)
	// StartFromID sets only the id in the state, as an import does.
	StartFromID func(ctx context.Context, id string, resp *resource.MoveStateResponse)
}

// StateMovers implements ResourceWithMoveState: a single mover for all source
// types, which refuses unsupported types with an error that names them.
func (m Mover) StateMovers() []resource.StateMover {
	return []resource.StateMover{{StateMover: m.move}}
}

func (m Mover) move(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceTypeName == m.Type {
		m.same(ctx, req, resp)
		return
	}
	kinds := m.Known.Kinds()
	if kinds == nil {
		kinds = []Kind{m.Kind}
	}
	found, err := Find(kinds, req.SourceTypeName, req.SourceRawState.JSON)
	if err == nil && found.Title != m.Kind.Title {
		err = fmt.Errorf("it is a different object: %s %q", found.Title, found.ID)
	}
	switch {
	case errors.Is(err, ErrUnsupported):
		resp.Diagnostics.AddError("Unable to move this resource type", fmt.Sprintf(
			"%s cannot become %s. It can be moved from: %s. "+
				"Otherwise import the object: put a removed block with destroy = false for the old resource, and an import block for the new one, into the configuration.",
			req.SourceTypeName, m.Type, Sources(m.Kind)))
	case err != nil:
		resp.Diagnostics.AddError("Unable to move "+m.Kind.Title, fmt.Sprintf(
			"This %s cannot become %s: %s. %s can be moved from: %s.", req.SourceTypeName, m.Type, err, m.Type, Sources(m.Kind)))
	default:
		m.StartFromID(ctx, found.ID, resp)
	}
}

// AddNeverRead adds the error of a plan for an object that was moved and never read.
// title is its kind, object is the kind with the name, and server the server that has it.
func AddNeverRead(diags *diag.Diagnostics, title, object, server string) {
	diags.AddError("Unable to plan a moved "+title, fmt.Sprintf(
		"The %s was moved from another provider and must be read from %s before a plan can compare it. Plan without -refresh=false.", object, server))
}

// same keeps the state of the same type from another provider address.
func (m Mover) same(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	target := resp.TargetState.Schema
	if version := target.GetVersion(); req.SourceSchemaVersion != version {
		resp.Diagnostics.AddError("Unable to move between versions of the provider", fmt.Sprintf(
			"The state of this %s was written by %s with schema version %d, and this provider has version %d. First apply with the same version of both, then move.",
			m.Type, req.SourceProviderAddress, req.SourceSchemaVersion, version))
		return
	}
	raw, err := (&tfprotov6.RawState{JSON: req.SourceRawState.JSON}).Unmarshal(target.Type().TerraformType(ctx))
	if err != nil {
		resp.Diagnostics.AddError("Unable to read state to move", fmt.Sprintf(
			"The state of this %s was written by %s and is not what this provider writes: %s", m.Type, req.SourceProviderAddress, err))
		return
	}
	resp.TargetState.Raw = raw
	m.CopyPrivate(ctx, req, resp)
}
