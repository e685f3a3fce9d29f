package deployment

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

var _ datasource.DataSourceWithConfigure = (*deploymentData)(nil)

// NewDataSource returns the data source kuscia_deployment.
func NewDataSource() datasource.DataSource {
	return &deploymentData{crud.NewBaseDataSource("deployment", dataSourceSchema)}
}

type deploymentData struct{ crud.BaseDataSource }

// dataSourceDefinition is the definition of a deployment in data sources: without the
// attributes that only the state has, and with the status that Kuscia reports.
var dataSourceDefinition = kusciaDeployment.Definition.ForDataSource()

// deploymentsDefinition is the definition of the Deployments that Kuscia creates for a
// deployment.
var deploymentsDefinition = definition.New(definition.Schema{Attributes: []definition.Attribute{{
	Name: "deployments", Type: definition.ObjectMap, Presence: definition.Computed,
	Description: "The Deployments of the parties in this cluster, by `NAMESPACE/NAME`.",
	Attributes: []definition.Attribute{
		{Name: "namespace", Type: definition.String, Presence: definition.Computed, Description: "Namespace, which is the domain."},
		{Name: "name", Type: definition.String, Presence: definition.Computed, Description: "Name of the Deployment, to which a Rollout can refer."},
		{Name: "image", Type: definition.String, Presence: definition.Computed, Description: "Reference of the container image."},
		{Name: "paused", Type: definition.Bool, Presence: definition.Computed, Description: "Whether its rollout is paused, for example during a release of OpenKruise Rollouts."},
		{Name: "replicas", Type: definition.Number, Presence: definition.Computed, Description: "Desired number of pods."},
		{Name: "updated_replicas", Type: definition.Number, Presence: definition.Computed, Description: "Number of pods with the current definition."},
		{Name: "available_replicas", Type: definition.Number, Presence: definition.Computed, Description: "Number of pods that are available."},
	},
}}})

func dataSourceSchema() schema.Schema {
	attributes := dataSourceDefinition.DataSourceAttributes(map[string]schema.Attribute{
		attrName: schema.StringAttribute{Required: true, MarkdownDescription: "Name of the KusciaDeployment."},
	})
	maps.Copy(attributes, deploymentsDefinition.DataSourceAttributes(nil))
	return schema.Schema{
		MarkdownDescription: "A KusciaDeployment with its status and the Deployments that Kuscia created. The provider block needs `kubernetes`.",
		Attributes:          attributes,
	}
}

// Read reads the deployment and its Deployments.
func (d *deploymentData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	name := definition.StringAt(req.Config.Raw, attrName)
	if !objectName(name) {
		resp.Diagnostics.AddAttributeError(path.Root(attrName), "Invalid name", fmt.Sprintf("%s is not the name of a KusciaDeployment: use at most 63 lower-case letters, digits, hyphens and dots.", tfvalue.Quote(name)))
		return
	}
	client, ready := d.Run.ReadyKubernetes(&resp.Diagnostics)
	if !ready {
		return
	}
	found, err := foundObject(client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, name))
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		resp.Diagnostics.AddAttributeError(path.Root(attrName), "KusciaDeployment does not exist", fmt.Sprintf("The cluster has no KusciaDeployment %q in the namespace %q. Check name; if a resource of this configuration creates it, refer to that resource instead, or let the data source depend on it.", name, kube.CrossDomain))
		return
	case err != nil:
		message.AddError(&resp.Diagnostics, "Unable to read KusciaDeployment", err)
		return
	}
	deployments, err := deploymentsOf(ctx, client, name)
	if err != nil {
		message.AddError(&resp.Diagnostics, "Unable to read Deployments of KusciaDeployment", err)
		return
	}
	fields := maps.Clone(definition.FieldsOf(shownValue(ctx, client, found.found)))
	maps.Copy(fields, definition.FieldsOf(deploymentsDefinition.Encode(definition.Tree{"deployments": deploymentTrees(deployments)})))
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), fields)
}

