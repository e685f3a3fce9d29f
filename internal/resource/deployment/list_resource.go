package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// listed is the list resource kuscia_deployment, for `terraform query`.
var listed = crud.NewListResource(crud.List{
	Type:        "deployment",
	Description: "Finds KusciaDeployments with `terraform query` (Terraform 1.14 or later), to import them in bulk. These include servings that were created through the KusciaAPI.",
	Filters:     []crud.Filter{{Name: attrLabelSelector, Description: labelSelectorText, Problem: kube.SelectorProblem}, {Name: attrDomainID, Description: domainIDText}},
	Find:        findListed,
})

// findListed returns the deployments that match the filters.
func findListed(ctx context.Context, c *run.Run, req fwlist.ListRequest, diags *diag.Diagnostics) (listed []crud.Found) {
	client, ready := c.ReadyKubernetes(diags)
	if !ready {
		return nil
	}
	config := req.Config.Raw
	found, err := client.ListKusciaDeployments(ctx, definition.StringAt(config, attrLabelSelector), definition.StringAt(config, attrDomainID))
	if err != nil {
		message.AddError(diags, "Unable to list KusciaDeployments", err)
		return nil
	}
	for _, kd := range found {
		listed = append(listed, crud.Found{
			DisplayName: kd.Metadata.Name, Identity: map[string]string{attrName: kd.Metadata.Name},
			SetResource: crud.RawResource(func() definition.Value {
				return kusciaDeployment.Imported(ctx, c, crud.ID{kd.Metadata.Name}, &object{found: kd})
			}),
		})
	}
	return listed
}
