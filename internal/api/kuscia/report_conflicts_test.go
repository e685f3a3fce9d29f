package kuscia

import (
	"errors"
	"testing"
)

// TestReportConflicts: a caller that handles conflicts itself gets the first
// one, and transient failures are still repeated.
func TestReportConflicts(t *testing.T) {
	update := func(server *faultServer) error {
		return newTestClient(t, server).UpdateServing(WithoutConflictRetries(t.Context()), &UpdateServingRequest{ServingID: "glm"})
	}
	server := &faultServer{fault: failure("11603", "the object has been modified"), times: -1}
	if err := update(server); !errors.Is(err, ErrConflict) || server.calls.Load() != 1 {
		t.Errorf("%d attempts: %v", server.calls.Load(), err)
	}
	server = &faultServer{fault: status(503, ""), times: 1, good: successResponse}
	if err := update(server); err != nil || server.calls.Load() != 2 {
		t.Errorf("%d attempts: %v", server.calls.Load(), err)
	}
}
