package run

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// PlannedWorkloads are the Deployments of this run that get a new version, those whose
// update strategy Kuscia sets, and those that get a Rollout. A Rollout only controls
// changes that are made after it has found its Deployment, and blue-green only works
// where Kuscia sets no strategy: whichever of the two is planned second finds the
// other one here. The zero value is ready for use.
type PlannedWorkloads struct {
	mu          sync.Mutex
	deployments map[objectKey]*plannedDeployment
}

type objectKey struct{ namespace, name string }

// plannedDeployment is what this run plans for a Deployment.
type plannedDeployment struct {
	rollout *PlannedRollout
	// removed are the ids of the Rollouts that this run deletes or moves to another
	// Deployment.
	removed map[string]bool
	PlannedChanges
}

// PlannedRollout is a Rollout of a Deployment that is created or changed.
type PlannedRollout struct {
	// ID is its namespace and name.
	ID string
	// StartsControlling is set if the Rollout did not control this Deployment before.
	StartsControlling bool
	// StopsControlling is set if the Rollout controls this Deployment, and this run deletes
	// or disables it or moves it to another Deployment.
	StopsControlling bool
	// BlueGreen is set if the Rollout is enabled and has this style.
	BlueGreen bool
}

// PlannedChanges are the resources that change a Deployment, "" for none.
type PlannedChanges struct {
	// PodsChangedBy gives it a new version, StrategySetBy makes Kuscia set its strategy.
	PodsChangedBy, StrategySetBy string
	// OtherRollout is the id of another Rollout that this run creates or changes for the
	// Deployment; "" for none. A workload has at most one.
	OtherRollout string
}

// of returns what is planned for a Deployment. The caller holds the lock.
func (p *PlannedWorkloads) of(namespace, deployment string) *plannedDeployment {
	key := objectKey{namespace, deployment}
	if p.deployments == nil {
		p.deployments = map[objectKey]*plannedDeployment{}
	}
	if p.deployments[key] == nil {
		p.deployments[key] = &plannedDeployment{}
	}
	return p.deployments[key]
}

// RecordRollout records that a Rollout of a Deployment is created or changed. It returns
// what this run has planned for the Deployment so far. Next to another Rollout it records
// nothing.
func (p *PlannedWorkloads) RecordRollout(namespace, deployment string, rollout PlannedRollout) PlannedChanges {
	p.mu.Lock()
	defer p.mu.Unlock()
	planned := p.of(namespace, deployment)
	changes := planned.PlannedChanges
	if other := planned.rollout; other != nil && other.ID != rollout.ID && !planned.removed[other.ID] {
		changes.OtherRollout = other.ID
		return changes
	}
	planned.rollout = &rollout
	delete(planned.removed, rollout.ID)
	return changes
}

// RecordRolloutRemoved records that a Rollout is deleted or gets another Deployment, and
// returns what this run has planned for the Deployment so far. It does not replace another
// Rollout that is recorded for the Deployment. The PlannedRollout keeps RecordStrategy from
// looking for the old one in the cluster. enabled is set if the Rollout was not disabled.
func (p *PlannedWorkloads) RecordRolloutRemoved(namespace, deployment, id string, enabled bool) PlannedChanges {
	p.mu.Lock()
	defer p.mu.Unlock()
	planned := p.of(namespace, deployment)
	if planned.rollout == nil || planned.rollout.ID == id {
		planned.rollout = &PlannedRollout{ID: id, StopsControlling: enabled}
	}
	if planned.removed == nil {
		planned.removed = map[string]bool{}
	}
	planned.removed[id] = true
	return planned.PlannedChanges
}

// IsRolloutRemoved reports whether this run deletes a Rollout of a Deployment or moves
// it to another one.
func (p *PlannedWorkloads) IsRolloutRemoved(namespace, deployment, id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of(namespace, deployment).removed[id]
}

// RecordPodChange records that an update replaces the pods of a Deployment, and what
// is updated ("serving \"x\""). If a Rollout starts or stops to control the Deployment in
// the same run, it adds a warning at an attribute: the order of the two depends on
// the configuration.
func (p *PlannedWorkloads) RecordPodChange(diags *diag.Diagnostics, at path.Path, namespace, deployment, by string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	planned := p.of(namespace, deployment)
	planned.PodsChangedBy = by
	switch rollout := planned.rollout; {
	case rollout == nil:
	case rollout.StopsControlling:
		diags.AddAttributeWarning(at, NotReleasedByRollout, StopsControlling(rollout.ID, namespace, deployment, by))
	case rollout.StartsControlling:
		diags.AddAttributeWarning(at, "Rollout of the Deployment is new", fmt.Sprintf(
			"Rollout %q starts to control Deployment \"%s/%s\" in the same apply. The change is released step by step only if it is applied afterwards: let this resource depend on the Rollout (depends_on), or apply the Rollout first.",
			rollout.ID, namespace, deployment))
	}
}

// NotReleasedByRollout is the summary of StopsControlling.
const NotReleasedByRollout = "Change may not be released step by step"

// StopsControlling explains the effect of a run in which a Rollout stops to control a
// Deployment that "by" changes.
func StopsControlling(rollout, namespace, deployment, by string) string {
	return fmt.Sprintf("%s changes Deployment \"%s/%s\" in the same apply in which Rollout %q is deleted, disabled or moved to another workload. If the Rollout is first, all pods get the new version at once; "+
		"if the change is first, it begins a release, and the Rollout is not deleted, disabled or moved during it (see promote_on_destroy). To determine the order, apply one of the two first (terraform apply -target).",
		by, httpapi.Text(namespace), httpapi.Text(deployment), rollout)
}

// BlueGreenConflict explains the effect of a blue-green release on a Deployment
// whose strategy Kuscia sets.
const BlueGreenConflict = "Kuscia and Kruise then overwrite each other's strategy, pods of the stable version are killed, and the release may hang at its first step. " +
	"Every serving created through the KusciaAPI has such a strategy. Use canary, with enable_extra_workload_for_canary = true for pods of both versions side by side, or a kuscia_deployment without update_strategy; if this configuration removes the strategy, apply that first."

// RecordStrategy records that Kuscia sets the update strategy of a Deployment
// whose pods or strategy this run changes, and the resource that does. A
// blue-green Rollout of the Deployment, in this run or in the cluster, is an
// error at an attribute: its next release would break.
func (r *Run) RecordStrategy(ctx context.Context, diags *diag.Diagnostics, at path.Path, namespace, deployment, by string) {
	p := &r.PlannedWorkloads
	p.mu.Lock()
	planned := p.of(namespace, deployment)
	planned.StrategySetBy = by
	rollout := planned.rollout
	p.mu.Unlock()
	id := ""
	switch {
	case rollout == nil:
		id = r.blueGreenRollout(ctx, namespace, deployment)
	case rollout.BlueGreen:
		id = rollout.ID
	}
	if id != "" {
		diags.AddAttributeError(at, "Blue-green does not work with the Deployment", fmt.Sprintf(
			"%s: Rollout %q uses blue-green for Deployment \"%s/%s\", but %s makes Kuscia set its update strategy. %s\n\nChange the Rollout first, or let this resource depend on it.",
			at, httpapi.Text(id), httpapi.Text(namespace), httpapi.Text(deployment), by, BlueGreenConflict))
	}
}
