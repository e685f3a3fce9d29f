package certificate_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestBadInput: invalid values are rejected at their attribute before any request is sent.
// Errors of the node contain its code.
func TestBadInput(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	e.RequireSandbox(t, "it injects faults")
	refused := func(more attrs, want ...string) {
		t.Helper()
		config := attrs{"common_name": "alice"}
		maps.Copy(config, more)
		said := protocol.Messages(e.Server(nil).ValidateEphemeral(t, "kuscia_certificate", config))
		if _, opened := e.Server(nil).Open(t, "kuscia_certificate", config); more == nil {
			said = protocol.Messages(opened)
		}
		protocol.Says(t, fmt.Sprint(more), said, append(want, "ERROR")...)
	}
	for _, seconds := range []int{1, 9223372036} {
		if said := e.Server(nil).ValidateEphemeral(t, "kuscia_certificate", attrs{"common_name": "alice", "duration_sec": seconds}); len(said) > 0 {
			t.Errorf("%d seconds: %s", seconds, protocol.Messages(said))
		}
	}
	refused(attrs{"common_name": ""}, "Missing common name")
	refused(attrs{"key_type": "PKCS1"}, `"PKCS1" is not allowed`, "PKCS#8")
	refused(attrs{"duration_sec": 0}, "duration_sec is 0", "Omit it for one day")
	refused(attrs{"duration_sec": -1}, "duration_sec is -1")
	refused(attrs{"duration_sec": 1.5}, "Invalid number", "duration_sec: 1.5", "from 1 to 9223372036")
	refused(attrs{"duration_sec": 1e30}, "Invalid number", "duration_sec")
	refused(attrs{"duration_sec": 9223372037}, "duration_sec is 9223372037")
	if sent := e.Sandbox.Count("/api/v1/certificate/generate"); sent > 0 {
		t.Errorf("%d requests", sent)
	}
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "certificate/generate", Code: 2000, Message: "common name must not be empty", Times: sandbox.Always})
	refused(nil, "Unable to generate certificate", "2000", "common name must not be empty")
}
