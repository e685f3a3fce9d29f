package deployment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Read refreshes the state from the cluster. It keeps the spelling of the state
// for values that mean the same.
func (r *kusciaDeployment) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	client, ready := r.Clients.ReadyKubernetes(&resp.Diagnostics)
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	prior := req.State.Raw
	name := definition.StringAt(prior, attrName)
	// The framework requires the identity of a deleted resource too.
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(name))...)
	kd, err := fetch(ctx, r.Clients, client, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		if !private.Uncertain {
			warnOfChildren(ctx, client, name, &resp.Diagnostics)
		}
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to read KusciaDeployment %q", name), err)
		return
	}
	if kd.Metadata.Deleting() {
		clients.AddWarning(&resp.Diagnostics, fmt.Sprintf("KusciaDeployment %q is being deleted", name),
			errors.New("it exists until its finalizers are removed. The first plan after that creates it again"))
	}
	if private.Uncertain {
		if !deployment.IsCreated(prior, fromResponse(kd, prior)) {
			clients.AddNotCreated(&resp.Diagnostics, messageObject(name), "was removed from the state")
			resp.State.RemoveResource(ctx)
			return
		}
		private.Uncertain = false
		privateKey.Save(ctx, resp.Private, private, &resp.Diagnostics)
	}
	state := refreshed(kd, prior)
	if definition.IsRolloutIncomplete(prior) || definition.IsRolloutComplete(prior) && len(deployment.Differences(prior, fromResponse(kd, prior))) > 0 {
		// A change since the last apply, maybe by an apply that was killed
		// before it saved its state, has not been observed as rolled out.
		state = deployment.WithRollout(state, r.runs(httpapi.WithMaskedText(ctx, kd.Spec.InputConfig), client, name, &resp.Diagnostics))
	}
	resp.State.Raw = state
}

// runs returns rollout_complete for a refresh: whether the Deployments run as
// desired.
func (r *kusciaDeployment) runs(ctx context.Context, client *kube.Client, name string, diags *diag.Diagnostics) definition.Value {
	seen, err := rolloutstatus.New(client, name).Read(ctx)
	if err != nil {
		diags.AddWarning(fmt.Sprintf("It could not be determined whether KusciaDeployment %q runs", name), err.Error())
		return definition.BoolValue(false)
	}
	return definition.BoolValue(seen.Done)
}

// fetch reads the deployment for a refresh, or returns the response that a
// shortcut has already read for the same request.
func fetch(ctx context.Context, c *clients.Clients, client *kube.Client, name string) (*kube.KusciaDeployment, error) {
	if before, ok := fastpath.PrefetchedOf[*kube.KusciaDeployment](ctx, name); ok {
		return before.Response, before.Err
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
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root(attrName), &name)...)
	}
	name = strings.TrimPrefix(name, kube.CrossDomain+"/")
	if resp.Diagnostics.HasError() {
		return
	}
	if !objectName(name) {
		resp.Diagnostics.AddError("Invalid import ID", fmt.Sprintf("%s is not a valid name of a KusciaDeployment. The import ID is the name alone, as kubectl get kusciadeployments -n %s shows it.", tfvalue.Quote(name), kube.CrossDomain))
		return
	}
	resp.State.Raw = deployment.OnlyID(map[string]definition.Value{attrID: definition.StringValue(name), attrName: definition.StringValue(name)})
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(name))...)
	privateKey.Save(ctx, resp.Private, privateData{Flags: crud.ImportedFlags(deployment)}, &resp.Diagnostics)
}
