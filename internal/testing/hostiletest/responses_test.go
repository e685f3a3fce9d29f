package hostiletest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/apicalls"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// elements is a response with many elements, to a call.
type elements struct{ call, before, after string }

// victims are the three APIs.
var victims = []struct {
	api string
	// failure is the API's own error, before and after a list of causes.
	failure [2]string
	// lists are what comes before and after the elements of responses to calls.
	lists []elements
}{
	{"kuscia", [2]string{`{"status":{"code":11600,"message":"no","details":[`, `]}}`}, []elements{
		{"query", `{"status":{"code":0},"data":{"parties":[`, `]}}`},
		{"query", `{"status":{"code":0},"data":{"parties":[{"resources":[`, `]}]}}`},
		{"status", `{"status":{"code":0},"data":{"servings":[{"serving_id":"glm","status":{"party_statuses":[`, `]}}]}}`},
		{"list", `{"status":{"code":0},"data":{"appimage_list":[`, `]}}`},
		{"list", `{"status":{"code":0},"data":{"appimage_list":[{"deploy_templates":[{"containers":[`, `]}]}]}}`},
	}},
	{"kube", [2]string{`{"kind":"Status","status":"Failure","message":"no","details":{"causes":[`, `]}}`}, []elements{
		{"query", `{"kind":"KusciaDeployment","metadata":{"name":"kd","namespace":"cross-domain"},"spec":{"a":[`, `]}}`},
		{"list", `{"kind":"DeploymentList","items":[`, `]}`},
		{"list as", `{"kind":"DeploymentList","items":[`, `]}`},
		{"list as", `{"kind":"DeploymentList","items":[{"spec":{"template":{"spec":{"containers":[`, `]}}}}]}`},
		{"discovery", `{"kind":"APIResourceList","resources":[`, `]}`},
	}},
	{"ief", [2]string{`{"error_code":"IEF.1","error_msg":"no","details":[`, `]}`}, []elements{
		{"query", `{"deployment":{"id":"d","instances":[`, `]}}`},
		{"list", `{"deployments":[`, `]}`},
		{"list 2", `{"deployments":[`, `]}`},
		{"list 2", `{"deployments":[{"instances":[`, `]}]}`},
		{"pods", `{"pods":[`, `]}`},
	}},
}

// wire is a response as it is sent. After an endless one the connection stays open.
type wire struct {
	header  string
	body    []byte
	endless bool
}

