package rolloutstatus

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// heldSoon is after which time a Deployment counts as held whose Rollout cannot be
// read, or does not say that it is about the Deployment as it is now.
const heldSoon = 15 * time.Second

// HeldNote says after Status.Held what else is to be known of a change that is
// held.
const HeldNote = " The change is made and is released step by step: until the release is over, rollout_complete is false, and each apply looks again."

// held describes where Rollouts hold the Deployments that are not done, and what
// is to be done; "" as long as one of them moves on by itself.
func (w *Reader) held(ctx context.Context, seen *Status) string {
	var lines, next []string
	for _, p := range seen.Parties {
		if p.Done {
			continue
		}
		where, remedy, holds := w.heldAt(ctx, p)
		if !holds {
			return ""
		}
		lines = append(lines, fmt.Sprintf("Deployment %s/%s is held by Rollout %s%s (%s)", p.Expected.Namespace, p.Expected.Name, p.HeldBy, where, p.Text))
		if len(next) == 0 || next[len(next)-1] != remedy {
			next = append(next, remedy)
		}
	}
	return w.cluster.Masker(ctx).Text(strings.Join(lines, "; ") + ".\n\n" + strings.Join(next, " "))
}

// heldAt is where a release waits for somebody, and for what. Right after a
// change the Rollout still shows where the release before it stood.
func (w *Reader) heldAt(ctx context.Context, p Party) (where, next string, holds bool) {
	patient := time.Since(w.began) < heldSoon
	release, err := w.release(ctx, p.Expected.Namespace, p.HeldBy)
	if err != nil {
		return "", fmt.Sprintf("The Rollout could not be read: %s.", strings.TrimRight(err.Error(), ".")), !patient
	}
	next, holds = release.WaitsForSomebody()
	if release.WorkloadGeneration < p.generation && patient {
		holds = false
	}
	return ": " + release.String(), next, holds
}

func (w *Reader) release(ctx context.Context, namespace, name string) (release kruise.Release, err error) {
	kind, served, err := w.cluster.FirstServed(ctx, kube.Rollouts...)
	switch {
	case err != nil:
		return release, err //nolint:wrapcheck // the client's errors say what was asked
	case !served:
		return release, fmt.Errorf("the cluster does not serve %s", kube.Rollouts[0])
	}
	object, err := w.cluster.Get(ctx, kind, namespace, name)
	if err != nil {
		return release, err //nolint:wrapcheck // the client's errors say what was asked
	}
	rollout, err := kruise.RolloutFrom(object.Object)
	if err != nil {
		return release, err //nolint:wrapcheck // it says what could not be read
	}
	return rollout.Release(), nil
}
