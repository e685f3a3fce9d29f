package httpapi

import (
	"net/http"
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
	m := NewMasker("tok\"en", "").With(`{"a":"short","b":"long enough","c":[1,{"d":"ünïcode-wörd","a_long_key":{}},"after that"],"another_key":"the last one","e":7788990011223344,"f":[-1.5e30,1234567]}`)
	cases := map[string]string{
		`the tok"en`:                  `the ***`,
		`the tok\"en`:                 `the ***`,
		`a short b long enough`:       `a short b ***`,
		`x ünïcode-wörd y`:            `x *** y`,
		`a_long_key another_key`:      `a_long_key another_key`,
		`after that the last one`:     `*** ***`,
		"7788990011223344 or 1234567": "*** or 1234567",
		"it is -1.5e30":               "it is -1.5e30",
		"line\r\n":                    "line",
		"a\x00b\tc\nd":                "a b\tc\n  | d",
		"\xff":                        "?",
		strings.Repeat("x", 9000)[:9]: "xxxxxxxxx",
	}
	for in, want := range cases {
		if got := m.Text(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	lenient := NewMasker().With(`{'modelConfig': {'aKey': 'text "one"', a: 7788990011223344, "b": "text two",},}`)
	if got, want := lenient.Text(`modelConfig: text "one", 7788990011223344, text two`), `modelConfig: ***, ***, ***`; got != want {
		t.Errorf("of a text that is nearly JSON: %q, want %q", got, want)
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
