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
		found, err := pods.List(ctx, kube.Pods, kube.ListOptions{Namespace: p.Desired.Namespace, LabelSelector: kube.LabelDeploymentName + "=" + p.Desired.Name})
		if err != nil {
			all = append(all, fmt.Sprintf("the pods in namespace %s may show why (they could not be listed: %s)", p.Desired.Namespace, strings.TrimRight(err.Error(), ".")))
			continue
		}
		if text := podProblem(found.Items); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// podProblem describes the newest pod that has a problem; "" if there is none.
func podProblem(pods []unstructured.Unstructured) string {
	slices.SortStableFunc(pods, func(a, b unstructured.Unstructured) int {
		return b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time)
	})
	for i := range pods {
		pod := &kube.Pod{}
		if pods[i].GetDeletionTimestamp() != nil || kube.Decode(&pods[i], pod) != nil {
			continue
		}
		if problem := pod.Problem(); problem != "" {
			return fmt.Sprintf("pod %s/%s: %s", pods[i].GetNamespace(), pods[i].GetName(), httpapi.Text(problem))
		}
	}
	return ""
}
