package httpapi

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// TestRetryAfterThatIsNone: an invalid header is ignored.
func TestRetryAfterThatIsNone(t *testing.T) {
	for _, header := range []string{"", "soon", "-1", "99999999999999999999"} {
		response := &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {header}}}
		if wait, ok := retryAfter(response); ok {
			t.Errorf("Retry-After %q is read as %s", header, wait)
		}
	}
}

func TestMasker(t *testing.T) {
	m := NewMasker("tok\"en", "").With(`{"a":"short","b":"long enough","c":[1,{"d":"ünïcode-wörd","a_long_key":{}},"after that"],"another_key":"the last one"}`)
	cases := map[string]string{
		`the tok"en`:                  `the ***`,
		`the tok\"en`:                 `the ***`,
		`a short b long enough`:       `a short b ***`,
		`x ünïcode-wörd y`:            `x *** y`,
		`a_long_key another_key`:      `a_long_key another_key`,
		`after that the last one`:     `*** ***`,
		"line\r\n":                    "line",
		"a\x00b\tc\nd":                "a b\tc\nd",
		"\xff":                        "?",
		strings.Repeat("x", 9000)[:9]: "xxxxxxxxx",
	}
	for in, want := range cases {
		if got := m.Text(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	body := m.body([]byte(`{"serving_input_config":"","header":{"custom_headers":{"a":"b"}},"env":[{"name":"n","value":"v"},{"name":"e","value":""}],"config_templates":{"f":"c"},"x":["long enough"],"n":1}`), secretFields)
	want := `{"config_templates":{"f":"***"},"env":[{"name":"n","value":"***"},{"name":"e","value":""}],"header":{"custom_headers":{"a":"***"}},"n":1,"serving_input_config":"","x":["***"]}`
	if body != want {
		t.Errorf("%s", body)
	}
	for _, odd := range []string{"", "x", `{"a"`, `{"env":5}`, `{"env":[5,null]}`, `{"serving_input_config":null}`, `null`} {
		if text := m.body([]byte(odd), secretFields); text == "" {
			t.Errorf("%q is masked to nothing", odd)
		}
	}
}

// TestMaskerOfLargeTexts: the text of a server, whatever it contains, takes less than 200 MiB to be
// masked.
func TestMaskerOfLargeTexts(t *testing.T) {
	several := func(pattern string) string {
		var b strings.Builder
		for i := 0; b.Len() < MaxResponseSize; i++ {
			fmt.Fprintf(&b, pattern, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"objects": "[" + strings.Repeat("{},", MaxResponseSize/3) + "{}]",
		"texts":   "[" + several(`"text%07d",`) + `""]`,
		"members": "{" + several(`"%07d":"text%07[1]d",`) + `"":""}`,
		"lines":   several("line%07d\n"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		shown := NewMasker().With(text).Text("hello text0000001, line0000001")
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 200 || name != "objects" && !strings.Contains(shown, masked) {
			t.Errorf("%s: %d MiB, %s", name, grown, shown)
		}
	}
}

// secretFields is a MaskField function.
func secretFields(name string, value any) (masked any, secret bool) {
	switch name {
	case "serving_input_config", "custom_headers", "config_templates":
		return MaskAll(value), true
	case "env":
		return MaskEnv(value), true
	}
	return nil, false
}
