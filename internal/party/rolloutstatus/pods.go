package rolloutstatus

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
)

// PodLister lists pods; a *kube.Client.
type PodLister interface {
	List(ctx context.Context, kind kube.Kind, options kube.ListOptions) (*unstructured.UnstructuredList, error)
}

// podsTimeout limits the queries of Pods, which follow a wait that has failed.
const podsTimeout = 5 * time.Second

// Pods reports why pods of the parties that the last Read has found not to be done do not run. Those
// that cannot be listed are as an earlier Read has seen them; if nothing is known about any, it is
// what Kuscia reports. The end of ctx does not matter, unless it was canceled.
func (r *Reader) Pods(ctx context.Context) podstatus.Report {
	seen := r.last
	if seen == nil || seen.Done || errors.Is(ctx.Err(), context.Canceled) {
		return podstatus.Report{}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), podsTimeout)
	defer cancel()
	masker := r.cluster.Masker(ctx)
	var parties []podstatus.Party
	for _, p := range seen.Parties {
		if p.Runs() || p.selector == "" {
			continue
		}
		found, err := r.listPods(ctx, p)
		if before := r.podFailures[p.Key]; err != nil && before != nil && len(before.pods) > 0 {
			found, err = before.pods, nil
		}
		parties = append(parties, podstatus.Party{Name: r.partyName(p.Key, masker), Deployment: r.name, Pods: found, Unlisted: err})
	}
	report, status := podstatus.Of(parties, masker), seen.KusciaDeployment.Status
	if report.Why == "" {
		reported := r.reported.Told(status.Reason, status.Message, masker)
		report.Why, report.Lines = reported.Why, append(reported.Lines, report.Lines...)
	}
	return report
}

// Knows tells the reader the domains of the configured parties: their names are shown, also where
// a configuration text has them, whose parts are masked.
func (r *Reader) Knows(domains ...string) {
	if r.known == nil {
		r.known = map[string]bool{}
	}
	for _, domain := range domains {
		r.known[domain] = true
	}
}

// partyName is what a party is called.
func (r *Reader) partyName(key party.Key, masker httpapi.Masker) string {
	name := httpapi.Text(key.DomainID)
	if !r.known[key.DomainID] {
		name = masker.Text(name)
	}
	if key.Role != "" {
		name += " (role " + masker.Text(key.Role) + ")"
	}
	return name
}

// listPods returns the pods of a party.
func (r *Reader) listPods(ctx context.Context, p Party) ([]kube.Pod, error) {
	found, err := r.cluster.List(ctx, kube.Pods, kube.ListOptions{Namespace: p.Desired.Namespace, LabelSelector: p.selector})
	if err != nil {
		return nil, err
	}
	all := make([]kube.Pod, 0, len(found.Items))
	for i := range found.Items {
		pod := kube.Pod{}
		if kube.Decode(&found.Items[i], &pod) == nil {
			all = append(all, pod)
		}
	}
	return all, nil
}
