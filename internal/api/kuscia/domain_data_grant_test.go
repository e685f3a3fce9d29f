package kuscia

import "context"

// These are the recorded calls and failures of grants.
func init() {
	recordObject(map[string]recordedCall{
		"domaindatagrant/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			id, err := c.CreateDomainDataGrant(ctx, recordedRequest[DomainDataGrantRequest](item))
			return map[string]any{"domaindatagrant_id": id}, err
		},
		"domaindatagrant/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.QueryDomainDataGrant(ctx, *recordedRequest[DomainDataGrantKey](item))
		},
		"domaindatagrant/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.UpdateDomainDataGrant(ctx, recordedRequest[DomainDataGrantRequest](item)))
		},
		"domaindatagrant/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.DeleteDomainDataGrant(ctx, *recordedRequest[DomainDataGrantKey](item)))
		},
		"domaindatagrant/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.BatchQueryDomainDataGrants(ctx, recordedData[[]DomainDataGrantKey](item))
		},
		"domaindatagrant/list": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			list, err := c.ListDomainDataGrants(ctx, recordedData[DomainDataGrantFilter](item))
			return map[string]any{"domaindatagrant_list": list}, err
		},
	},
		recordedFailure{`domaindatagrant/create`, 11100, `domaindata \[.*\] not exists`, ErrDomainDataMissing, new(int)},
		recordedFailure{`domaindatagrant/create`, 11700, `CreateDomainDataGrant failed, because domaindatagrant rk-g1 is exist`, ErrExists, new(int)},
		recordedFailure{`domaindatagrant/create`, 11700, `DomainDataGrant\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
		recordedFailure{`domaindatagrant/(query|delete)`, 11702, `resource name may not be empty|an empty namespace may not be set .*`, ErrInvalid, new(int)},
		recordedFailure{`domaindatagrant/delete`, 11703, `resource name may not be empty|an empty namespace may not be set .*`, ErrInvalid, new(int)},
		recordedFailure{`domaindatagrant/batchQuery`, 11702, `BatchQuery has error. Empty/Error/Total\(1/1/3\)`, nil, new(int)},
		recordedFailure{`domaindatagrant/.*`, 11705, `domaindatagrants\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
	)
}
