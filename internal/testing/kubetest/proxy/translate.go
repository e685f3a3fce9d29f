package proxy

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/crds"
)

// isAPI reports whether a path is one of the Kubernetes API.
func isAPI(path string) bool {
	for _, prefix := range []string{"/api", "/apis", "/openapi", "/version", "/readyz", "/livez", "/healthz"} {
		if path == prefix || strings.HasPrefix(path, prefix+"/") {
			return true
		}
	}
	return false
}

// The custom resources that replace built-in kinds are stored in groups of
// their own. Names and paths are translated in requests and responses.
var (
	inPaths = []struct{ public, stored string }{
		{"/api/v1", "/apis/" + crds.Core + "/v1"},
		{"/apis/apps/v1", "/apis/" + crds.Apps + "/v1"},
		{"/openapi/v3/api/v1", "/openapi/v3/apis/" + crds.Core + "/v1"},
		{"/openapi/v3/apis/apps/v1", "/openapi/v3/apis/" + crds.Apps + "/v1"},
	}
	inResponses = strings.NewReplacer(
		crds.Namespaces+"."+crds.Core, "namespaces",
		`"`+crds.Namespaces+`"`, `"namespaces"`,
		"."+crds.Core, "", // services.core.kubetest "x" not found
		crds.Core+"/v1", "v1",
		`"`+crds.Core+`"`, `""`,
		crds.Apps, "apps",
	)
)

// translateRequest translates a request for a replaced kind.
func translateRequest(r *http.Request) {
	for _, path := range inPaths {
		if rest, ok := strings.CutPrefix(r.URL.Path, path.public); ok && (rest == "" || rest[0] == '/') {
			if parts := strings.Split(rest, "/"); len(parts) > 1 && len(parts) <= 3 && parts[1] == "namespaces" {
				rest = strings.Replace(rest, "namespaces", crds.Namespaces, 1)
			}
			r.URL.Path, r.URL.RawPath = path.stored+rest, ""
			translateBody(r)
			// The response is translated, so it must not be compressed.
			r.Header.Del("Accept-Encoding")
			return
		}
	}
}

// translateBody changes the apiVersion of a request body. Patches may have
// none.
func translateBody(r *http.Request) {
	if r.Body == nil {
		return
	}
	text, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && media != "application/json-patch+json" {
		text = translateObject(text)
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	r.Body, _ = r.GetBody()
	r.ContentLength = int64(len(text))
	r.Header.Set("Content-Length", strconv.Itoa(len(text)))
}

// translateObject changes the versions in an object. Text that is no object stays as it is.
func translateObject(text []byte) []byte {
	object := objectIn(text)
	if object == nil {
		return text
	}
	stored := map[string]string{"v1": crds.Core + "/v1", "apps/v1": crds.Apps + "/v1"}
	if version, ok := object["apiVersion"].(string); ok && stored[version] != "" && object["kind"] != "DeleteOptions" {
		object["apiVersion"] = stored[version]
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		managers, _ := metadata["managedFields"].([]any)
		for _, manager := range managers {
			if fields, ok := manager.(map[string]any); ok {
				if version, ok := fields["apiVersion"].(string); ok && stored[version] != "" {
					fields["apiVersion"] = stored[version]
				}
			}
		}
	}
	changed, err := utiljson.Marshal(object)
	if err != nil {
		return text
	}
	return changed
}

// objectIn returns the object in a body. JSON is YAML, but is parsed much faster as JSON.
func objectIn(text []byte) map[string]any {
	var object map[string]any
	if utiljson.Unmarshal(text, &object) == nil {
		return object
	}
	object = nil
	if yaml.Unmarshal(text, &object) != nil {
		return nil
	}
	return object
}

// translateResponse translates a response for a replaced kind, and lists of
// groups.
func translateResponse(r *http.Response) error {
	path := r.Request.URL.Path
	if !strings.Contains(path, ".kubetest/") && path != "/apis" && !strings.HasPrefix(path, "/openapi") {
		return nil
	}
	if strings.Contains(r.Request.URL.RawQuery, "watch=") {
		r.Body = &lineReader{body: r.Body, lines: bufio.NewReader(r.Body)}
		return nil
	}
	text, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil {
		return err
	}
	text = []byte(inResponses.Replace(string(text)))
	r.Body = io.NopCloser(bytes.NewReader(text))
	r.ContentLength = int64(len(text))
	r.Header.Set("Content-Length", strconv.Itoa(len(text)))
	r.Header.Del("ETag")
	return nil
}

// lineReader translates the events of a watch, one per line.
type lineReader struct {
	body  io.ReadCloser
	lines *bufio.Reader
	rest  []byte
}

// Read implements io.Reader.
func (l *lineReader) Read(into []byte) (int, error) {
	if len(l.rest) == 0 {
		line, err := l.lines.ReadString('\n')
		if err != nil && line == "" {
			return 0, err
		}
		l.rest = []byte(inResponses.Replace(line))
	}
	n := copy(into, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (l *lineReader) Close() error { return l.body.Close() }
