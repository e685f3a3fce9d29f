package kuscia

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// WithMaskedText returns a context whose calls mask a serving_input_config in
// errors and logs, see httpapi.WithMaskedText.
func WithMaskedText(ctx context.Context, inputConfig string) context.Context {
	return httpapi.WithMaskedText(ctx, inputConfig)
}

// WithoutConflictRetries returns a context whose calls report a conflict with another
// writer immediately, see httpapi.WithoutConflictRetries.
func WithoutConflictRetries(ctx context.Context) context.Context {
	return httpapi.WithoutConflictRetries(ctx)
}
