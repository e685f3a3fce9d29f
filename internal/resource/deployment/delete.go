package deployment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// remove deletes a deployment and waits until all objects that Kuscia created
// for it are deleted.
func remove(ctx context.Context, client *kube.Client, name string, diags *diag.Diagnostics) error {
	var releases diag.Diagnostics
	warnOfReleases(ctx, client, name, "KusciaDeployment was deleted during a release", &releases)
	removed, err := begin(ctx, client, name)
	if removed == nil {
		return err
	}
	diags.Append(releases...)
	return removed.waitGone(ctx, client)
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
			diags.AddWarning(summary, fmt.Sprintf("KusciaDeployment %q: %s", name, client.Masker(ctx).Report(left)))
		}
	}
}

// removal is a deployment whose delete was accepted, now or earlier.
type removal struct {
	// uid is "" if the deployment did not exist any longer, but objects that Kuscia created
	// for it do.
	name, uid string
	// finalizers are the last ones that the object had.
	finalizers []string
	// recreated is set if another object of the same name exists.
	recreated bool
	// left are some of the objects that still exist.
	left []string
}

// begin deletes the current object by its uid, never a new object of the same
// name; it returns nil if nothing was deleted.
func begin(ctx context.Context, client *kube.Client, name string) (*removal, error) {
	current, err := foundObject(client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, name))
	switch {
	case errors.Is(err, apierror.ErrNotFound):
		if left, err := children(ctx, client, name, ""); err == nil && len(left) > 0 {
			return &removal{name: name}, nil // an earlier delete did not see the end
		}
		return nil, nil // nothing was deleted
	case err != nil:
		return nil, err
	}
	kd := current.found
	r := &removal{name: name, uid: kd.Metadata.UID, finalizers: kd.Metadata.Finalizers}
	if _, err := children(ctx, client, name, ""); errors.Is(err, apierror.ErrUnauthorized) {
		return nil, fmt.Errorf("without it the provider cannot determine whether objects that Kuscia created for the deployment still exist after the delete; nothing was deleted: %w", err)
	}
	if err := client.Delete(ctx, kube.KusciaDeployments, kube.CrossDomain, name, kube.Preconditions{UID: r.uid}); err != nil && !errors.Is(err, apierror.ErrNotFound) {
		return nil, err
	}
	return r, nil
}

// orphanTimeout is how long a delete waits for the end of objects whose KusciaDeployment did
// not exist.
const orphanTimeout = 30 * time.Second

// childKinds are the kinds that Kuscia creates for a deployment and deletes with
// it.
var childKinds = []kube.Kind{kube.Deployments, kube.Services, kube.ConfigMaps}

// orphans reports whether only objects that Kuscia created for a deployment exist.
func (r *removal) orphans() bool { return r.uid == "" }

// bounded limits the time for the end of orphans, which Kuscia may have missed.
func (r *removal) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.orphans() {
		return context.WithTimeout(ctx, orphanTimeout)
	}
	return context.WithCancel(ctx)
}

// waitGone waits until all objects of a deployment are deleted.
func (r *removal) waitGone(ctx context.Context, client *kube.Client) error {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	err := wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		err := r.update(ctx, client)
		return err == nil && len(r.left) == 0, err
	})
	switch canceled := message.DeletionCanceled(err); {
	case err == nil:
		return nil
	case canceled != nil:
		return canceled
	case r.orphans() && !r.recreated && len(r.left) > 0:
		return errors.New(client.Masker(ctx).Text(orphanText(r.name, r.left)))
	case len(r.left) == 0:
		return fmt.Errorf("it was deleted, but the provider could not determine whether objects that Kuscia created for it still exist: %w", err)
	}
	return fmt.Errorf("the delete was accepted, but these objects still exist: %s: %w\n\n%s", client.Masker(ctx).Text(strings.Join(r.left, ", ")), err, r.cause())
}

