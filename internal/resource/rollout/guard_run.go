package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// guardRun is one run of guard.
type guardRun struct {
	ctx       context.Context // has the lifetime of one run of guard
	client    *kube.Client
	change    crud.Change[object]
	workloads *run.PlannedWorkloads
	diags     diag.Diagnostics
}

// known reports whether the planned values at the given paths have no unknown
// parts.
func (g *guardRun) known(at ...path.Path) bool {
	return !slices.ContainsFunc(g.change.Unknown.All(), func(unknown path.Path) bool {
		return slices.ContainsFunc(at, func(part path.Path) bool {
			inner, outer := unknown.Steps(), part.Steps()
			return len(inner) >= len(outer) && inner[:len(outer)].Equal(outer)
		})
	})
}

func (g *guardRun) addError(at path.Path, summary, detail string) {
	g.diags.AddAttributeError(at, summary, detail)
}

// current returns the Rollout in the cluster, nil if there is none.
func (g *guardRun) current() (*object, error) {
	found, _, err := query(g.ctx, g.client, g.change.ID[0], g.change.ID[1])
	if errors.Is(err, apierror.ErrNotFound) {
		return nil, nil
	}
	return found, err
}

// promoteHelp explains the effect of deleting or disabling a Rollout during a
// release.
const promoteHelp = "This does not undo the release: all pods get the new version at once.\n\n" +
	"Approve the remaining steps, or roll the workload back to the previous image and configuration, and wait for the end of the release. " +
	"If all pods should get the new version now, set promote_on_destroy = true and apply that first (after an import, together with a change of another attribute: an apply of it alone stores nothing)."

// recordRemoved records that the Rollout no longer controls its current workload.
func (g *guardRun) recordRemoved(at path.Path) {
	before := g.change.Before
	g.warnStops(at, g.workloads.RecordRolloutRemoved(g.change.ID[0], workloadName(before.Spec.WorkloadRef), g.change.ID.String(), !before.Spec.Disabled))
}

// warnStops warns of a run that also changes the workload that the Rollout no longer
// controls.
func (g *guardRun) warnStops(at path.Path, planned run.PlannedChanges) {
	if before := g.change.Before; planned.PodsChangedBy != "" && !before.Spec.Disabled {
		g.diags.AddAttributeWarning(at, run.NotReleasedByRollout, run.StopsControlling(g.change.ID.String(), g.change.ID[0], httpapi.Text(before.Spec.WorkloadRef.Name), planned.PodsChangedBy))
	}
}

// warnNotInstalled warns in a plan that the apply will fail, unless it also
// installs OpenKruise Rollouts.
func warnNotInstalled(diags *diag.Diagnostics, kind kube.Kind) {
	diags.AddAttributeWarning(path.Root(attrName), "OpenKruise Rollouts is not installed", fmt.Sprintf(
		"The cluster does not serve %s. If this apply is to install OpenKruise Rollouts, let this resource depend on the one that does; otherwise the apply will fail. The provider block may also refer to a different cluster than intended.", kind))
}
