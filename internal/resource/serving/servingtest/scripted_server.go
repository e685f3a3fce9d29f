package servingtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Reply is the response of a scripted server to a request.
type Reply struct {
	Code    int32
	Message string
	Data    any
}

// Scripted is a client of a server with scripted responses.
type Scripted struct {
	*kuscia.Client

	mu    sync.Mutex
	paths []string
}

// NewScripted starts the server; the client does not retry requests.
func NewScripted(t *testing.T, response func(path, body string) Reply) *Scripted {
	t.Helper()
	s := &Scripted{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.paths = append(s.paths, r.URL.Path)
		given := response(r.URL.Path, string(body))
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"status": map[string]any{"code": given.Code, "message": given.Message}, "data": given.Data})
	}))
	t.Cleanup(server.Close)
	client, err := kuscia.New(kuscia.Config{Endpoint: server.URL, RequestTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	s.Client = client
	return s
}

// Requests returns how often a path was requested; "" counts all requests.
func (s *Scripted) Requests(path string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, requested := range s.paths {
		if path == "" || requested == path {
			n++
		}
	}
	return n
}
