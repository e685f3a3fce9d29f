package rolloutstatus

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// podsInterval is the time until the first list of the pods of a Deployment, and between
// two of them.
const podsInterval = 20 * time.Second

// podFailure is what is known about the newest pod of a Deployment.
type podFailure struct {
	wait.PodFailure
	listed time.Time
	text   string
}

// podsFail describes why pods of a party have not started for wait.PodFailureTimeout; "" if
// they may still start. Only the newest pod counts: those of the previous version run until
// new ones are available.
func (r *Reader) podsFail(ctx context.Context, kd *kube.KusciaDeployment, p Party) string {
	if p.Done || !p.SpecAsExpected {
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
	problem, err := newestProblem(ctx, r.cluster, p)
	if status := kd.Status; err != nil && kd.Metadata.Generation == 1 {
		// After an update, Kuscia's reason may still be from before it.
		problem = strings.TrimRight(httpapi.Text(status.Reason)+": "+httpapi.Text(status.Message), ": ")
	}
	if seen.Record(now, p.DeploymentStatus.Text, problem) {
		seen.text = fmt.Sprintf("%s. %s It has been so in domain %q for %s", problem, wait.PodHint(problem), httpapi.Text(p.Key.DomainID), wait.PodFailureTimeout)
	}
	return seen.text
}
