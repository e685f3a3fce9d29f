package kuscia

import "context"

// These are the recorded calls and failures of configuration.
func init() {
	recordObject(map[string]recordedCall{
		"config/create": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.CreateConfig(ctx, recordedData[[]ConfigEntry](item)...))
		},
		"config/update": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.UpdateConfig(ctx, recordedData[[]ConfigEntry](item)...))
		},
		"config/delete": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return done(c.DeleteConfig(ctx, recordedRequest[configKeysRequest](item).Keys...))
		},
		"config/batchQuery": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.BatchQueryConfig(ctx, recordedRequest[configKeysRequest](item).Keys)
		},
		"config/query": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			key := recordedRequest[configKeyRequest](item).Key
			value, err := c.QueryConfig(ctx, key)
			return ConfigEntry{Key: key, Value: value}, err
		},
	},
		recordedFailure{`config/create`, 11900, `request key\[.*\] already exist, duplicate creation is not allowed`, ErrExists, new(int)},
		recordedFailure{`config/create`, 11900, `ConfigMap "domain-config" is invalid: .*`, ErrInvalid, new(int)},
		recordedFailure{`config/create`, 11900, `key\[.*\] length is 257 bytes and exceed the max length 256 bytes`, ErrInvalid, new(int)},
	)
}
