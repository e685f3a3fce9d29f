package edgedeployment

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var identitySchema = identityschema.Schema{
	Attributes: map[string]identityschema.Attribute{
		"id":          identityschema.StringAttribute{RequiredForImport: true, Description: "ID of the deployment."},
		"instance_id": identityschema.StringAttribute{OptionalForImport: true, Description: "ID of the service instance; defaults to that of the provider block."},
	},
}

// identity is the resource identity of a deployment.
type identity struct {
	ID         types.String `tfsdk:"id"`
	InstanceID types.String `tfsdk:"instance_id"`
}

// saveIdentity sets the identity if the CLI supports identities.
func saveIdentity(ctx context.Context, to *tfsdk.ResourceIdentity, id, instanceID string) diag.Diagnostics {
	if to == nil {
		return nil
	}
	return to.Set(ctx, identity{ID: types.StringValue(id), InstanceID: types.StringValue(instanceID)})
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
	object := clients.Object{Type: typeName, Title: "edge deployment", Attribute: "name", Name: name, Server: "IEF"}
	if id != "" {
		object.ImportID = httpapi.Text(importID(id, instanceID))
	}
	return object
}

var idFormat = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

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
	if !idFormat.MatchString(id) || !instanceID.IsNull() && instanceID.ValueString() != "" && !idFormat.MatchString(instanceID.ValueString()) {
		diags.AddError("Invalid import ID", fmt.Sprintf("%q is not of the form ID or INSTANCE_ID/ID, with letters, digits, - and _. "+
			"ID is the ID of the deployment, a UUID that the console and the API show; INSTANCE_ID is the ID of the service instance of the enterprise (platinum) edition.", shortened(req.ID)))
	}
	return id, instanceID
}

// scopeOf returns the scope of a deployment of a plan or state.
func scopeOf(value tftypes.Value, client *ief.Client) ief.Scope {
	fields := definition.FieldsOf(value)
	scope := ief.Scope{Version: ief.Version(definition.TextOf(fields["api_version"])), InstanceID: definition.TextOf(fields["instance_id"])}
	if client != nil && (fields["instance_id"].IsNull() || !fields["instance_id"].IsKnown()) {
		scope.InstanceID = client.InstanceID()
	}
	return scope
}

// sameProject reports whether the client uses the project of a deployment in
// the state. A deployment that another project does not have may still exist.
func sameProject(state tftypes.Value, client *ief.Client, diags *diag.Diagnostics) bool {
	own := textAt(state, "project_id")
	if own == "" || own == client.ProjectID() {
		return true
	}
	diags.AddError(fmt.Sprintf("Edge deployment %q is in another project", textAt(state, "name")), fmt.Sprintf(
		"It was created in project %q, but the provider block now has %q, which has no such deployment. It is kept in the state. "+
			"Set ief.project_id to the previous project again, or use a separate provider block (an alias) for each project; "+
			"to remove the deployment from the state, use a removed block or terraform state rm.", own, client.ProjectID()))
	return false
}

// textAt returns a string attribute of a plan or state.
func textAt(value tftypes.Value, name string) string {
	return definition.TextOf(definition.FieldsOf(value)[name])
}

// copied returns a copy of the attributes of a value. The map that a value
// returns must not be changed.
func copied(value tftypes.Value) map[string]tftypes.Value {
	return maps.Clone(definition.FieldsOf(value))
}

// set returns a copy of a value with the given attributes.
func set(value tftypes.Value, attributes map[string]tftypes.Value) tftypes.Value {
	fields := copied(value)
	for name, attribute := range attributes {
		fields[name] = attribute
	}
	return tftypes.NewValue(deployment.Type(), fields)
}

var idPath = path.Root("id")