func (w wire) write(conn net.Conn, status int) {
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d Hostile\r\nContent-Type: application/json\r\n%s", status, w.header)
	if !w.endless {
		_, _ = fmt.Fprintf(conn, "Connection: close\r\nContent-Length: %d\r\n\r\n", len(w.body))
		_, _ = conn.Write(w.body)
		return
	}
	connection, more := "close", "1\r\n \r\n"
	switch {
	case w.header != "":
		_, _ = fmt.Fprintf(conn, "\r\n%s", w.body)
		_, _ = io.Copy(io.Discard, conn)
		return
	case status == http.StatusSwitchingProtocols:
		connection = "Upgrade\r\nUpgrade: other"
	case status < 200:
		more = fmt.Sprintf("HTTP/1.1 %d Hostile\r\n\r\n", status)
	}
	_, _ = fmt.Fprintf(conn, "Connection: %s\r\nTransfer-Encoding: chunked\r\n\r\n", connection)
	if status >= 200 || status == http.StatusSwitchingProtocols {
		_, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(w.body), w.body)
	}
	for {
		if _, err := fmt.Fprint(conn, more); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// respond starts a server that gives every request the same response.
func respond(t *testing.T, status int, response wire) (endpoint string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		response.write(conn, status)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func packed(body []byte) wire {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	_, _ = w.Write(body)
	_ = w.Close()
	return wire{header: "Content-Encoding: gzip\r\n", body: out.Bytes()}
}

// fill repeats a piece up to the maximum size of a response.
func fill(before, piece, after string) []byte {
	n := (httpapi.MaxResponseSize - len(before) - len(after)) / len(piece)
	return []byte(before + strings.TrimSuffix(strings.Repeat(piece, n), ",") + after)
}

// statuses are the HTTP statuses that are handled differently.
var statuses = []int{100, 101, 103, 199, 200, 204, 206, 301, 304, 400, 401, 403, 404, 405, 407, 408, 409, 410, 413, 422, 429, 499, 500, 501, 503, 504, 599}

// slack is how late a call may end on a busy machine.
const slack = 10 * time.Second

// TestHostileStatuses: with each HTTP status, and bodies that end or never end, each call ends
// with an error within its time limit, and at once when its context does.
func TestHostileStatuses(t *testing.T) {
	t.Parallel()
	calls, limit := apicalls.All(t.TempDir()), make(chan struct{}, 64)
	var group sync.WaitGroup
	defer group.Wait()
	try := func(what string, status int, response wire, timeout time.Duration, canceled bool, call string) {
		limit <- struct{}{}
		group.Go(func() {
			defer func() { <-limit }()
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if canceled {
				time.AfterFunc(50*time.Millisecond, cancel)
			}
			began := time.Now()
			err := calls[call].Do(ctx, apicalls.Server{Address: respond(t, status, response), Timeout: timeout})
			var e *apierror.Error
			if !errors.As(err, &e) || len(err.Error()) > 2000 {
				t.Errorf("%s, HTTP %d, %s: %.300v", call, status, what, err)
			}
			if took := time.Since(began); took > slack {
				t.Errorf("%s, HTTP %d, %s: ended after %s", call, status, what, took)
			}
		})
	}
	deep := wire{body: bytes.Repeat([]byte(`[`), 100_000)}
	for _, status := range statuses {
		for _, v := range victims {
			own := []byte(v.failure[0] + v.failure[1])
			call := v.api + ": create"
			if status%2 == 0 {
				call = v.api + ": query"
			}
			try("ends", status, wire{body: own}, slack/2, false, call)
			try("nested", status, deep, slack/2, false, call)
			try("nested, compressed", status, packed(deep.body), slack/2, false, call)
			try("never ends", status, wire{body: own[:20], endless: true}, 100*time.Millisecond, false, call)
			try("never ends, canceled", status, wire{body: own[:20], endless: true}, time.Minute, true, call)
		}
	}
}

// TestHostileSizes: no response takes more than 200 MiB, compressed or not. What is allocated
// in total is an upper bound of what the process grows.
func TestHostileSizes(t *testing.T) {
	const most = raceFactor * 200 << 20
	calls := apicalls.All(t.TempDir())
	measure := func(what string, status int, response wire, call string) {
		server := apicalls.Server{Address: respond(t, status, response), Timeout: time.Minute}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		err := calls[call].Do(t.Context(), server)
		runtime.ReadMemStats(&after)
		grown := after.TotalAlloc - before.TotalAlloc
		if grown > most || err != nil && len(err.Error()) > httpapi.MaxMessage+500 {
			t.Errorf("%s, HTTP %d, %s: %d MiB, %s, %.300v", call, status, what, grown>>20, time.Since(began), err)
		}
	}
	tooMany, atBound := `{},`, strings.TrimSuffix(strings.Repeat(`{},`, 99_000), ",")
	for _, v := range victims {
		measure("a full list of causes", 422, packed(fill(v.failure[0], tooMany, v.failure[1])), v.api+": query")
		bounded := v.failure[0] + atBound + v.failure[1]
		measure("causes at the bound", 422, packed([]byte(bounded)), v.api+": create")
		message := strings.Replace(v.failure[0], `"no"`, `"\u001b[0m`, 1)
		message = message[:strings.Index(message, `[0m`)+3]
		measure("a long message", 422, packed(fill(message, "\u202e", `"}`)), v.api+": create")
		measure("announced", 200, wire{header: "Content-Length: 67108864\r\n", body: []byte("{"), endless: true}, v.api+": query")
		measure("too large", 200, packed(make([]byte, httpapi.MaxResponseSize+1)), v.api+": query")
		for _, list := range short.Drawn(t, 1, v.lists) {
			measure("many elements", 200, packed(fill(list.before, tooMany, list.after)), v.api+": "+list.call)
			measure("elements at the bound", 200, packed([]byte(list.before+atBound+list.after)), v.api+": "+list.call)
			measure("lists in a list", 200, packed(fill(list.before, `[],`, list.after)), v.api+": "+list.call)
			measure("many members", 200, packed([]byte(list.before+`{"a":{`+manyMembers(349_000)+`}}`+list.after)), v.api+": "+list.call)
			measure("a long text", 200, packed(fill(list.before+`{"x":"`, `\u0041`, `"}`+list.after)), v.api+": "+list.call)
		}
	}
}

// TestHostileLists: a list ends, whatever its pages are, and a page has no more items than were
// asked for.
func TestHostileLists(t *testing.T) {
	t.Parallel()
	calls := apicalls.All(t.TempDir())
	items := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	large := `{"metadata":{"name":"` + strings.Repeat("x", 1<<20) + `"},"name":"` + strings.Repeat("y", 1<<20) + `"}`
	for _, test := range []struct {
		name, call, body, want string
	}{
		{"more than asked for", "kube: list", `{"kind":"DeploymentList","items":[` + items(501, "{}") + `]}`, "at most 500 were asked for"},
		{"more than asked for", "kube: list as", `{"kind":"DeploymentList","items":[` + items(501, "{}") + `]}`, "at most 500 were asked for"},
		{"more than asked for", "ief: list", `{"deployments":[` + items(101, "{}") + `]}`, "at most 100 were asked for"},
		{"more than asked for", "ief: list 2", `{"deployments":[` + items(101, "{}") + `]}`, "at most 100 were asked for"},
		{"more than asked for", "ief: pods", `{"pods":[` + items(101, "{}") + `]}`, "at most 100 were asked for"},
		{"more than asked for", "kuscia: list", `{"status":{"code":0},"data":{"appimage_list":[` + items(101, "{}") + `]}}`, "at most 100 were asked for"},
		{"without end", "kube: list", `{"kind":"DeploymentList","metadata":{"continue":"again"},"items":[` + items(500, "{}") + `]}`, "more than 50000 items"},
		{"without end", "kube: list as", `{"kind":"DeploymentList","metadata":{"continue":"again"},"items":[]}`, "did not end"},
		{"without end", "ief: list", `{"deployments":[` + items(100, "{}") + `]}`, "more than 50000 items"},
		{"without end", "ief: pods", `{"pods":[` + items(100, "{}") + `]}`, "more than 50000 items"},
		{"large pages", "kube: list as", `{"kind":"DeploymentList","metadata":{"continue":"again"},"items":[` + items(7, large) + `]}`, "more than 64 MiB"},
		{"many parts", "kube: list as", `{"kind":"DeploymentList","metadata":{"continue":"again"},"items":[{"a":[` + items(90_000, "1") + `]}]}`, "too many parts"},
	} {
		server := apicalls.Server{Address: respond(t, 200, wire{body: []byte(test.body)}), Timeout: time.Minute}
		if err := calls[test.call].Do(t.Context(), server); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s: %v, want %q", test.call, test.name, err, test.want)
		}
	}
}

// manyMembers are members of an object with different names.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%x":""`, i)
	}
	return b.String()
}

