package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestMaxStarts: more starts of the CLI than are allowed are an error, whatever the command
// returns, and the text has both numbers.
func TestMaxStarts(t *testing.T) {
	for name, test := range map[string]struct {
		limit, code int
		says, fails string
	}{
		"as many":  {limit: 3, says: "Starts of the CLI: 3 of at most 3 (apply 1, plan 2)"},
		"more":     {limit: 2, says: "Starts of the CLI: 3 of at most 2", fails: "started 3 times, more than 2"},
		"no limit": {says: "Starts of the CLI: 3 (apply"},
		"failed":   {limit: 3, code: 7, says: "Starts of the CLI: 3 of at most 3"},
	} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			command := fmt.Sprintf("printf 'plan\\nplan\\napply\\n' > '%s'; exit %d", filepath.Join(bin, "launch-terraform.starts"), test.code)
			var out bytes.Buffer
			code, err := run(bin, ".", false, test.limit, []string{"sh", "-c", command}, &out)
			if code != test.code || (err != nil) != (test.fails != "") || err != nil && !strings.Contains(err.Error(), test.fails) || !strings.Contains(out.String(), test.says) {
				t.Errorf("code %d, %v: %s", code, err, out.String())
			}
		})
	}
}
