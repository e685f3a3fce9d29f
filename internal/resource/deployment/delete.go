package deployment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Delete deletes the deployment and waits until all objects that Kuscia created
// for it are deleted. It is no error if the deployment does not exist.
func (r *kusciaDeployment) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	client, ready := r.Clients.ReadyKubernetes(&resp.Diagnostics)
	private, _ := privateKey.Load(ctx, req.Private, &resp.Diagnostics)
	if !ready || resp.Diagnostics.HasError() {
		return
	}
	name := definition.StringAt(req.State.Raw, attrName)
	if r.Clients.KeepsAdopted(&resp.Diagnostics, messageObject(name)) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, deployment.Timeout(req.State.Raw, definition.OnDelete))
	defer cancel()
	defer r.Clients.ForgetKubernetes(kube.KusciaDeployments)
	var releases diag.Diagnostics
	warnOfReleases(ctx, client, name, "KusciaDeployment %q was deleted during a release", &releases)
	uid, err := remove(ctx, client, req.State.Raw, private, &resp.Diagnostics)
	if uid != "" {
		resp.Diagnostics.Append(releases...)
		err = waitGone(ctx, client, name, uid)
	}
	if err != nil {
		clients.AddError(&resp.Diagnostics, fmt.Sprintf("Unable to delete KusciaDeployment %q", name), err)
	}
}

// warnOfReleases warns of Rollouts that are releasing a Deployment that is
// deleted: what they leave behind makes the next release hang. There is no
// warning if the Deployments cannot be read.
func warnOfReleases(ctx context.Context, client *kube.Client, name, summary string, diags *diag.Diagnostics) {
	deployments, err := deploymentsOf(ctx, client, name)
	if err != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(deployments)) {
		if left := party.LeftoverBatchRelease(deployments[key]); left != "" {
			diags.AddWarning(fmt.Sprintf(summary, name), client.Masker(ctx).Text(left))
		}
	}
}

// remove deletes the current object by its uid, never a new object of the same
// name, and returns the uid; "" if nothing was deleted.
func remove(ctx context.Context, client *kube.Client, state definition.Value, private privateData, diags *diag.Diagnostics) (uid string, err error) {
	name := definition.StringAt(state, attrName)
	kd, err := get(ctx, client, name)
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		return "", nil
	case err != nil:
		return "", err
	case private.IsUncertain(state) && !deployment.IsCreated(state, fromResponse(kd, state)):
		clients.AddNotCreated(diags, messageObject(name), "was not deleted")
		return "", nil
	}
	uid = kd.Metadata.UID
	if _, err := children(ctx, client, name, uid); errors.Is(err, apierror.ErrUnauthorized) {
		return "", fmt.Errorf("without it the provider cannot determine whether objects that Kuscia created for the deployment still exist after the delete; nothing was deleted: %w", err)
	}
	if err := client.Delete(ctx, kube.KusciaDeployments, kube.CrossDomain, name, kube.Preconditions{UID: uid}); err != nil && !errors.Is(err, apierror.ErrNotFound) {
		return "", err //nolint:wrapcheck // the client's errors describe the request
	}
	return uid, nil
}

// childKinds are the kinds that Kuscia creates for a deployment and deletes with
// it.
var childKinds = []kube.Kind{kube.Deployments, kube.Services, kube.ConfigMaps}

// waitGone waits until all objects of a deployment are deleted. uid is "" if
// the deployment did not exist before the delete: existing objects may then
// belong to a new deployment of the same name.
func waitGone(ctx context.Context, client *kube.Client, name, uid string) error {
	var left []string
	err := wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		found, err := leftovers(ctx, client, name, uid)
		if err != nil {
			return false, err
		}
		left = found
		return len(left) == 0, nil
	})
	if err == nil {
		return nil
	}
	if len(left) == 0 {
		return fmt.Errorf("it was deleted, but the provider could not determine whether objects that Kuscia created for it still exist: %w", err)
	}
	return fmt.Errorf("the delete was accepted, but these objects still exist: %s: %w\n\nKuscia's controllers delete them; check that they run", client.Masker(ctx).Text(strings.Join(left, ", ")), err)
}

// leftovers returns the objects that still exist: the deployment and what
// Kuscia created for it.
func leftovers(ctx context.Context, client *kube.Client, name, uid string) ([]string, error) {
	var left []string
	kd, err := get(ctx, client, name)
	switch {
	case err == nil && kd.Metadata.UID == uid:
		left = append(left, "KusciaDeployment")
	case err != nil && !errors.Is(err, apierror.ErrNotFound):
		return nil, err
	}
	found, err := children(ctx, client, name, uid)
	return append(left, found...), err
}

// children returns some of the objects that Kuscia created for a deployment.
func children(ctx context.Context, client *kube.Client, name, uid string) ([]string, error) {
	const most = 10
	var left []string
	for _, kind := range childKinds {
		found, err := client.List(ctx, kind, kube.ListOptions{LabelSelector: kube.LabelKDName + "=" + name})
		if err != nil {
			return nil, err //nolint:wrapcheck // the client's errors describe the request
		}
		for _, item := range found.Items {
			if of := item.GetLabels()[kube.LabelKDUID]; (of == "" || of == uid) && len(left) < most {
				left = append(left, fmt.Sprintf("%s %s/%s", kind.Kind, item.GetNamespace(), item.GetName()))
			}
		}
	}
	return left, nil
}
