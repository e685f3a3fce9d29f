package kuscia

import "context"

// These are the recorded calls and failures of domain data.
func init() {
	recordObject(map[string]recordedCall{
		"domaindata/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			id, err := c.CreateDomainData(ctx, recordedRequest[DomainDataRequest](item))
			return map[string]any{"domaindata_id": id}, err
		},
		"domaindata/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.QueryDomainData(ctx, recordedData[DomainDataKey](item))
		},
		"domaindata/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.UpdateDomainData(ctx, recordedRequest[DomainDataRequest](item)))
		},
		"domaindata/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.DeleteDomainData(ctx, *recordedRequest[DomainDataKey](item)))
		},
		"domaindata/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			list, err := c.BatchQueryDomainData(ctx, recordedData[[]DomainDataKey](item))
			return map[string]any{"domaindata_list": list}, err
		},
		"domaindata/list": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			list, err := c.ListDomainData(ctx, recordedData[DomainDataFilter](item))
			return map[string]any{"domaindata_list": list}, err
		},
	},
		recordedFailure{`domaindata/create`, 11100, `kuscia lite api could only operate it's own domaindata, .*`, ErrUnauthorized, new(int)},
		recordedFailure{`domaindata/create`, 11500, `DomainData\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
		recordedFailure{`domaindata/list`, 11503, `found 'b', expected: .*`, ErrInvalid, new(int)},
		recordedFailure{`domaindata/update`, 11505, `DomainData\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
		recordedFailure{`domaindata/.*`, 11506, `domaindatas\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
		recordedFailure{`domaindata/(create|update)`, 11806, "domain data source `.*` is not exists in domain `.*`", ErrDataSourceMissing, new(int)},
	)
}
