package edgedeployment

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// title is the name of the object in messages.
const title = "edge deployment"

// identity is the resource identity of a deployment.
type identity struct {
	ID         types.String `tfsdk:"id"`
	InstanceID types.String `tfsdk:"instance_id"`
}

// identityOf returns the resource identity of a deployment.
func identityOf(id, instanceID string) map[string]string {
	return map[string]string{"id": id, "instance_id": instanceID}
}

// importID returns the import id of a deployment.
func importID(id, instanceID string) string {
	if instanceID == "" {
		return id
	}
	return instanceID + "/" + id
}

// messageObject returns a deployment for use in messages. id is "" if it is not
// known.
func messageObject(name, id, instanceID string) clients.Object {
	object := clients.Object{Type: kind.ResourceType(), Title: title, Attribute: "name", Name: name, Server: "IEF"}
	if id != "" {
		object.ImportID = httpapi.Text(importID(id, instanceID))
	}
	return object
}

// writeCheck describes a deployment for messages about a read after a write.
func writeCheck(name, id, instanceID string) crud.WriteCheck {
	return crud.WriteCheck{
		Definition: deployment, Object: messageObject(name, id, instanceID),
		Cause: "Either another client changed the deployment at the same time, or IEF does not store the attribute.",
	}
}

var idFormat = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// imported returns the id and the instance of an import.
func imported(ctx context.Context, req resource.ImportStateRequest, diags *diag.Diagnostics) (id string, instanceID types.String) {
	instanceID = types.StringNull()
	if req.ID == "" && req.Identity != nil {
		var given identity
		diags.Append(req.Identity.Get(ctx, &given)...)
		id, instanceID = given.ID.ValueString(), given.InstanceID
	} else {
		id = req.ID
		if instance, rest, ok := strings.Cut(req.ID, "/"); ok {
			id, instanceID = rest, types.StringValue(instance)
		}
	}
	if diags.HasError() {
		return "", instanceID
	}
	if !idFormat().MatchString(id) || !instanceID.IsNull() && instanceID.ValueString() != "" && !idFormat().MatchString(instanceID.ValueString()) {
		diags.AddError("Invalid import ID", fmt.Sprintf("%q is not of the form ID or INSTANCE_ID/ID, with letters, digits, - and _. "+
			"ID is the ID of the deployment, a UUID that the console and the API show; INSTANCE_ID is the ID of the service instance of the enterprise (platinum) edition.", shortened(req.ID)))
	}
	return id, instanceID
}

// scopeOf returns the scope of a deployment of a plan or state.
func scopeOf(value tftypes.Value, client *ief.Client) ief.Scope {
	fields := definition.FieldsOf(value)
	scope := ief.Scope{Version: ief.Version(definition.StringOf(fields["api_version"])), InstanceID: definition.StringOf(fields["instance_id"])}
	if client != nil && (fields["instance_id"].IsNull() || !fields["instance_id"].IsKnown()) {
		scope.InstanceID = client.InstanceID()
	}
	return scope
}

// sameProject reports whether the client uses the project of a deployment in
// the state. A deployment that another project does not have may still exist.
func sameProject(state tftypes.Value, client *ief.Client, diags *diag.Diagnostics) bool {
	own := definition.StringAt(state, "project_id")
	if own == "" || own == client.ProjectID() {
		return true
	}
	diags.AddError(fmt.Sprintf("Edge deployment %q is in another project", definition.StringAt(state, "name")), fmt.Sprintf(
		"It was created in project %q, but the provider block now has %q, which has no such deployment. It is kept in the state. "+
			"Set ief.project_id to the previous project again, or use a separate provider block (an alias) for each project; "+
			"to remove the deployment from the state, use a removed block or terraform state rm.", own, client.ProjectID()))
	return false
}

// copied returns a copy of the attributes of a value. The map that a value
// returns must not be changed.
func copied(value tftypes.Value) map[string]tftypes.Value {
	return maps.Clone(definition.FieldsOf(value))
}

var idPath = path.Root("id")
