package edgedeployment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// api has the methods of the client that the resource needs.
type api interface {
	Create(ctx context.Context, scope ief.Scope, r *ief.CreateRequest) (*ief.Deployment, error)
	Get(ctx context.Context, scope ief.Scope, id string) (*ief.Deployment, error)
	Update(ctx context.Context, scope ief.Scope, id string, r *ief.UpdateRequest) error
	Delete(ctx context.Context, scope ief.Scope, id string, force bool) error
	List(ctx context.Context, scope ief.Scope, filter ief.Filter, limit int) ([]ief.Deployment, error)
	Pods(ctx context.Context, scope ief.Scope, id string) ([]ief.Pod, error)
}

// pace is the interval between two polls.
var pace = wait.Interval{First: 200 * time.Millisecond, Longest: 5 * time.Second}

// waitRunning polls a deployment until it runs as desired or the context ends.
func waitRunning(ctx context.Context, client api, scope ief.Scope, id string, desired tftypes.Value, r rollout) (progress, error) {
	last := progress{text: "no query succeeded"}
	err := wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		d, pods, err := readWithInstances(ctx, client, scope, id)
		if err != nil {
			return false, err
		}
		last = r.progressOf(desired, d, pods, time.Now())
		tflog.Info(ctx, "waiting for an edge deployment", map[string]any{"id": id, "progress": last.text})
		return last.done, nil
	})
	if err != nil {
		return last, fmt.Errorf("%s: %w", last.text, err)
	}
	return last, nil
}

// readWithInstances reads a deployment and its instances.
func readWithInstances(ctx context.Context, client api, scope ief.Scope, id string) (*ief.Deployment, []ief.Pod, error) {
	d, err := client.Get(ctx, scope, id)
	if err != nil || scope.Version == ief.V2 {
		if err != nil {
			return nil, nil, err //nolint:wrapcheck // the client's errors describe the request
		}
		return d, d.Instances, nil
	}
	pods, err := client.Pods(ctx, scope, id)
	return d, pods, err //nolint:wrapcheck // the client's errors describe the request
}

// waitDeleted waits until a deployment no longer exists or the context ends.
func waitDeleted(ctx context.Context, client api, scope ief.Scope, id, name string) error {
	state := ""
	err := wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		d, err := find(ctx, client, scope, id, name)
		if err != nil || d == nil {
			return err == nil, err
		}
		state = d.State
		return false, nil
	})
	if err == nil {
		return nil
	}
	hint := "IEF removes a deployment once its edge node has removed the instances, which an offline node never does. With force_destroy = true, applied before the destroy, the deployment is removed without waiting for the node."
	if state != "" {
		hint = "Its state is " + state + ". " + hint
	}
	return fmt.Errorf("the deployment still exists: %w\n\n%s", err, hint)
}

// find returns a deployment, or nil if there is none. The API documentation has
// no error code for a missing deployment and uses 400 for many errors: if an id
// is rejected with 400, find lists the deployments to check whether it exists.
func find(ctx context.Context, client api, scope ief.Scope, id, name string) (*ief.Deployment, error) {
	d, err := get(ctx, client, scope, id)
	switch {
	case err == nil:
		return d, nil
	case errors.Is(err, apierror.ErrNotFound):
		return nil, nil
	case !errors.Is(err, apierror.ErrInvalid) || name == "":
		return nil, err //nolint:wrapcheck // the client's errors describe the request
	}
	listed, listErr := client.List(ctx, scope, ief.Filter{Name: name}, 0)
	if listErr != nil {
		return nil, errors.Join(err, listErr)
	}
	for i := range listed {
		if listed[i].ID == id {
			return nil, err //nolint:wrapcheck // the client's errors describe the request
		}
	}
	return nil, nil
}
