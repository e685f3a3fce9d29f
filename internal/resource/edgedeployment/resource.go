package edgedeployment

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var (
	_ resource.ResourceWithConfigure      = (*edgeDeployment)(nil)
	_ resource.ResourceWithIdentity       = (*edgeDeployment)(nil)
	_ resource.ResourceWithImportState    = (*edgeDeployment)(nil)
	_ resource.ResourceWithModifyPlan     = (*edgeDeployment)(nil)
	_ resource.ResourceWithValidateConfig = (*edgeDeployment)(nil)
)

// NewResource returns the resource kuscia_edge_deployment.
func NewResource() resource.Resource { return &edgeDeployment{} }

type edgeDeployment struct{ clients *clients.Clients }

// resourceSchema is built once, since the framework requests it for every RPC.
var resourceSchema = sync.OnceValue(func() schema.Schema { return deployment.ResourceSchema() })

// Metadata sets the type name.
func (r *edgeDeployment) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_edge_deployment"
}

// Schema returns the schema.
func (r *edgeDeployment) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = resourceSchema()
}

// IdentitySchema returns the schema of the identity.
func (r *edgeDeployment) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema
}

// Configure stores the clients of the provider.
func (r *edgeDeployment) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig reports issues that do not depend on the state.
func (r *edgeDeployment) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	resp.Diagnostics.Append(validate(req.Config.Raw)...)
}

// ModifyPlan plans the whole resource. It does not use the plan that the
// framework proposes.
func (r *edgeDeployment) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	r.clients.CheckIEF(&resp.Diagnostics, idPath)
	private := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	change := plan(req.Config.Raw, req.State.Raw, r.surroundings(), private.Imported)
	resp.Plan.Raw = change.planned
	crud.AddReplacements(resp, "edge deployment", change.replaces)
}

// surroundings returns the settings of the provider block.
func (r *edgeDeployment) surroundings() surroundings {
	if r.clients == nil || r.clients.EdgeFabric.Client == nil {
		return surroundings{}
	}
	client := r.clients.EdgeFabric.Client
	return surroundings{known: true, projectID: client.ProjectID(), instanceID: client.InstanceID()}
}

// Create creates the deployment, and saves it before it waits for the rollout.
func (r *edgeDeployment) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	planned := req.Plan.Raw
	desired := deployment.WithSecrets(planned, req.Config.Raw, deployment.Null(), deployment.Null())
	request, diags := createRequest(desired, req.Config.Raw)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	client, ready := r.clients.ReadyIEF(&resp.Diagnostics)
	if !ready {
		return
	}
	scope := scopeOf(planned, client)
	ctx, cancel := context.WithTimeout(ctx, deployment.Timeout(planned, definition.OnCreate))
	defer cancel()

	sent := time.Now()
	create := &creation{client: client, scope: scope, request: request, planned: desired}
	result := create.do(ctx, r.clients.AdoptExisting)
	clients.AddCreateError(&resp.Diagnostics, create.messageObject(), result)
	if !result.Outcome.InState() {
		return
	}
	r.clients.AddAdopted(&resp.Diagnostics, create.messageObject(), result)
	private := privateData{Uncertain: resp.Diagnostics.HasError(), Rollout: rollout{Since: sent}}
	made := create.made
	if private.Uncertain || made == nil {
		made = &ief.Deployment{}
	}
	state := set(deployment.Filled(planned, answered(scope, made, planned)), map[string]tftypes.Value{
		"instance_id": definition.TextValue(scope.InstanceID), "rollout_complete": initialRolloutComplete(planned),
	})
	resp.State.Raw = state
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, made.ID, scope.InstanceID)...)
	savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if waits(planned) && !r.finish(ctx, client, scope, made.ID, state, private.Rollout, &resp.Diagnostics, wasCreated) {
		return
	}
	resp.State.Raw = r.verified(ctx, client, scope, made.ID, state, private.Rollout, &resp.Diagnostics)
}

