package kube

import "context"

// ClusterDomainRoute has the fields of a route that are used here.
type ClusterDomainRoute struct {
	Spec ClusterDomainRouteSpec `json:"spec"`
}

// ClusterDomainRouteSpec is its specification.
type ClusterDomainRouteSpec struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
	Endpoint    struct {
		Ports []struct {
			Port int32 `json:"port"`
		} `json:"ports"`
	} `json:"endpoint"`
	Transit *struct {
		Method string `json:"transitMethod"`
	} `json:"transit"`
}

// IsAutomatic reports whether Kuscia has created the route: all others have ports or a transit.
func (r *ClusterDomainRoute) IsAutomatic() bool {
	return len(r.Spec.Endpoint.Ports) == 0 && r.Spec.Transit == nil
}

// ListClusterDomainRoutes returns the routes.
func (c *Client) ListClusterDomainRoutes(ctx context.Context) ([]ClusterDomainRoute, error) {
	list, err := c.List(ctx, ClusterDomainRoutes, ListOptions{})
	if err != nil {
		return nil, err
	}
	found := make([]ClusterDomainRoute, len(list.Items))
	for i := range list.Items {
		if err := Decode(&list.Items[i], &found[i]); err != nil {
			return nil, err
		}
	}
	return found, nil
}
