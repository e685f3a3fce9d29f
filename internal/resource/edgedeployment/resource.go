package edgedeployment

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
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
func NewResource() resource.Resource {
	return &edgeDeployment{crud.NewBaseResourceWithIdentity(&kind)}
}

type edgeDeployment struct{ crud.BaseResourceWithIdentity }

// kind describes edge deployments.
var kind = crud.Kind{
	Type: "edge_deployment", Definition: deployment, Validate: validate,
	Identity: identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id":          identityschema.StringAttribute{RequiredForImport: true, Description: "ID of the deployment."},
		"instance_id": identityschema.StringAttribute{OptionalForImport: true, Description: "ID of the service instance; defaults to that of the provider block."},
	}},
}

// ModifyPlan plans the whole resource. It does not use the plan that the
// framework proposes.
func (r *edgeDeployment) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	r.Clients.CheckIEF(&resp.Diagnostics, idPath)
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	config, next := private.WithImportedSecrets(deployment, req.Config.Raw, req.State.Raw)
	private.CheckReplacement(deployment, title, config, req.State.Raw, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(checkUnsetSecrets(config)...)
	}
	if next != private.Flags {
		private.Flags = next
		privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	change := plan(config, req.State.Raw, settingsOf(r.Clients), private.Imported)
	resp.Plan.Raw = change.planned
	crud.AddReplacements(resp, title, change.replaces)
}

// settingsOf returns the settings of the provider block.
func settingsOf(c *clients.Clients) providerSettings {
	if c == nil || c.IEF.Client == nil {
		return providerSettings{}
	}
	client := c.IEF.Client
	return providerSettings{known: true, projectID: client.ProjectID(), instanceID: client.InstanceID()}
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
	client, ready := r.Clients.ReadyIEF(&resp.Diagnostics)
	if !ready {
		return
	}
	scope := scopeOf(planned, client)
	ctx, cancel := context.WithTimeout(ctx, deployment.Timeout(planned, definition.OnCreate))
	defer cancel()

	sent := time.Now()
	create := &creation{client: client, scope: scope, request: request, planned: desired}
	result := create.do(ctx, r.Clients.AdoptExisting)
	if !r.Clients.AddCreateResult(&resp.Diagnostics, create.messageObject(), result) {
		return
	}
	private := privateData{Flags: crud.Flags{Uncertain: result.Outcome == lifecycle.Unknown}, Rollout: rollout{Since: sent}}
	state := createdState(planned, scope, create.made, private.Uncertain)
	id := definition.StringAt(state, "id")
	resp.State.Raw = state
	if !private.Uncertain { // an identity cannot be changed later
		resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identityOf(id, scope.InstanceID))...)
	}
	privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if definition.WaitsForRollout(planned) && !r.finish(ctx, client, scope, id, state, private.Rollout, &resp.Diagnostics, wasCreated) {
		return
	}
	resp.State.Raw = r.verified(ctx, client, scope, id, desired, state, private.Rollout, &resp.Diagnostics)
}

// createdState returns the state after a create. If its outcome is uncertain, what IEF
// chooses is not known.
func createdState(planned tftypes.Value, scope ief.Scope, made *ief.Deployment, uncertain bool) tftypes.Value {
	response := deployment.Null()
	if !uncertain {
		response = fromResponse(scope, made, planned)
	}
	state := deployment.With(deployment.Filled(planned, response), map[string]tftypes.Value{
		"instance_id": definition.StringValue(scope.InstanceID), "rollout_complete": definition.RolloutBeforeWait(planned),
	})
	if uncertain {
		return crud.MarkUncertain(deployment, state)
	}
	return state
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
	name := definition.StringAt(desired, "name")
	seen, err := waitRunning(ctx, client, scope, id, desired, rolls)
	if err != nil {
		clients.AddError(diags, clients.NotRunningSummary(fmt.Sprintf("Edge deployment %q %s", name, what.text), err),
			fmt.Errorf("%w\n\n%s Check the edge node: whether it is online and can pull the image, and the messages of its instances", err, what.next))
		return false
	}
	if seen.assumed {
		diags.AddWarning(fmt.Sprintf("The update of edge deployment %q could not be observed", name), fmt.Sprintf(
			"Instances do not report the changed attributes, and IEF created no new instances within %s. The configured number of instances runs, so the update is assumed to be complete.", settleTime))
	}
	return true
}

