package kuscia

import "context"

// These are the recorded calls and failures of domains.
func init() {
	recordObject(map[string]recordedCall{
		"domain/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.CreateDomain(ctx, recordedRequest[DomainRequest](item)))
		},
		"domain/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.QueryDomain(ctx, recordedRequest[domainIDRequest](item).DomainID)
		},
		"domain/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.UpdateDomain(ctx, recordedRequest[DomainRequest](item)))
		},
		"domain/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.DeleteDomain(ctx, recordedRequest[domainIDRequest](item).DomainID))
		},
		"domain/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			list, err := c.BatchQueryDomains(ctx, recordedRequest[domainIDsRequest](item).DomainIDs)
			return map[string]any{"domains": list}, err
		},
	},
		recordedFailure{`domain/(create|update)`, 11300, `Domain\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
		recordedFailure{`domain/update`, 11303, `Domain\.kuscia\.secretflow .* is invalid: .*`, ErrInvalid, new(int)},
		recordedFailure{`domain/.*`, 11305, `domains\.kuscia\.secretflow ".*" not found`, ErrNotFound, new(int)},
		recordedFailure{`domain/create`, 11306, `domains\.kuscia\.secretflow ".*" already exists`, ErrExists, new(int)},
	)
}

func init() {
	addSecretCall("query domain",
		`{"status":{"code":0},"data":{"domain_id":"a","deploy_token_statuses":[{"token":"`+plantedSecret+`"}]}}`,
		func(ctx context.Context, c *Client) error { _, err := c.QueryDomain(ctx, "a"); return err })
}