// TestHostileLines: a message of each API puts nothing at the beginning of a line of a log, where a
// CI reads commands and people read how a run has ended.
func TestHostileLines(t *testing.T) {
	t.Parallel()
	const message = `no\n\n::stop-commands::x\r\n  ##[add-mask]alice\nError: all is lost\u2028Apply complete! Resources: 3 added\n` + `e\u0301\u0301\u0301\u0301\u2800\u3164`
	calls := apicalls.All(t.TempDir())
	for _, v := range victims {
		for _, call := range []string{"create", "query"} {
			body := strings.Replace(v.failure[0]+v.failure[1], `"no"`, `"`+message+`"`, 1)
			err := calls[v.api+": "+call].Do(t.Context(), apicalls.Server{Address: respond(t, 422, wire{body: []byte(body)}), Timeout: time.Minute})
			if v.api == "kuscia" {
				err = calls[v.api+": "+call].Do(t.Context(), apicalls.Server{Address: respond(t, 200, wire{body: []byte(body)}), Timeout: time.Minute})
			}
			if err == nil || !strings.Contains(err.Error(), "all is lost") {
				t.Errorf("%s: %v", v.api, err)
				continue
			}
			for i, line := range strings.Split(err.Error(), "\n") {
				if i > 0 && !strings.HasPrefix(line, "  | ") || strings.Contains(line, "##[") || strings.Contains(line, " ::") {
					t.Errorf("%s: line %d is %q", v.api, i, line)
				}
			}
			if strings.Contains(err.Error(), "\u0301\u0301\u0301") || strings.ContainsAny(err.Error(), "\u2800\u3164") {
				t.Errorf("%s: %q", v.api, err)
			}
		}
	}
}
