package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// emptyAPI is an API server that stores nothing, and that can be down.
type emptyAPI struct {
	down, writes atomic.Int32
}

// Send implements objects.API.
func (a *emptyAPI) Send(method, path string, _, _ any) error {
	switch {
	case a.down.Load() > 0:
		return errors.New("connection refused")
	case method != http.MethodGet:
		a.writes.Add(1)
	case !strings.Contains(path, "?"): // one object
		return &objects.Error{Reason: objects.NotFound, Message: "not found"}
	}
	return nil
}

// Stream implements objects.API.
func (a *emptyAPI) Stream(ctx context.Context, _ string, _ func(json.RawMessage) error) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestStoreThatDoesNotRespond: while the API server does not respond, its error is the
// response, no object counts as missing, and nothing is written.
func TestStoreThatDoesNotRespond(t *testing.T) {
	api := &emptyAPI{}
	s := startSandbox(t, Options{API: api})
	requests := map[string]struct {
		body m
		code int32
	}{
		"domain/create":         {m{"domain_id": "carol"}, 11300},
		"domain/query":          {m{"domain_id": "alice"}, 11301},
		"route/delete":          {m{"source": "alice", "destination": "bob"}, 11403},
		"domaindatagrant/query": {m{"domain_id": "alice", "domaindatagrant_id": "g"}, 11702},
		"appimage/query":        {m{"name": "i"}, 13101},
		"serving/query":         {m{"serving_id": "s"}, 11601},
	}
	for op, request := range requests {
		if op != "domain/create" && ask(s, op, request.body).err() == nil {
			t.Errorf("%s of a missing object is no error", op)
		}
	}
	api.down.Store(1)
	before := api.writes.Load()
	for op, request := range requests {
		if got := ask(s, op, request.body).Status; got.Code != request.code || got.Message != "connection refused" {
			t.Errorf("%s: %d %s, want the code %d", op, got.Code, got.Message, request.code)
		}
	}
	if now := api.writes.Load(); now != before {
		t.Errorf("%d writes", now-before)
	}
}
