package httpapi

import "context"

type reportConflictsKey struct{}

// ReportConflicts returns a context whose calls report a conflict with another
// writer at once. Otherwise they repeat the request, which is wrong for a
// caller that sends back what it has read: the other writer's change would be
// lost.
func ReportConflicts(ctx context.Context) context.Context {
	return context.WithValue(ctx, reportConflictsKey{}, true)
}

func reportsConflicts(ctx context.Context) bool {
	reports, _ := ctx.Value(reportConflictsKey{}).(bool)
	return reports
}
