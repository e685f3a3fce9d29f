//go:build unix

package sandbox

import (
	"strings"
	"testing"
)

func TestReadProviderBlock(t *testing.T) {
	t.Parallel()
	const start = "listening\nprovider \"kuscia\" {\n  endpoint  = \"https://127.0.0.1:4242\"\n"
	for name, test := range map[string]struct{ printed, edge string }{
		"alone":    {start + "  certs_dir = \"/certs\"\n}\nendpoint = \"http://127.0.0.1:1\"\n", ""},
		"with IEF": {start + "  ief = {\n    endpoint = \"http://127.0.0.1:1\"\n  }\n}\n", "ief = {\nendpoint = \"http://127.0.0.1:1\"\n}\n"},
	} {
		got := readProviderBlock(strings.NewReader(test.printed))
		if got.endpoint != "https://127.0.0.1:4242" || got.edge != test.edge {
			t.Errorf("%s: endpoint %q, edge %q", name, got.endpoint, got.edge)
		}
	}
	if got := readProviderBlock(strings.NewReader("no port is free\n")); got.endpoint != "" || got.text != "no port is free\n" {
		t.Errorf("%+v", got)
	}
}