// shownValue returns a deployment as data sources show it.
func shownValue(ctx context.Context, client *kube.Client, kd *kube.KusciaDeployment) definition.Value {
	mask := client.Masker(ctx).With(kd.Spec.InputConfig)
	masked := func(text string) definition.Value { return definition.StringValue(mask.Text(text)) }
	shown := kusciaDeployment.Shown(dataSourceDefinition, crud.ID{kd.Metadata.Name}, &object{found: kd})
	return dataSourceDefinition.With(shown, map[string]definition.Value{
		"phase": masked(observedPhase(kd.Status)), "reason": masked(kd.Status.Reason), "message": masked(kd.Status.Message),
		"total_parties": definition.NumberValue(kd.Status.TotalParties), "available_parties": definition.NumberValue(kd.Status.AvailableParties),
	})
}

// observedPhase is the phase of a deployment as its parties have it, see kuscia.ObservedState.
func observedPhase(status kube.KusciaDeploymentStatus) string {
	var parties []kuscia.PartyStatus
	for _, deployments := range status.PartyDeploymentStatuses {
		for _, party := range deployments {
			parties = append(parties, kuscia.PartyStatus{State: party.Phase, AvailableReplicas: party.AvailableReplicas})
		}
	}
	return kuscia.ObservedState(status.Phase, parties)
}

func deploymentTrees(deployments map[string]*kube.Deployment) definition.Tree {
	trees := definition.Tree{}
	for key, d := range deployments {
		tree := definition.Tree{
			"namespace": d.Metadata.Namespace, "name": d.Metadata.Name, "paused": d.Spec.Paused,
			"updated_replicas": d.Status.UpdatedReplicas, "available_replicas": d.Status.AvailableReplicas,
		}
		if d.Spec.Replicas != nil {
			tree["replicas"] = *d.Spec.Replicas
		}
		if containers := d.Spec.Template.Spec.Containers; len(containers) > 0 {
			tree["image"] = httpapi.Text(containers[0].Image)
		}
		trees[key] = tree
	}
	return trees
}

var _ datasource.DataSourceWithConfigure = (*deploymentsData)(nil)

// NewListDataSource returns the data source kuscia_deployments.
func NewListDataSource() datasource.DataSource {
	return &deploymentsData{crud.NewBaseDataSource("deployments", listDataSourceSchema)}
}

type deploymentsData struct{ crud.BaseDataSource }

// The filters of lists.
const (
	attrLabelSelector = "label_selector"
	attrDeployments   = "deployments"

	labelSelectorText = "Only KusciaDeployments that match this label selector, in the syntax of kubectl, for example `kuscia.secretflow/app-type=serving`, which those of the KusciaAPI have."
	domainIDText      = "Only KusciaDeployments with this domain among their parties."
)

func listDataSourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "KusciaDeployments, including those of servings that were created through the KusciaAPI. All pages of the list are read. The provider block needs `kubernetes`.",
		Attributes: map[string]schema.Attribute{
			attrLabelSelector: schema.StringAttribute{Optional: true, MarkdownDescription: labelSelectorText, Validators: []validator.String{crud.ProblemValidator(attrLabelSelector, kube.SelectorProblem)}},
			attrDomainID:      schema.StringAttribute{Optional: true, MarkdownDescription: domainIDText},
			attrDeployments:   dataSourceDefinition.DataSourceList("The KusciaDeployments, by name."),
		},
	}
}

// Read lists the deployments.
func (d *deploymentsData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	client, ready := d.Run.ReadyKubernetes(&resp.Diagnostics)
	if !ready {
		return
	}
	config := maps.Clone(definition.FieldsOf(req.Config.Raw))
	found, err := client.ListKusciaDeployments(ctx, definition.StringOf(config[attrLabelSelector]), definition.StringOf(config[attrDomainID]))
	if err != nil {
		message.AddError(&resp.Diagnostics, "Unable to list KusciaDeployments", err)
		return
	}
	values := make([]definition.Value, len(found))
	for i, kd := range found {
		values[i] = shownValue(ctx, client, kd)
	}
	config[attrDeployments] = tftypes.NewValue(tftypes.List{ElementType: dataSourceDefinition.Type()}, values)
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), config)
}
