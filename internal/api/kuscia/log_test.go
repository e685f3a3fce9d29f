package kuscia

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// TestLog: the log has one line per attempt at debug level, and the bodies at
// trace level with masked secrets.
func TestLog(t *testing.T) {
	server := &faultServer{fault: status(503, ""), times: 1, good: servingResponse}
	client := newTestClient(t, server)
	var output bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &output)
	if _, err := client.QueryServing(ctx, "glm"); err != nil {
		t.Fatal(err)
	}
	lines, err := tflogtest.MultilineJSONDecode(&output)
	if err != nil {
		t.Fatal(err)
	}
	var tries, bodies int
	for _, line := range lines {
		if line["@module"] != "provider.kusciaapi" {
			t.Errorf("%v is not of the subsystem", line)
		}
		switch line["@message"] {
		case "KusciaAPI call":
			tries++
			if line["@level"] != "debug" || line["operation"] != "serving/query" || line["id"] != "glm" || line["attempt"] != float64(tries) ||
				line["code"] != "" || line["duration_ms"] == nil {
				t.Errorf("%v", line)
			}
			if _, waits := line["retry_in_ms"]; waits != (tries == 1) {
				t.Errorf("%v", line)
			}
		case "KusciaAPI request body", "KusciaAPI response body":
			bodies++
			if text := fmt.Sprint(line); line["@level"] != "trace" || bodies == 1 && !strings.Contains(text, `"serving_id":"glm"`) {
				t.Errorf("%v", line)
			}
		}
	}
	// One line for the request, and one for each response with a body.
	if tries != 2 || bodies != 3 {
		t.Errorf("%d attempts, %d bodies: %v", tries, bodies, lines)
	}
}

// TestNoBodiesBelowTrace: below trace level, bodies are not even formatted.
func TestNoBodiesBelowTrace(t *testing.T) {
	t.Setenv("TF_LOG_PROVIDER_KUSCIA_KUSCIAAPI", "DEBUG")
	var output bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &output)
	client := newTestClient(t, &faultServer{good: servingResponse})
	if _, err := client.QueryServing(ctx, "glm"); err != nil {
		t.Fatal(err)
	}
	if text := output.String(); strings.Contains(text, "body") || !strings.Contains(text, "KusciaAPI call") {
		t.Errorf("%s", text)
	}
}
