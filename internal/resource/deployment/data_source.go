package deployment

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
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

// statusAttributes are the status that Kuscia reports.
var statusAttributes = []definition.Attribute{
	{Name: "phase", Type: definition.String, Presence: definition.Computed, Description: "Phase of the deployment: `Progressing`, `PartialAvailable`, `Available` or `Failed`, as the parties have it: Kuscia " + versions.AnyPartyProgressing.BeforeInPages() + " keeps the last phase while no pod runs. A failed update is not visible in it."},
	{Name: "reason", Type: definition.String, Presence: definition.Computed, Description: "Why it is in this phase."},
	{Name: "message", Type: definition.String, Presence: definition.Computed, Description: "Details of the reason."},
	{Name: "total_parties", Type: definition.Number, Presence: definition.Computed, Description: "Number of parties."},
	{Name: "available_parties", Type: definition.Number, Presence: definition.Computed, Description: "Number of parties that Kuscia counts as available, including those with only some available pods."},
}

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

// deploymentsOf returns the Deployments of a KusciaDeployment by namespace and
// name.
func deploymentsOf(ctx context.Context, client *kube.Client, name string) (map[string]*kube.Deployment, error) {
	list, err := client.List(ctx, kube.Deployments, kube.ListOptions{LabelSelector: kube.LabelKDName + "=" + name})
	if err != nil {
		return nil, err
	}
	found := make(map[string]*kube.Deployment, len(list.Items))
	for i := range list.Items {
		d := &kube.Deployment{}
		if err := kube.Decode(&list.Items[i], d); err != nil {
			return nil, fmt.Errorf("a Deployment cannot be read: %w", err)
		}
		found[d.Metadata.Namespace+"/"+d.Metadata.Name] = d
	}
	return found, nil
}