// outcome describes a change that was made, and the next step if the deployment
// does not run.
type outcome struct{ text, next string }

var (
	wasCreated = outcome{"was created", "It is kept in the state and marked as tainted: the next apply replaces it. IEF keeps trying; if it runs in the meantime, terraform untaint keeps it."}
	wasUpdated = outcome{"was updated", "It is kept in the state with rollout_complete = false. IEF keeps trying; the next apply waits for it again."}
)

// finish waits until a deployment runs as configured.
func (r *edgeDeployment) finish(ctx context.Context, client api, scope ief.Scope, id string, desired tftypes.Value, rolls rollout, diags *diag.Diagnostics, what outcome) bool {
	name := textAt(desired, "name")
	seen, err := waitRunning(ctx, client, scope, id, desired, rolls)
	if err != nil {
		clients.AddError(diags, fmt.Sprintf("Edge deployment %q %s but does not run", name, what.text),
			fmt.Errorf("%w\n\n%s Check the edge node: whether it is online and can pull the image, and the messages of its instances", err, what.next))
		return false
	}
	if seen.guessed {
		diags.AddWarning(fmt.Sprintf("The update of edge deployment %q could not be observed", name), fmt.Sprintf(
			"Instances do not report the changed attributes, and IEF created no new instances within %s. The configured number of instances runs, so the update is assumed to be complete.", settleTime))
	}
	return true
}

// verified reads the deployment back. It returns the plan, so that the spelling
// of the user is kept. If IEF has another value, that value is returned and is
// an error.
func (r *edgeDeployment) verified(ctx context.Context, client api, scope ief.Scope, id string, state tftypes.Value, rolls rollout, diags *diag.Diagnostics) tftypes.Value {
	done := tftypes.NewValue(tftypes.Bool, nil)
	if waits(state) {
		done = tftypes.NewValue(tftypes.Bool, true)
	}
	state = set(state, map[string]tftypes.Value{"rollout_complete": done})
	name := textAt(state, "name")
	d, err := client.Get(ctx, scope, id)
	if err != nil {
		diags.AddWarning(fmt.Sprintf("Edge deployment %q could not be read back", name),
			fmt.Sprintf("IEF accepted it, and it was saved as planned, but reading it afterwards failed: %s\n\nThe next plan will compare it with IEF again.", err))
		return state
	}
	answer := answered(scope, rolls.withoutStaleTemplate(d, time.Now()), state)
	different := deployment.Differences(state, answer)
	if len(different) == 0 {
		return state
	}
	for _, at := range different {
		diags.AddAttributeError(at, fmt.Sprintf("Edge deployment %q differs from the plan", name),
			fmt.Sprintf("IEF accepted the request, but then returned another value for %s. Either another client changed the deployment at the same time, or IEF does not store the attribute. "+
				"The returned values were saved; plan again to see the difference.", at))
	}
	return set(deployment.Refreshed(answer, state), map[string]tftypes.Value{"rollout_complete": done})
}

// Read refreshes the state from IEF. It keeps the spelling of the state for
// values that mean the same.
func (r *edgeDeployment) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	client, ready := r.clients.ReadyIEF(&resp.Diagnostics)
	private := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	prior := req.State.Raw
	id, name := textAt(prior, "id"), textAt(prior, "name")
	scope := scopeOf(prior, client)
	// The framework requires the identity of a deleted resource too.
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, id, scope.InstanceID)...)
	d, scope, err := r.current(ctx, client, scope, prior, private)
	if err != nil {
		clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to read edge deployment %q", name+id), err)
		return
	}
	if d == nil {
		if sameProject(prior, client, &resp.Diagnostics) {
			resp.State.RemoveResource(ctx)
		}
		return
	}
	d = private.Rollout.withoutStaleTemplate(d, time.Now())
	state := refreshed(scope, d, prior)
	state = set(state, map[string]tftypes.Value{"rollout_complete": r.seen(ctx, client, scope, d, prior, state, private, &resp.Diagnostics)})
	if private.Uncertain {
		private.Uncertain = false
		savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	}
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, d.ID, scope.InstanceID)...)
	resp.State.Raw = state
}

