package kuscia

import (
	"net/http"
	"strings"
	"testing"
)

// TestOperationsTable: an operation is repeatable according to its name, and a
// code belongs to one operation.
func TestOperationsTable(t *testing.T) {
	t.Parallel()
	codes := map[int32]string{}
	for name, op := range operations {
		if name != op.Name || op.Path == "" || op.Method == "" {
			t.Errorf("%s: %+v", name, op)
		}
		if op.code != 0 && codes[op.code] != "" {
			t.Errorf("%s and %s have the same code", name, codes[op.code])
		}
		codes[op.code] = name
		creates := strings.HasSuffix(name, "/create")
		changes := creates || name == "certificate/generate" || strings.HasSuffix(name, "/update") || strings.HasSuffix(name, "/delete")
		if op.Creates != creates || op.Writes != changes {
			t.Errorf("%s: creates %t, writes %t", name, op.Creates, op.Writes)
		}
		if strings.Contains(name, "/") && (op.Method != http.MethodPost || op.Path != "/api/v1/"+name) {
			t.Errorf("%s: %+v", name, op)
		}
	}
	if len(operations) < 40 {
		t.Errorf("%d operations", len(operations))
	}
}
