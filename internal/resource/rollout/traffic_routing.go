package rollout

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// trafficRouting defines kuscia_traffic_routing.
var trafficRouting = crud.New(crud.Spec[routing]{
	Type: "traffic_routing", Title: "traffic routing",
	Schema:   trafficRoutingSchema(),
	Identity: identity("traffic routing"),
	ToWire:   routingToWire, FromWire: routingFromWire,
	Responses: crud.Responses[routing]{Deleting: func(r *routing) bool { return r.Metadata.Deleting() }},
	Server:    crud.Cluster, API: routingCalls,
	Checks: crud.Checks[routing]{
		Object: checkTrafficRouting, Guard: guardRouting,
		References: func(r *routing) []crud.Reference {
			return routeReferences(r.Metadata.Namespace, path.Root(attrObjectRef), r.Spec.ObjectRef)
		},
	},
	Writes: crud.Writes[routing]{CompareFirst: true},
	BulkRead: bulkRead(func(ctx context.Context, client *kube.Client, namespace string) ([]routing, error) {
		return listed(ctx, client, kube.TrafficRoutings, namespace, readRouting)
	}),
})

var lookupTrafficRouting = trafficRouting.NewDataSource("One traffic routing of OpenKruise Rollouts with its phase. The plan fails if it does not exist.")

func trafficRoutingSchema() definition.Schema {
	return definition.Schema{
		Description: "A TrafficRouting of OpenKruise Rollouts. The Rollouts of several workloads refer to it with `traffic_routing_ref`, so that a request uses the new versions of all of them.\n\n" +
			"The provider block needs `kubernetes`. The API server in Kuscia does not serve Ingress, Gateway or Istio resources; this resource is for clusters that do.\n\n" +
			"During a release the Rollout sets a finalizer on its TrafficRouting, and a delete is refused. A delete waits for at most 5 minutes.",
		Attributes: []definition.Attribute{
			{Name: attrNamespace, Replace: definition.Always, Description: "Namespace: with Kuscia the domain. Changing it replaces the traffic routing."},
			{Name: attrName, Replace: definition.Always, Description: "Name. Changing it replaces the traffic routing."},
			{Name: attrObjectRef, Type: definition.ObjectList, Attributes: trafficRoutingFields(), Description: "Services with the routes to them; at least one."},
			{Name: attrStrategy, Type: definition.Object, Description: "Which requests go to the new version. At least one of `weight`, `matches` and `request_header_modifier` is needed.", Attributes: []definition.Attribute{
				{Name: attrWeight, Type: definition.Number, Presence: definition.Nullable, Description: "Percentage of the requests that go to the new version, 0 to 100."},
				{Name: attrMatches, Type: definition.ObjectList, Presence: definition.Optional, Attributes: headerMatchFields(), Description: "Requests that go to the new version: those that match one of these."},
				headerModifier(),
			}},
			{Name: attrForceConflicts, Type: definition.Bool, Presence: definition.Optional, Local: true, Description: "Whether an update takes over fields of other field managers. Default `false`: an update with such a conflict fails, and names the manager and the fields."},
		},
		DataSource: routingStatus(),
	}
}

func routingToWire(r definition.Reader) *routing {
	out := &routing{forceConflicts: r.Bool(attrForceConflicts)}
	out.Metadata = kruise.Metadata{Namespace: r.String(attrNamespace), Name: r.String(attrName)}
	out.Spec.ObjectRef = routingsToWire(r.Objects(attrObjectRef))
	if strategy, ok := r.Object(attrStrategy); ok {
		out.Spec.Strategy = kruise.TrafficRoutingStrategy{RequestHeaderModifier: modifierToWire(strategy), Matches: matchesToWire(strategy, headerMatchToWire)}
		if strategy.Has(attrWeight) {
			weight := strategy.Int32(attrWeight)
			out.Spec.Strategy.Weight = &weight
		}
	}
	return out
}

func routingFromWire(o *routing) definition.Tree {
	strategy := definition.Tree{attrMatches: definition.Each(o.Spec.Strategy.Matches, headerMatchTree)}
	if o.Spec.Strategy.Weight != nil {
		strategy[attrWeight] = int64(*o.Spec.Strategy.Weight)
	}
	if o.Spec.Strategy.RequestHeaderModifier != nil {
		strategy[attrHeaderModifier] = modifierTree(o.Spec.Strategy.RequestHeaderModifier)
	}
	return definition.Tree{
		attrNamespace: o.Metadata.Namespace, attrName: o.Metadata.Name,
		attrObjectRef: definition.Each(o.Spec.ObjectRef, routingTree), attrStrategy: strategy,
		"phase": o.Status.Phase, "message": o.Status.Message,
	}
}

func readRouting(found map[string]any) (routing, error) {
	read, err := kruise.TrafficRoutingFrom(found)
	if err != nil {
		return routing{}, err
	}
	return routing{TrafficRouting: *read}, nil
}

// routingCalls are the API calls for traffic routings.
func routingCalls(c *run.Run) crud.API[routing] {
	return crud.API[routing]{
		Create: func(ctx context.Context, desired *routing) error {
			object, err := desired.Object()
			if err != nil {
				return err
			}
			return create(ctx, c, kube.TrafficRoutings, object)
		},
		Query: func(ctx context.Context, id crud.ID) (*routing, error) {
			found, err := get(ctx, c, kube.TrafficRoutings, id)
			if err != nil {
				return nil, err
			}
			read, err := readRouting(found.Object)
			return &read, err
		},
		UpdateObject: func(ctx context.Context, u crud.Update[routing]) error {
			client, err := c.OpenKubernetes()
			if err != nil {
				return err
			}
			return apply(ctx, change{client, kube.TrafficRoutings, u.Desired.forceConflicts}, u, readRouting, func(desired *routing) (map[string]any, error) { return desired.Object() })
		},
		Delete: func(ctx context.Context, id crud.ID) error {
			return remove(ctx, c, kube.TrafficRoutings, id, refuseInUse)
		},
	}
}

// routingStatus are the attributes that only data sources have.
func routingStatus() []definition.Attribute {
	return []definition.Attribute{
		{Name: "phase", Presence: definition.Computed, Description: "`Initial`, `Healthy`, `Progressing`, `Finalizing` or `Terminating`."},
		{Name: "message", Presence: definition.Computed, Description: "Message of the controller."},
	}
}