// current returns the deployment of a state, nil if there is none. After a
// create with an unknown outcome it is looked up by name. After an import
// current also determines the version of the API.
func (r *edgeDeployment) current(ctx context.Context, client api, scope ief.Scope, prior tftypes.Value, private privateData) (*ief.Deployment, ief.Scope, error) {
	if private.Uncertain {
		c := creation{client: client, scope: scope, request: &ief.CreateRequest{Name: textAt(prior, "name")}, planned: prior}
		found, err := c.lookup(ctx)
		if errorKinds.NotFound(err) || err == nil && len(c.differences(found)) > 0 {
			// The create did not happen: the deployment with this name belongs
			// to another owner, and a tainted resource would be deleted.
			return nil, scope, nil
		}
		return found, scope, err
	}
	id, name := textAt(prior, "id"), textAt(prior, "name")
	if scope.Version != "" {
		d, err := find(ctx, client, scope, id, name)
		return d, scope, err
	}
	var d *ief.Deployment
	var err error
	for _, version := range []ief.Version{ief.V3, ief.V2} {
		scope.Version = version
		if d, err = find(ctx, client, scope, id, name); d != nil {
			return d, scope, nil
		}
	}
	return nil, scope, err
}

// seen returns rollout_complete for a refresh. An incomplete rollout becomes
// complete once the instances run as desired.
func (r *edgeDeployment) seen(ctx context.Context, client api, scope ief.Scope, d *ief.Deployment, prior, state tftypes.Value, private privateData, diags *diag.Diagnostics) tftypes.Value {
	before := definition.FieldsOf(prior)["rollout_complete"]
	if !unfinished(prior) {
		return before
	}
	pods := d.Instances
	if scope.Version == ief.V3 {
		var err error
		if pods, err = client.Pods(ctx, scope, d.ID); err != nil {
			diags.AddWarning(fmt.Sprintf("The instances of edge deployment %q could not be read", httpapi.Text(d.Name)), err.Error())
			return before
		}
	}
	return tftypes.NewValue(tftypes.Bool, private.Rollout.progressOf(state, d, pods, time.Now()).done)
}

// ImportState imports by id, prefixed with the instance if it is not that of
// the provider block, or by identity.
func (r *edgeDeployment) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id, instanceID := imported(ctx, req, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	attributes := map[string]tftypes.Value{"id": definition.TextValue(id)}
	if !instanceID.IsNull() {
		attributes["instance_id"] = definition.TextValue(instanceID.ValueString())
	}
	fields := map[string]tftypes.Value{}
	for name, attributeType := range deployment.Type().AttributeTypes {
		fields[name] = tftypes.NewValue(attributeType, nil)
	}
	for name, attribute := range attributes {
		fields[name] = attribute
	}
	resp.State.Raw = tftypes.NewValue(deployment.Type(), fields)
	if resp.Identity != nil {
		given := identity{ID: stringValue(id), InstanceID: instanceID}
		resp.Diagnostics.Append(resp.Identity.Set(ctx, given)...)
	}
	savePrivate(ctx, resp.Private, privateData{Imported: true}, &resp.Diagnostics)
}

// waits reports whether create and update wait for the rollout.
func waits(value tftypes.Value) bool {
	return definition.BoolOf(definition.FieldsOf(value)["wait_for_rollout"])
}

// initialRolloutComplete returns rollout_complete before the wait.
func initialRolloutComplete(planned tftypes.Value) tftypes.Value {
	if waits(planned) {
		return tftypes.NewValue(tftypes.Bool, false)
	}
	return tftypes.NewValue(tftypes.Bool, nil)
}
