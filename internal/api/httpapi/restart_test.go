package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// lockedBuffer is a buffer for the log of several calls.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// TestServerRestarts: a call is repeated until a restarted server responds
// again, for a limited time, with one line of log. The first call to a server that never
// responded, unless it changes an object that the plan has read, and a call that asks for that,
// are repeated MaxRetries times only.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	const restartFor = 2 * time.Second
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	serve := func(address string) *httptest.Server {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewUnstartedServer(handler)
		s.Listener = listener
		s.Start()
		return s
	}
	server := serve("127.0.0.1:0")
	address := server.Listener.Addr().String()
	newClient := func(retries int) *httpapi.Client {
		client, err := httpapi.New(httpapi.Config{Name: "TestAPI", Protocol: httpapi.PlainProtocol{Key: "key"}, Endpoint: "http://" + address, MaxRetries: retries})
		if err != nil {
			t.Fatal(err)
		}
		client.Backoff = httpapi.Backoff{Base: time.Millisecond, Max: 20 * time.Millisecond, RestartTimeout: restartFor}
		return client
	}
	read, write := httpapi.Call{Operation: httpapi.Operation{Name: "read", Method: http.MethodGet, Path: "x"}}, httpapi.Call{Operation: httpapi.Operation{Name: "write", Method: http.MethodPost, Path: "x", Writes: true}}
	create := write
	create.Creates = true
	do := func(ctx context.Context, client *httpapi.Client, request httpapi.Call) error {
		_, err := client.Do(ctx, request)
		client.HTTP().CloseIdleConnections()
		return err
	}
	known, fresh, never := newClient(2), newClient(2), newClient(0)
	for _, client := range []*httpapi.Client{known, never} {
		if err := do(t.Context(), client, read); err != nil {
			t.Fatal(err)
		}
	}
	server.Close()
	for name, call := range map[string]struct {
		ctx     context.Context
		client  *httpapi.Client
		request httpapi.Call
		want    int
	}{
		"wait":                        {httpapi.WithoutRestartRetries(t.Context()), known, read, 3},
		"server that never responded": {t.Context(), fresh, create, 3},
		"no retries":                  {t.Context(), never, write, 1},
	} {
		var e *apierror.Error
		if err := do(call.ctx, call.client, call.request); !errors.As(err, &e) || e.Attempts != call.want || e.Cause != httpapi.CauseConnectionRefused {
			t.Errorf("%s: %v, want %d attempts", name, err, call.want)
		}
	}
	back := make(chan *httptest.Server)
	go func() { time.Sleep(restartFor / 4); back <- serve(address) }()
	var log lockedBuffer
	logged := tflogtest.RootLogger(t.Context(), &log)
	var group sync.WaitGroup
	for _, request := range []httpapi.Call{write, read, create} {
		group.Go(func() {
			if err := do(logged, known, request); err != nil {
				t.Errorf("the %s during the restart: %v", request.Name, err)
			}
		})
	}
	group.Go(func() {
		if err := do(t.Context(), fresh, write); err != nil {
			t.Errorf("the first call of an apply, which changes an object: %v", err)
		}
	})
	group.Wait()
	(<-back).Close()
	if lines := strings.Count(log.String(), "is not available any more"); lines != 1 {
		t.Errorf("%d lines of log about the restart\n%s", lines, log.String())
	}

	began := time.Now()
	for range 3 {
		if err := do(t.Context(), known, write); err == nil || time.Since(began) > restartFor+time.Second {
			t.Errorf("a server that stays down: %v after %s", err, time.Since(began))
		}
	}
	if took := time.Since(began); took < restartFor {
		t.Errorf("a server that stays down was awaited for %s", took)
	}
}
