package kuscia

import "context"

// These are the recorded calls and failures of routes.
func init() {
	recordObject(map[string]recordedCall{
		"route/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.CreateDomainRoute(ctx, recordedRequest[DomainRoute](item)))
		},
		"route/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.QueryDomainRoute(ctx, *recordedRequest[DomainRouteKey](item))
		},
		"route/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.DeleteDomainRoute(ctx, *recordedRequest[DomainRouteKey](item)))
		},
		"route/status/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			list, err := c.BatchQueryDomainRouteStatus(ctx, recordedRequest[domainRouteKeysRequest](item).RouteKeys)
			return map[string]any{"routes": list}, err
		},
	},
		recordedFailure{`route/create`, 11305, `domains\.kuscia\.secretflow "rk-none" not found`, ErrDomainMissing, new(int)},
		recordedFailure{`route/create`, 11400, `DomainRoute Port Protocol should be HTTP or HTTPS or GRPC or GRPCS`, ErrInvalid, new(int)},
		recordedFailure{`route/create`, 11400, `ClusterDomainRoute\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
		recordedFailure{`route/.*`, 11404, `clusterdomainroutes\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
		recordedFailure{`route/create`, 11405, `clusterdomainroutes\.kuscia\.secretflow ".*" already exists`, ErrExists, new(int)},
	)
}