// cause describes why objects still exist, and what to do.
func (r *removal) cause() string {
	switch {
	case r.recreated:
		return "Another client has created a KusciaDeployment of this name meanwhile, and Kuscia takes over existing objects of that name: they then belong to the new one. To delete everything, delete that KusciaDeployment too."
	case len(r.finalizers) > 0:
		return fmt.Sprintf("The KusciaDeployment had finalizers (%s). Kuscia does not notice that such a KusciaDeployment no longer exists, so that the objects that it created for it stay. "+
			"Check that the controller runs that removes the finalizers. When the KusciaDeployment no longer exists, delete the other objects: %s",
			httpapi.Text(strings.Join(r.finalizers, ", ")), deleteChildrenCommand(r.name))
	}
	return "Kuscia's controllers delete them; check that they run"
}

// deleteChildrenCommand is the command that deletes what Kuscia created for deployments of a
// name.
func deleteChildrenCommand(name string) string {
	return fmt.Sprintf("kubectl delete deployments,services,configmaps -A -l %s=%s", kube.LabelKDName, name)
}

// warnOfChildren warns of objects that Kuscia created for a KusciaDeployment that no longer
// exists: nothing refers to them after the refresh. There is no warning if they cannot be
// read.
func warnOfChildren(ctx context.Context, c *run.Run, state definition.Value) (diags diag.Diagnostics) {
	client, err := c.OpenKubernetes()
	if err != nil {
		return nil
	}
	name := definition.StringAt(state, attrName)
	left, err := children(ctx, client, name, "")
	if err != nil || len(left) == 0 {
		return nil
	}
	diags.AddWarning("KusciaDeployment is gone but its pods may still run", client.Masker(ctx).Text(orphanText(name, left)))
	return diags
}

// orphanText describes objects whose KusciaDeployment no longer exists.
func orphanText(name string, left []string) string {
	return fmt.Sprintf("These objects that Kuscia created for KusciaDeployment %q still exist: %s. Its controllers delete them when they run, but do not notice by themselves that a KusciaDeployment with finalizers no longer exists. If they remain, delete them: %s",
		name, strings.Join(left, ", "), deleteChildrenCommand(name))
}

// update reads which objects still exist: the deployment and what Kuscia created
// for it. These are recognized by the name alone, as Kuscia does, which takes
// over the objects of an earlier deployment of the same name without changing
// the uid in their labels. Those with the uid of a new deployment are its own.
func (r *removal) update(ctx context.Context, client *kube.Client) error {
	var left []string
	owner := ""
	current, err := foundObject(client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, r.name))
	switch {
	case errors.Is(err, apierror.ErrNotFound):
	case err != nil:
		return err
	case current.found.Metadata.UID != r.uid:
		owner = current.found.Metadata.UID
	default:
		left = append(left, "KusciaDeployment")
		if finalizers := current.found.Metadata.Finalizers; len(finalizers) > 0 {
			r.finalizers = finalizers
		}
	}
	found, err := children(ctx, client, r.name, owner)
	if err != nil {
		return err
	}
	r.left, r.recreated = slices.Concat(left, found), owner != ""
	return nil
}

// children returns some of the objects that Kuscia created for deployments of a
// name, without those for the deployment with the uid owner.
func children(ctx context.Context, client *kube.Client, name, owner string) ([]string, error) {
	const most = 10
	var left []string
	for _, kind := range childKinds {
		found, err := client.List(ctx, kind, kube.ListOptions{LabelSelector: kube.LabelKDName + "=" + name})
		if err != nil {
			return nil, err
		}
		for _, item := range found.Items {
			if of := item.GetLabels()[kube.LabelKDUID]; (owner == "" || of != owner) && len(left) < most {
				left = append(left, fmt.Sprintf("%s %s/%s", kind.Kind, item.GetNamespace(), item.GetName()))
			}
		}
	}
	return left, nil
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
