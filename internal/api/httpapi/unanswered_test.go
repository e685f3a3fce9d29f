package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// server is a transport that answers as a function says, or not at all.
type server func(r *http.Request) *http.Response

func (s server) RoundTrip(r *http.Request) (*http.Response, error) {
	if response := s(r); response != nil {
		return response, nil
	}
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func response(code int, header http.Header) *http.Response {
	return &http.Response{StatusCode: code, Header: header, Body: io.NopCloser(strings.NewReader("{}"))}
}

// TestUnansweredReads: of many objects the first few wait for a server that does not answer, or asks
// to wait, and it is asked again after a while. An object of its own, a wait and a write are not
// affected, and an answer ends it.
func TestUnansweredReads(t *testing.T) {
	t.Parallel()
	silent := func(*http.Request) *http.Response { return nil }
	busy := func(*http.Request) *http.Response {
		return response(http.StatusServiceUnavailable, http.Header{"Retry-After": {"3600"}})
	}
	ok := func(*http.Request) *http.Response { return response(http.StatusOK, nil) }
	oneIsBad := func(r *http.Request) *http.Response {
		if strings.HasSuffix(r.URL.Path, "/bad") {
			return nil
		}
		return ok(r)
	}
	const n, parallel = 100, 10
	object := func(i int) httpapi.Call {
		name := fmt.Sprint("object-", i)
		return httpapi.Call{Operation: httpapi.Operation{Name: "get object", Method: http.MethodGet, Path: "/objects/" + name}, IDs: []string{name}}
	}
	discovery := httpapi.Call{Operation: httpapi.Operation{Name: "discover", Method: http.MethodGet, Path: "/"}}
	for name, test := range map[string]struct {
		server func(*http.Request) *http.Response
		call   func(i int) httpapi.Call
		ctx    func(context.Context) context.Context
		// serial is set if one call waits for the other.
		serial bool
		// failed is the number of failures, within is how long all take.
		failed int
		within time.Duration
	}{
		"silent":           {server: silent, call: object, failed: n, within: 5 * time.Minute},
		"busy":             {server: busy, call: object, failed: n, within: 5 * time.Minute},
		"one by one":       {server: silent, call: object, serial: true, failed: n, within: 5 * time.Minute},
		"a common request": {server: silent, call: func(int) httpapi.Call { return discovery }, serial: true, failed: n, within: 3 * time.Minute},
		"one bad object": {server: oneIsBad, call: func(i int) httpapi.Call {
			c := object(i)
			if i == 0 {
				c.Path, c.IDs = "/objects/bad", []string{"bad"}
			}
			return c
		}, serial: true, failed: 1, within: 3 * time.Minute},
		"an object again":     {server: silent, call: func(int) httpapi.Call { return object(0) }, serial: true, failed: n, within: 100 * 3 * time.Minute},
		"waits":               {server: silent, call: object, ctx: httpapi.WithoutRestartRetries, failed: n, within: n / parallel * 3 * time.Minute},
		"a server that is ok": {server: ok, call: object, within: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int64
				client, err := httpapi.New(httpapi.Config{Name: "TestAPI", Protocol: httpapi.PlainProtocol{Key: "key"}, Endpoint: "http://server", MaxRetries: 3, Transport: server(func(r *http.Request) *http.Response {
					asked.Add(1)
					return test.server(r)
				})})
				if err != nil {
					t.Fatal(err)
				}
				ctx := t.Context()
				if test.ctx != nil {
					ctx = test.ctx(ctx)
				}
				turns := make(chan struct{}, parallel)
				if test.serial {
					turns = make(chan struct{}, 1)
				}
				var failed atomic.Int64
				var all sync.WaitGroup
				began := time.Now()
				for i := range n {
					turns <- struct{}{}
					all.Go(func() {
						defer func() { <-turns }()
						if _, err := client.Do(ctx, test.call(i)); err != nil {
							failed.Add(1)
							if !errors.Is(err, apierror.ErrUnavailable) {
								t.Error(err)
							}
						}
					})
				}
				all.Wait()
				if took := time.Since(began); took > test.within || int(failed.Load()) != test.failed {
					t.Errorf("%d failures after %s and %d requests", failed.Load(), took, asked.Load())
				}
			})
		})
	}
}
