package tfvalue

import (
	"strings"
	"testing"
)

func TestQuantityOutOfRange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		of, text   string
		impossible bool
		problem    string // "" if plausible
	}{
		"half a byte":        {Memory, "512m", false, "0.512 bytes"},
		"a unit forgotten":   {Memory, "512", false, "512 bytes"},
		"a KiB":              {Memory, "1024", false, "less than any process needs"},
		"a MiB":              {Memory, "1Mi", false, ""},
		"not set":            {Memory, "", false, ""},
		"more than any node": {Memory, "2Pi", true, "2.252e+15 bytes"},
		"a unit of memory":   {CPU, "100Mi", true, "1.049e+08 CPUs"},
		"a cluster of cores": {CPU, "100k", false, ""},
		"an exponent of ten": {CPU, "1e9", true, "more than any node has"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problem, impossible := QuantityOutOfRange(test.of, test.text)
			if impossible != test.impossible || (problem == "") != (test.problem == "") || !strings.Contains(problem, test.problem) {
				t.Errorf("impossible %t: %q", impossible, problem)
			}
		})
	}
}
