package kube

import (
	"context"
	"slices"
	"strings"
)

// The label by which KusciaDeployments of the KusciaAPI are told from others.
const (
	LabelAppType   = "kuscia.secretflow/app-type"
	AppTypeServing = "serving"
)

// ListKusciaDeployments returns those that a label selector selects and, unless it
// is "", that have a domain among their parties, by name.
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
