package clients

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// ClusterMatch is whether the cluster of the provider block is that of its KusciaAPI.
type ClusterMatch int

// The values of a ClusterMatch.
const (
	// ClusterUnknown: the domains do not tell, or may not be listed.
	ClusterUnknown ClusterMatch = iota
	ClusterSame
	ClusterOther
)

const (
	// comparedDomains is the number of domains that are compared.
	comparedDomains = 3
	// The time in which the KusciaAPI and the cluster show the same after a change, and the pause
	// between two comparisons.
	staleDomains, comparePause = 2 * time.Second, 200 * time.Millisecond
)

// CompareClusters reports whether the cluster is that of the KusciaAPI: both show the deploy tokens
// of domains, which are random.
func (c *Clients) CompareClusters(ctx context.Context) (ClusterMatch, error) {
	client, err := c.OpenKubernetes()
	if err != nil {
		return ClusterUnknown, err
	}
	for began := time.Now(); ; {
		match, err := c.compareDomains(ctx, client)
		if err != nil || match != ClusterOther || time.Since(began) > staleDomains || !wait.Sleep(ctx, comparePause) {
			return match, err
		}
	}
}

// compareDomains compares the oldest domains that have tokens. One that both have is enough.
func (c *Clients) compareDomains(ctx context.Context, client *kube.Client) (ClusterMatch, error) {
	listed, err := client.List(ctx, kube.Domains, kube.ListOptions{})
	switch {
	case errors.Is(err, kube.ErrForbidden), errors.Is(err, apierror.ErrUnsupported):
		return ClusterUnknown, nil
	case err != nil:
		return ClusterUnknown, err
	}
	domains := slices.DeleteFunc(listed.Items, func(d unstructured.Unstructured) bool { return len(tokensOf(&d)) == 0 })
	slices.SortFunc(domains, func(a, b unstructured.Unstructured) int {
		return cmp.Or(a.GetCreationTimestamp().Compare(b.GetCreationTimestamp().Time), cmp.Compare(a.GetName(), b.GetName()))
	})
	match := ClusterUnknown
	for i := range domains[:min(len(domains), comparedDomains)] {
		found, err := c.Kuscia.QueryDomain(ctx, domains[i].GetName())
		switch {
		case errors.Is(err, kuscia.ErrNotFound):
			match = ClusterOther
		case apierror.IsTransient(err):
			return ClusterUnknown, err
		case err != nil: // a node may not return the domains of others
		case slices.ContainsFunc(found.DeployTokenStatuses, func(t kuscia.DeployTokenStatus) bool { return slices.Contains(tokensOf(&domains[i]), t.Token) }):
			return ClusterSame, nil
		case len(found.DeployTokenStatuses) > 0 || found.Role != roleOf(&domains[i]):
			match = ClusterOther
		}
	}
	return match, nil
}

// tokensOf are the deploy tokens of a domain in the cluster.
func tokensOf(domain *unstructured.Unstructured) (tokens []string) {
	statuses, _, _ := unstructured.NestedSlice(domain.Object, "status", "deployTokenStatuses")
	for _, status := range statuses {
		fields, _ := status.(map[string]any)
		if token, _ := fields["token"].(string); token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

func roleOf(domain *unstructured.Unstructured) string {
	role, _, _ := unstructured.NestedString(domain.Object, "spec", "role")
	return role
}
