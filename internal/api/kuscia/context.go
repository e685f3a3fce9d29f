package kuscia

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// KeepSecret returns a context whose calls mask a serving_input_config in
// errors and logs, see httpapi.KeepSecret.
func KeepSecret(ctx context.Context, inputConfig string) context.Context {
	return httpapi.KeepSecret(ctx, inputConfig)
}

// ReportConflicts returns a context whose calls report a conflict with another
// writer immediately, see httpapi.ReportConflicts.
func ReportConflicts(ctx context.Context) context.Context { return httpapi.ReportConflicts(ctx) }
