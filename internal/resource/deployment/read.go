package deployment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Read refreshes the state from the cluster. It keeps the spelling of the state
// for values that mean the same.
func (r *kusciaDeployment) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	client, ready := r.clients.ReadyKubernetes(&resp.Diagnostics)
	private := loadPrivate(ctx, req.Private, &resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	prior := req.State.Raw
	name := textAt(prior, attrName)
	// The framework requires the identity of a deleted resource too.
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, name)...)
	kd, err := fetch(ctx, r.clients, client, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to read KusciaDeployment %q", name), err)
		return
	}
	if private.Uncertain {
		if deployment.UsesWriteOnly(prior) || len(deployment.Differences(prior, fromResponse(kd, prior))) > 0 {
			// The create whose response was lost did not happen, or whether it
			// did cannot be determined. The object then belongs to another
			// owner, and a tainted resource would be deleted.
			resp.State.RemoveResource(ctx)
			return
		}
		private.Uncertain = false
		savePrivate(ctx, resp.Private, private, &resp.Diagnostics)
	}
	state := refreshed(kd, prior)
	if unfinished(prior) || complete(prior) && len(deployment.Differences(prior, fromResponse(kd, prior))) > 0 {
		// A change since the last apply, maybe by an apply that was killed
		// before it saved its state, has not been observed as rolled out.
		state = withRollout(state, r.runs(httpapi.WithMaskedText(ctx, kd.Spec.InputConfig), client, name, &resp.Diagnostics))
	}
	resp.State.Raw = state
}

// unfinished reports whether the last rollout was not observed as complete.
func unfinished(state definition.Value) bool {
	is := definition.FieldsOf(state)[attrRolloutComplete]
	return !is.IsNull() && !definition.BoolOf(is)
}

// complete reports whether the last rollout was observed as complete.
func complete(state definition.Value) bool {
	return definition.BoolOf(definition.FieldsOf(state)[attrRolloutComplete])
}

// runs returns rollout_complete for a refresh: whether the Deployments run as
// desired.
func (r *kusciaDeployment) runs(ctx context.Context, client *kube.Client, name string, diags *diag.Diagnostics) definition.Value {
	seen, err := rolloutstatus.New(client, name).Read(ctx)
	if err != nil {
		diags.AddWarning(fmt.Sprintf("It could not be determined whether KusciaDeployment %q runs", name), err.Error())
		return aBool(false)
	}
	return aBool(seen.Done)
}

// fetch reads the deployment for a refresh, or returns the response that a
// shortcut has already read for the same request.
func fetch(ctx context.Context, c *clients.Clients, client *kube.Client, name string) (*kube.KusciaDeployment, error) {
	if before, ok := fastpath.PrefetchedOf[*kube.KusciaDeployment](ctx, name); ok {
		return before.Answer, before.Err
	}
	object, err := c.ReadKubernetes(ctx, client, kube.KusciaDeployments, kube.CrossDomain, kube.CrossDomain, name)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors describe the request
	}
	return decoded(object)
}

// ImportState imports by name or by identity.
func (r *kusciaDeployment) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	name := req.ID
	if name == "" && req.Identity != nil {
		var given identity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &given)...)
		name = given.Name.ValueString()
	}
	name = strings.TrimPrefix(name, kube.CrossDomain+"/")
	if resp.Diagnostics.HasError() {
		return
	}
	if !objectName(name) {
		resp.Diagnostics.AddError("Invalid import ID", fmt.Sprintf("%s is not a valid name of a KusciaDeployment. The import ID is the name alone, as kubectl get kusciadeployments -n %s shows it.", tfvalue.Quote(name), kube.CrossDomain))
		return
	}
	fields := map[string]definition.Value{}
	for attribute, attributeType := range deployment.Type().AttributeTypes {
		fields[attribute] = tftypes.NewValue(attributeType, nil)
	}
	fields[attrID], fields[attrName] = definition.TextValue(name), definition.TextValue(name)
	resp.State.Raw = tftypes.NewValue(deployment.Type(), fields)
	resp.Diagnostics.Append(saveIdentity(ctx, resp.Identity, name)...)
	savePrivate(ctx, resp.Private, privateData{Imported: true, Observed: true}, &resp.Diagnostics)
}
