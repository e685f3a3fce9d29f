package rolloutstatus

import (
	"context"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// podsInterval is the time until the first list of the pods of a Deployment, and between
// two of them.
const podsInterval = 20 * time.Second

// podFailure is what is known about the pods of a party.
type podFailure struct {
	wait.PodFailure
	listed time.Time
	pods   []kube.Pod
	text   string
}

// podsFail says that pods of a party have not started for wait.PodFailureTimeout; "" if they
// may still start. Only the newest pod counts: those of the previous version run until new ones
// are available.
func (r *Reader) podsFail(ctx context.Context, kd *kube.KusciaDeployment, p Party) string {
	if p.Runs() || !p.SpecAsExpected() {
		delete(r.podFailures, p.Key)
		return ""
	}
	if r.podFailures == nil {
		r.podFailures = map[party.Key]*podFailure{}
	}
	seen := r.podFailures[p.Key]
	if seen == nil {
		seen = &podFailure{listed: time.Now()}
		r.podFailures[p.Key] = seen
	}
	now := time.Now()
	if now.Sub(seen.listed) < podsInterval {
		return seen.text
	}
	seen.listed, seen.text = now, ""
	pods, err := r.listPods(ctx, p)
	reason := podstatus.Reason(pods)
	if err == nil {
		seen.pods = pods
	} else if kd.Metadata.Generation == 1 {
		// After an update, Kuscia's reason may still be from before it.
		reason = kd.Status.Reason
	}
	if seen.Record(now, p.DeploymentStatus.Text, reason) {
		seen.text = fmt.Sprintf("pods of domain %q have not started for %s: %s", httpapi.Text(p.Key.DomainID), wait.PodFailureTimeout, httpapi.Text(reason))
	}
	return seen.text
}
