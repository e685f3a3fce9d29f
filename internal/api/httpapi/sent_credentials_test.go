package httpapi_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// adding is a transport that adds a header, as those with credentials of their own do.
type adding struct{ name, value string }

func (a adding) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set(a.name, a.value)
	return http.DefaultTransport.RoundTrip(request)
}

// TestSentCredentialsAreMasked: a server that repeats what a transport has sent as credentials
// shows nothing of it in errors and logs. It gets the path, the query and the headers as they are.
func TestSentCredentialsAreMasked(t *testing.T) {
	t.Parallel()
	const password = "pl4nted-passw0rd"
	basic := base64.StdEncoding.EncodeToString([]byte("user:" + password))
	for name, value := range map[string]string{"Authorization": "Basic " + basic, "authorization": "Bearer " + password, "X-Auth-Token": password} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if r.URL.RequestURI() != "/base/v3/things/a%2Fb?limit=1&x=y" || string(body) != `{"a":1}` || r.Header.Get("Content-Type") != "application/merge-patch+json" {
				t.Errorf("%s %s %q", r.URL.RequestURI(), body, r.Header)
			}
			text := strings.Join([]string{r.Header.Get(name), password, base64.URLEncoding.EncodeToString([]byte("x" + password))}, "; ")
			encoded, _ := json.Marshal(map[string]string{"error_code": "P.1", "error_msg": text})
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = w.Write(encoded)
		}))
		t.Cleanup(server.Close)
		client, err := httpapi.New(httpapi.Config{Name: "plain", Endpoint: server.URL + "/base/", Protocol: httpapi.PlainProtocol{Key: "key"}, Transport: adding{name, value}})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		_, err = client.Do(tflogtest.RootLogger(context.Background(), &log), httpapi.Call{
			Operation: httpapi.Operation{Name: "thing/update", Method: http.MethodPut, Path: "/v3/things/a%2Fb", Writes: true},
			Query:     "limit=1&x=y", Body: []byte(`{"a":1}`), Header: http.Header{"Content-Type": {"application/merge-patch+json"}},
		})
		if err == nil || !strings.Contains(err.Error(), "***") {
			t.Fatalf("%s: %v", name, err)
		}
		for _, secret := range []string{password, basic, "bDRudGVkLXBhc3N3MHJk"} {
			if strings.Contains(err.Error()+log.String(), secret) {
				t.Errorf("%s: %q is in %v\n%s", name, secret, err, log.String())
			}
		}
	}
}
