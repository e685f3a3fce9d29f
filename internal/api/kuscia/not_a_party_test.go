package kuscia

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
)

// TestNotAParty: a node that is not a party of a serving is distinguished from
// a serving that does not exist.
func TestNotAParty(t *testing.T) {
	t.Parallel()
	for message, hidden := range map[string]bool{"serving not found": true, `kusciadeployments.kuscia.secretflow "glm" not found`: false} {
		c := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = io.WriteString(w, failureResponse("11601", message))
		}))
		_, err := c.QueryServing(context.Background(), "glm")
		if errors.Is(err, ErrNotAParty) != hidden || errors.Is(err, ErrNotFound) == hidden {
			t.Errorf("%q is %v", message, err)
		}
	}
}