// verified reads the deployment back. It returns the plan, so that the spelling
// of the user is kept. If IEF has another value, that value is returned and is
// an error. desired is the plan with its write-only strings.
func (r *edgeDeployment) verified(ctx context.Context, client api, scope ief.Scope, id string, desired, state tftypes.Value, rolls rollout, diags *diag.Diagnostics) tftypes.Value {
	done := definition.NullBool()
	if definition.WaitsForRollout(state) {
		done = definition.BoolValue(true)
	}
	state = deployment.WithRollout(state, done)
	back := writeCheck(definition.StringAt(state, "name"), id, scope.InstanceID)
	d, err := client.Get(ctx, scope, id)
	if err != nil {
		back.AddFailed(diags, err)
		return state
	}
	response := fromResponse(scope, rolls.withoutStaleTemplate(d, time.Now()), state)
	return deployment.WithRollout(back.Compare(state, desired, response, diags), done)
}

// Read refreshes the state from IEF. It keeps the spelling of the state for
// values that mean the same.
func (r *edgeDeployment) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	client, ready := r.Clients.ReadyIEF(&resp.Diagnostics)
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	prior := req.State.Raw
	id, name := definition.StringAt(prior, "id"), definition.StringAt(prior, "name")
	scope := scopeOf(prior, client)
	// The framework requires the identity of a deleted resource too.
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identityOf(id, scope.InstanceID))...)
	d, scope, err := current(ctx, client, scope, prior, private, &resp.Diagnostics)
	if err != nil {
		clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to read edge deployment %q", cmp.Or(name, id)), err)
		return
	}
	if d == nil {
		if !resp.Diagnostics.HasError() && sameProject(prior, client, &resp.Diagnostics) {
			resp.State.RemoveResource(ctx)
		}
		return
	}
	d = private.Rollout.withoutStaleTemplate(d, time.Now())
	state := refreshed(scope, d, prior)
	state = deployment.WithRollout(state, r.seen(ctx, client, scope, d, prior, state, private, &resp.Diagnostics))
	if private.Uncertain {
		private.Uncertain = false
		privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	}
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identityOf(d.ID, scope.InstanceID))...)
	resp.State.Raw = state
}

// current returns the deployment of a state for a refresh, nil if there is none. After a
// create with an unknown outcome it is looked up by name. After an import current also
// determines the version of the API.
func current(ctx context.Context, client *ief.Client, scope ief.Scope, prior tftypes.Value, private privateData, diags *diag.Diagnostics) (*ief.Deployment, ief.Scope, error) {
	if private.Uncertain {
		if !sameProject(prior, client, diags) {
			return nil, scope, nil
		}
		created, other, err := afterLostCreate(ctx, client, scope, prior)
		if other != nil {
			object := messageObject(definition.StringAt(prior, "name"), other.ID, scope.InstanceID)
			clients.AddNotCreated(diags, object, "was removed from the state")
		}
		return created, scope, err
	}
	id, name := definition.StringAt(prior, "id"), definition.StringAt(prior, "name")
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
	before := definition.FieldsOf(prior)[definition.AttrRolloutComplete]
	if !definition.IsRolloutIncomplete(prior) {
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
	attributes := map[string]tftypes.Value{"id": definition.StringValue(id)}
	if !instanceID.IsNull() {
		attributes["instance_id"] = definition.StringValue(instanceID.ValueString())
	}
	resp.State.Raw = deployment.OnlyID(attributes)
	if resp.Identity != nil {
		resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{ID: types.StringValue(id), InstanceID: instanceID})...)
	}
	privateKey.Save(ctx, resp.Private, privateData{Flags: crud.ImportedFlags(deployment)}, &resp.Diagnostics)
}
