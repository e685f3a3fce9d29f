package rollout

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// rollout defines kuscia_rollout.
var rollout = crud.New(crud.Spec[object]{
	Type: "rollout", Title: "rollout",
	Schema:   rolloutSchema(),
	Identity: identity("Rollout"),
	ToWire:   toWire, FromWire: fromWire,
	Responses: crud.Responses[object]{Deleting: func(o *object) bool { return o.Metadata.Deleting() }},
	Server:    crud.Cluster, API: calls,
	Checks: crud.Checks[object]{Object: checkRollout, References: rolloutReferences, Guard: guard},
	Writes: crud.Writes[object]{CompareFirst: true},
	// A refresh reads one list per namespace.
	BulkRead: bulkRead(listRollouts),
	Wait: &crud.Wait[object]{
		Attribute: "wait_for_healthy", Default: true, Done: isSettled, Failure: whyNeverSettled,
		Timeouts:    definition.Timeouts{Create: createTimeout, Update: updateTimeout, Delete: deleteTimeout},
		Description: "Whether a create waits until the controller has bound the Rollout to its workload, if it exists, and an update until the controller has observed the change. Default `true`. An image that is changed before that is not released step by step.",
	},
})

var lookupRollout = rollout.NewDataSource("One Rollout and the state of its release. The plan fails if it does not exist.")

// calls are the API calls for Rollouts.
func calls(c *run.Run) crud.API[object] {
	return crud.API[object]{
		Create: func(ctx context.Context, desired *object) error {
			defer c.ForgetRollouts(desired.Metadata.Namespace)
			kind, encoded, err := encode(ctx, c, desired)
			if err != nil {
				return err
			}
			return create(ctx, c, kind, encoded)
		},
		Query: func(ctx context.Context, id crud.ID) (*object, error) {
			client, err := c.OpenKubernetes()
			if err != nil {
				return nil, err
			}
			found, _, err := query(ctx, client, id[0], id[1])
			if err != nil {
				return nil, err
			}
			switch found.Release().State {
			case kruise.NoWorkload:
				found.workloadExists = exists(ctx, client, found)
			case kruise.NotObserved:
				found.withoutPods, found.other = awaitsPods(ctx, client, found), otherRollout(ctx, client, found)
			}
			return found, nil
		},
		UpdateObject: func(ctx context.Context, u crud.Update[object]) error {
			defer c.ForgetRollouts(u.ID[0])
			if u.Desired.Spec.Disabled && !u.Before.Spec.Disabled {
				return disable(ctx, c, u.Before, func() error { return update(ctx, c, u) })
			}
			return update(ctx, c, u)
		},
		DeleteObject: func(ctx context.Context, before *object, _ *diag.Diagnostics) error {
			defer c.ForgetRollouts(before.Metadata.Namespace)
			return removeRollout(ctx, c, before)
		},
	}
}

// update updates a Rollout to the plan, if it is as in the state.
func update(ctx context.Context, c *run.Run, u crud.Update[object]) error {
	client, kind, err := opened(ctx, c)
	if err != nil {
		return err
	}
	return apply(ctx, change{client, kind, u.Desired.forceConflicts}, u, readRollout, func(desired *object) (map[string]any, error) { return desired.Object(kind.Version) })
}

// encode returns a Rollout in the version that the cluster serves.
func encode(ctx context.Context, c *run.Run, desired *object) (kube.Kind, map[string]any, error) {
	_, kind, err := opened(ctx, c)
	if err != nil {
		return kind, nil, err
	}
	encoded, err := desired.Object(kind.Version)
	return kind, encoded, err
}

// isSettled reports whether the controller has processed the current generation
// of a Rollout. One that is being deleted is never settled.
func isSettled(o *object) (done bool, state string) {
	release := o.Release()
	if o.withoutPods {
		return true, release.String()
	}
	switch release.State {
	case kruise.NotObserved, kruise.Disabling, kruise.Terminating:
	case kruise.NoWorkload:
		// The controller may not yet have noticed a new workload.
		done = !o.workloadExists
	default:
		done = o.Spec.Disabled == (release.State == kruise.Disabled)
	}
	return done && o.Status.ObservedGeneration >= o.Metadata.Generation, release.String()
}

// whyNeverSettled returns why the controller will not process a Rollout, "" if it may.
func whyNeverSettled(o *object) string {
	if o.other == "" {
		return ""
	}
	namespace := httpapi.Text(o.Metadata.Namespace)
	return fmt.Sprintf("Rollout %q refers to the same workload, and a workload has at most one: the webhook of OpenKruise Rollouts now refuses every write to either, so that its controller carries out neither. Delete one of the two (kubectl delete rollouts.rollouts.kruise.io/NAME -n %s)",
		namespace+"/"+httpapi.Text(o.other), namespace)
}
