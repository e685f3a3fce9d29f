package httpapi

import "context"

type reportConflictsKey struct{}

// WithoutConflictRetries returns a context whose calls report a conflict immediately
// instead of repeating the request. Callers that write back what they have read
// need it: a repetition would overwrite the change of the other writer.
func WithoutConflictRetries(ctx context.Context) context.Context {
	return context.WithValue(ctx, reportConflictsKey{}, true)
}

func reportsConflicts(ctx context.Context) bool {
	reports, _ := ctx.Value(reportConflictsKey{}).(bool)
	return reports
}
