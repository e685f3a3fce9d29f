package kuscia

import "context"

// These are the recorded calls and failures of data sources.
func init() {
	recordObject(map[string]recordedCall{
		"domaindatasource/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			id, err := c.CreateDomainDataSource(ctx, recordedRequest[DomainDataSourceRequest](item))
			return map[string]any{"datasource_id": id}, err
		},
		"domaindatasource/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.QueryDomainDataSource(ctx, *recordedRequest[DomainDataSourceKey](item))
		},
		"domaindatasource/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.UpdateDomainDataSource(ctx, recordedRequest[DomainDataSourceRequest](item)))
		},
		"domaindatasource/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.DeleteDomainDataSource(ctx, *recordedRequest[DomainDataSourceKey](item)))
		},
		"domaindatasource/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			list, err := c.BatchQueryDomainDataSources(ctx, recordedData[[]DomainDataSourceKey](item))
			return map[string]any{"datasource_list": list}, err
		},
		"domaindatasource/list": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			list, err := c.ListDomainDataSources(ctx, recordedRequest[domainIDRequest](item).DomainID)
			return map[string]any{"datasource_list": list}, err
		},
	},
		recordedFailure{`domaindatasource/.*`, 11100, `master's kuscia api can't operate domain data source`, ErrUnsupported, new(int)},
		recordedFailure{`domaindatasource/.*`, 11100, `domain rk-auto can't operate domain rk-b data source`, ErrUnauthorized, new(int)},
		recordedFailure{`domaindatasource/create`, 11800, `domain data source rk-lf already exist`, ErrExists, new(int)},
		recordedFailure{`domaindatasource/create`, 11800, `domain data source info key and info all empty|parse data source failed, invalid datasource info|domain data source info key .* not exist`, ErrInvalid, new(int)},
		recordedFailure{`domaindatasource/update`, 11801, `invalid datasource type:|domain data source type "s3" doesn't support, .*|oss 'endpoint' is empty`, ErrInvalid, new(int)},
		recordedFailure{`domaindatasource/query`, 11802, `get domain .* kuscia data source .* failed, domaindatasources\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
		recordedFailure{`domaindatasource/query`, 11802, `missing datasource info for |unexpected end of JSON input`, ErrUnreadable, new(int)},
		recordedFailure{`domaindatasource/query`, 11802, `domain rk-auto data source id can not be empty`, ErrInvalid, new(int)},
		recordedFailure{`domaindatasource/query`, 11802, `domain rk-auto can't operate domain rk-b data source`, ErrUnauthorized, new(int)},
		recordedFailure{`domaindatasource/batchQuery`, 11803, `get domain .* kuscia data source rk-none failed, .* not found`, ErrNotFound, new(int)},
		recordedFailure{`domaindatasource/update`, 11806, `domain rk-auto data source rk-none doesn't exist`, ErrNotFound, new(int)},
		recordedFailure{`domaindatasource/list`, 11808, `missing datasource info for |unexpected end of JSON input`, ErrUnreadable, new(int)},
		recordedFailure{`domaindatasource/list`, 11808, `domain rk-auto can't operate domain rk-b data source`, ErrUnauthorized, new(int)},
	)
}
