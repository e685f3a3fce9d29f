package rolloutstatus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// PodLister lists pods; a *kube.Client.
type PodLister interface {
	List(ctx context.Context, kind kube.Kind, options kube.ListOptions) (*unstructured.UnstructuredList, error)
}

// podsTimeout limits the queries of PodProblems, which follow a wait that has
// failed.
const podsTimeout = 5 * time.Second

// PodProblems describes why pods of the parties that are not done do not run:
// Kuscia shows it only for a new KusciaDeployment, and a Deployment never does.
// It is "" if nothing is known about it, and not masked. The end of ctx does not
// matter, unless it was cancelled.
func PodProblems(ctx context.Context, pods PodLister, seen *Status) string {
	if seen == nil || seen.Done || errors.Is(ctx.Err(), context.Canceled) {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), podsTimeout)
	defer cancel()
	var all []string
	for _, p := range seen.Parties {
		if p.Done {
			continue
		}
		found, err := listPods(ctx, pods, p)
		if err != nil {
			all = append(all, fmt.Sprintf("the pods in namespace %s may show why (they could not be listed: %s)", p.Desired.Namespace, strings.TrimRight(err.Error(), ".")))
			continue
		}
		if text := podProblem(found); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// listPods returns the pods of a party, the newest first, without those that are being
// deleted.
func listPods(ctx context.Context, pods PodLister, p Party) ([]*kube.Pod, error) {
	found, err := pods.List(ctx, kube.Pods, kube.ListOptions{Namespace: p.Desired.Namespace, LabelSelector: kube.LabelDeploymentName + "=" + p.Desired.Name})
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors name the request
	}
	slices.SortStableFunc(found.Items, func(a, b unstructured.Unstructured) int {
		return b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time)
	})
	var all []*kube.Pod
	for i := range found.Items {
		pod := &kube.Pod{}
		if found.Items[i].GetDeletionTimestamp() == nil && kube.Decode(&found.Items[i], pod) == nil {
			all = append(all, pod)
		}
	}
	return all, nil
}

// podProblem describes the first pod that has a problem; "" if there is none.
func podProblem(pods []*kube.Pod) string {
	for _, pod := range pods {
		if problem := pod.Problem(); problem != "" {
			return fmt.Sprintf("pod %s/%s: %s", httpapi.Text(pod.Metadata.Namespace), httpapi.Text(pod.Metadata.Name), httpapi.Text(problem))
		}
	}
	return ""
}

// newestProblem describes the problem of the newest pod of a party; "" if it has none.
func newestProblem(ctx context.Context, pods PodLister, p Party) (string, error) {
	found, err := listPods(ctx, pods, p)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return podProblem(found[:1]), nil
}
