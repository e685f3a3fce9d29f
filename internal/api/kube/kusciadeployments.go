package kube

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// The label of KusciaDeployments that the KusciaAPI has created.
const (
	LabelAppType   = "kuscia.secretflow/app-type"
	AppTypeServing = "serving"
)

// ListKusciaDeployments returns the KusciaDeployments that match a label
// selector and, unless domainID is "", have that domain as a party, sorted by
// name.
func (c *Client) ListKusciaDeployments(ctx context.Context, labelSelector, domainID string) ([]*KusciaDeployment, error) {
	list, err := c.List(ctx, KusciaDeployments, ListOptions{Namespace: CrossDomain, LabelSelector: labelSelector})
	if err != nil {
		return nil, err
	}
	var found []*KusciaDeployment
	for i := range list.Items {
		kd := &KusciaDeployment{}
		if err := Decode(&list.Items[i], kd); err != nil {
			return nil, err
		}
		has := func(p KusciaDeploymentParty) bool { return p.DomainID == domainID }
		if domainID == "" || slices.ContainsFunc(kd.Spec.Parties, has) {
			found = append(found, kd)
		}
	}
	slices.SortFunc(found, func(a, b *KusciaDeployment) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return found, nil
}

// SelectorProblem returns what is wrong with a label selector, "" if nothing is: the API server does
// not say which text it refuses.
func SelectorProblem(selector string) string {
	if _, err := labels.Parse(selector); err != nil {
		return `It is not a label selector in the syntax of kubectl: separate requirements by commas, for example "app=glm,tier in (a,b)".`
	}
	return ""
}
