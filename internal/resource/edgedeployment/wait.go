package edgedeployment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
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

// watch begins a wait.
func watch(_ context.Context, c *run.Run, w crud.Watched[object]) crud.Watch[object] {
	client, scope, rolls := c.IEF.Client, scopeOf(w.Planned, c.IEF.Client), crud.Recall[rollout](w.Memory)
	return crud.Watch[object]{
		Probe: func(ctx context.Context) (seen crud.Progress, err error) {
			d, pods, err := readWithInstances(ctx, client, scope, w.ID[1])
			if err != nil {
				return seen, err
			}
			verdict, text := rolls.judge(w.Planned, d, pods, time.Now())
			if verdict.Is == judge.RunsUnseen {
				seen.Warnings.AddWarning("Unable to observe update of edge deployment", fmt.Sprintf(
					"Instances of edge deployment %q do not report the changed attributes, and IEF created no new instances within %s. The configured number of instances runs, so the update is assumed to be complete.", definition.StringAt(w.Planned, "name"), settleTime))
			}
			seen.Text, seen.Done = text, verdict.Runs()
			return seen, nil
		},
		End: func(ctx context.Context, last crud.Progress, _ error) crud.Progress {
			if !errors.Is(ctx.Err(), context.Canceled) {
				last.Text += "\n\nIEF keeps trying. Check the edge node: whether it is online and can pull the image, and the messages of its instances"
			}
			return last
		},
	}
}

// runs reports for a refresh whether the instances run.
func runs(ctx context.Context, c *run.Run, w crud.Watched[object], found *object) (bool, error) {
	pods := found.found.Instances
	if found.scope.Version == ief.V3 {
		var err error
		if pods, err = c.IEF.Client.Pods(ctx, found.scope, found.found.ID); err != nil {
			return false, err
		}
	}
	verdict, _ := crud.Recall[rollout](w.Memory).judge(w.Planned, found.found, pods, time.Now())
	return verdict.Runs(), nil
}

// readWithInstances reads a deployment and its instances.
func readWithInstances(ctx context.Context, client api, scope ief.Scope, id string) (*ief.Deployment, []ief.Pod, error) {
	d, err := client.Get(ctx, scope, id)
	if err != nil || scope.Version == ief.V2 {
		if err != nil {
			return nil, nil, err
		}
		return d, d.Instances, nil
	}
	pods, err := client.Pods(ctx, scope, id)
	return d, pods, err
}

// waitDeleted waits until a deployment no longer exists or the context ends.
func waitDeleted(ctx context.Context, client api, scope ief.Scope, id, name string) error {
	state := ""
	err := wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		d, err := find(ctx, client, scope, id, name)
		if err != nil {
			return errors.Is(err, errNoDeployment), err
		}
		state = d.State
		return false, nil
	})
	if canceled := message.DeletionCanceled(err); err == nil || canceled != nil {
		return canceled
	}
	hint := "IEF removes a deployment once its edge node has removed the instances, which an offline node never does. With force_destroy = true, applied before the destroy, the deployment is removed without waiting for the node."
	if state != "" {
		hint = "Its state is " + state + ". " + hint
	}
	return fmt.Errorf("the deployment still exists: %w\n\n%s", err, hint)
}

// errNoDeployment is in the errors of requests for a deployment that IEF does not have. A 404
// of a list is not among them.
var errNoDeployment = errors.New("the deployment does not exist")

// ofDeployment adds errNoDeployment to the error of a request for one deployment.
func ofDeployment(err error) error {
	if errors.Is(err, apierror.ErrNotFound) {
		return fmt.Errorf("%w: %w", errNoDeployment, err)
	}
	return err
}

// find returns a deployment. The API documentation has
// no error code for a missing deployment and uses 400 for many errors: if an id
// is rejected with 400, find lists the deployments to check whether it exists.
func find(ctx context.Context, client api, scope ief.Scope, id, name string) (*ief.Deployment, error) {
	d, err := client.Get(ctx, scope, id)
	if !errors.Is(err, apierror.ErrInvalid) || name == "" {
		return d, ofDeployment(err)
	}
	listed, listErr := client.List(ctx, scope, ief.Filter{Name: name}, 0)
	if listErr != nil {
		return nil, errors.Join(err, listErr)
	}
	for i := range listed {
		if listed[i].ID == id {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: %w", errNoDeployment, err)
}
