package clients

import (
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// PlannedReleases are the Deployments of this run that get a new version, and
// those that get a Rollout. A Rollout only controls changes that are made after
// it has found its Deployment: whichever of the two is planned second finds the
// other one here. The zero value is ready for use.
type PlannedReleases struct {
	mu       sync.Mutex
	changes  map[deploymentKey]string
	rollouts map[deploymentKey]string
}

type deploymentKey struct{ namespace, name string }

// NoteRollout records that a Rollout for a Deployment is created. It returns
// what changes the Deployment in the same run, "" if nothing is planned so far.
func (p *PlannedReleases) NoteRollout(namespace, deployment, rollout string) (changedBy string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rollouts == nil {
		p.rollouts = map[deploymentKey]string{}
	}
	p.rollouts[deploymentKey{namespace, deployment}] = rollout
	return p.changes[deploymentKey{namespace, deployment}]
}

// NoteChange records that an update replaces the pods of a Deployment, and what
// is updated ("serving \"x\""). If a Rollout is created in the same run, it
// adds a warning at an attribute: the order of the two depends on the
// configuration.
func (p *PlannedReleases) NoteChange(diags *diag.Diagnostics, at path.Path, namespace, deployment, by string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changes == nil {
		p.changes = map[deploymentKey]string{}
	}
	key := deploymentKey{namespace, deployment}
	p.changes[key] = by
	if rollout := p.rollouts[key]; rollout != "" {
		diags.AddAttributeWarning(at, "The Rollout of this Deployment is new", fmt.Sprintf(
			"Rollout %q of Deployment %s/%s is created in the same apply. The change is released step by step only if it comes after that: let this resource depend on the rollout (depends_on), or apply the rollout first.",
			rollout, namespace, deployment))
	}
}
