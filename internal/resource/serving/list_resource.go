package serving

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// listed is the list resource kuscia_serving, for `terraform query`.
var listed = crud.NewListResource(crud.List{
	Type: "serving",
	Description: "Finds servings with `terraform query` (Terraform 1.14 or later), to import them in bulk.\n\n" +
		"The KusciaAPI cannot list servings. They are found by their KusciaDeployments, so the provider block needs `kubernetes` for the cluster of this Kuscia. " +
		"With `include_resource`, and for `-generate-config-out`, each serving that was found is queried through the KusciaAPI.",
	Filters: []crud.Filter{
		{Name: "label_selector", Problem: kube.SelectorProblem, Description: "Only servings whose KusciaDeployment matches this label selector, in the syntax of kubectl."},
		{Name: "domain_id", Description: "Only servings with this domain among their parties."},
	},
	Find: findListed,
})

// findListed queries the cluster for the servings and, if their states are requested,
// Kuscia for each serving.
func findListed(ctx context.Context, c *run.Run, req list.ListRequest, diags *diag.Diagnostics) (found []crud.Found) {
	client, ready := c.ReadyKubernetes(diags)
	if !ready || req.IncludeResource && !c.ReadyKuscia(diags) {
		return nil
	}
	selector := kube.LabelAppType + "=" + kube.AppTypeServing
	if more := definition.StringAt(req.Config.Raw, "label_selector"); more != "" {
		selector += "," + more
	}
	all, err := client.ListKusciaDeployments(ctx, selector, definition.StringAt(req.Config.Raw, "domain_id"))
	if err != nil {
		message.AddError(diags, "Unable to list servings", err)
		return nil
	}
	for _, kd := range all {
		if req.Limit > 0 && int64(len(found)) == req.Limit {
			break
		}
		id := kd.Metadata.Name
		one := crud.Found{DisplayName: id, Identity: identity(id)}
		if req.IncludeResource {
			one.SetResource, err = imported(ctx, c, id)
		}
		switch {
		case errors.Is(err, kuscia.ErrNotFound): // deleted meanwhile
		case unreadableWithoutImage(err), errors.Is(err, kuscia.ErrNotAParty):
			diags.AddWarning("Unable to read serving", err.Error()+"\n\nIt is not listed.")
		case err != nil:
			message.AddError(diags, "Unable to read serving", err)
			return nil
		default:
			found = append(found, one)
		}
	}
	return found
}

// imported sets the state of a serving after an import.
func imported(ctx context.Context, c *run.Run, id string) (set func(context.Context, *tfsdk.Resource) diag.Diagnostics, err error) {
	response, err := c.Kuscia.QueryServing(ctx, id)
	if err != nil {
		return nil, err
	}
	return crud.RawResource(func() definition.Value {
		return serving.Imported(ctx, c, crud.ID{id}, &object{response: response, deployments: cachedDeploymentsOf(ctx, c, id)})
	}), nil
}
