package httpapi

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// FuzzCheckStructure: the check terminates for any input.
func FuzzCheckStructure(f *testing.F) {
	for _, text := range []string{"", ",", "}", "]", `"`, `{"`, `{"\`, `{"a":1,"a":2}`, `[null]`, "n", "{,}", `{"a"}}`, "<html>{}},</html>", `{"\u00"}`, "\xff", `[[[1,2],{"a":{}}]]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(_ *testing.T, data []byte) { _, _, _ = checkStructure(data) })
}

// TestLogTakesAnyBody: the log at trace level accepts any response body, and
// logs the size of those that it does not show.
func TestLogTakesAnyBody(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "}", ",", `"`, "<html>},", `{"a":`, "[" + strings.Repeat("{},", 150_000) + "{}]", strings.Repeat(" ", maxLoggedBody) + "{}"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(body))
		}))
		client, err := New(Config{Name: "api", Endpoint: server.URL, Protocol: PlainProtocol{Key: "key"}})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		_, err = client.Do(tflogtest.RootLogger(t.Context(), &log), Call{Operation: Operation{Name: "thing", Method: http.MethodGet, Path: "/"}})
		if err == nil || !strings.Contains(log.String(), "api response body") || !strings.Contains(log.String(), "bytes)") || log.Len() > 4000 {
			t.Errorf("%.20q: %v, %d bytes of log", body, err, log.Len())
		}
		server.Close()
	}
}
