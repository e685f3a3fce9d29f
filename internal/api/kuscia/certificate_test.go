package kuscia

import "context"

// These are the recorded calls and failures of certificates.
func init() {
	recordObject(map[string]recordedCall{
		"certificate/generate": func(ctx context.Context, c *Client, item *transcriptItem) (any, error) {
			return c.GenerateCertificate(ctx, recordedRequest[GenerateCertificateRequest](item))
		},
	},
		recordedFailure{`certificate/generate`, 2000, `.*`, ErrInvalid, new(int)},
	)
}
