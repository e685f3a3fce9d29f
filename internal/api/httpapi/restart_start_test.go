package httpapi_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// TestServerStarts: what a server answers while it starts, after connections were refused or with
// nothing before it, does not end a call: an API server without its store, its kinds, its users or
// its permissions.
func TestServerStarts(t *testing.T) {
	t.Parallel()
	statuses := map[string]int{
		"unavailable": http.StatusServiceUnavailable, "store": http.StatusInternalServerError, "requests": http.StatusTooManyRequests,
		"users": http.StatusUnauthorized, "permissions": http.StatusForbidden, "kinds": http.StatusNotImplemented, "gateway": http.StatusBadGateway,
	}
	for name, status := range statuses {
		for what, refuses := range map[string]bool{"refuses first": true, "answers at once": false} {
			if !refuses && status != http.StatusServiceUnavailable && status != http.StatusBadGateway {
				continue // without a sign of a restart this is the server's answer
			}
			t.Run(name+", "+what, func(t *testing.T) {
				t.Parallel()
				var starting atomic.Bool
				handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					if starting.Load() {
						w.WriteHeader(status)
						return
					}
					_, _ = io.WriteString(w, "{}")
				})
				serve := func(address string) *httptest.Server {
					listener, err := net.Listen("tcp", address)
					if err != nil {
						t.Error(err)
						return nil
					}
					s := httptest.NewUnstartedServer(handler)
					s.Listener = listener
					s.Start()
					return s
				}
				server := serve("127.0.0.1:0")
				address := server.Listener.Addr().String()
				client, err := httpapi.New(httpapi.Config{Name: "TestAPI", Protocol: httpapi.PlainProtocol{Key: "key"}, Endpoint: "http://" + address, MaxRetries: 2})
				if err != nil {
					t.Fatal(err)
				}
				client.Backoff = httpapi.Backoff{Base: 5 * time.Millisecond, Max: 20 * time.Millisecond, RestartTimeout: 10 * time.Second}
				read := httpapi.Call{Operation: httpapi.Operation{Name: "read", Method: http.MethodGet, Path: "x"}}
				if _, err := client.Do(t.Context(), read); err != nil {
					t.Fatal(err)
				}
				client.HTTP().CloseIdleConnections()
				starting.Store(true)
				if refuses {
					server.Close()
				}
				started := make(chan *httptest.Server)
				go func() {
					again := server
					if time.Sleep(300 * time.Millisecond); refuses {
						again = serve(address)
					}
					time.Sleep(500 * time.Millisecond)
					starting.Store(false)
					started <- again
				}()
				if _, err := client.Do(t.Context(), read); err != nil {
					t.Error(err)
				}
				if again := <-started; again != nil {
					again.Close()
				}
			})
		}
	}
}
