package configtemplate_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/configtemplate"
)

// render parses and renders a template.
func render(template string, values configtemplate.Values) (string, error) {
	t, err := configtemplate.Parse(template, configtemplate.Options{})
	if err != nil {
		return "", err
	}
	return t.Render(values)
}

// values are those of the tests.
func values() configtemplate.Values {
	env := map[string]string{"INPUT_CONFIG": `{"a": "b"}`, "X": "x", "EMPTY": "", "ENDS": `say "hi"`, "ODD": "\x7f\U000f0000", "BRACES": "{{.INPUT_CONFIG}}"}
	return configtemplate.Values{
		Env:    func(name string) (string, bool) { value, is := env[name]; return value, is },
		Config: func(key string) string { return map[string]string{"STORED": "s", "INPUT_CONFIG": "never"}[key] },
	}
}

// TestRender has what Kuscia's agent makes of templates and values.
func TestRender(t *testing.T) {
	for name, row := range map[string]struct{ template, want string }{
		"a value is escaped":                {`"{{.INPUT_CONFIG}}"`, `"{\"a\": \"b\"}"`},
		"blanks":                            {`{{ .INPUT_CONFIG }}`, `{\"a\": \"b\"}`},
		"an unknown key is nothing":         {`[{{.NOBODY}}]`, `[]`},
		"keys are case-sensitive":           {`[{{.input_config}}]`, `[]`},
		"an entry of the configuration":     {`{{.STORED}}`, `s`},
		"an entry, with blanks":             {`[{{ .STORED }}]`, `[]`},
		"an entry, with blanks and without": {`{{.STORED}}{{ .STORED }}`, `ss`},
		"the quote at the end is lost":      {`{{.ENDS}}`, `say \"hi\`},
		"escapes that are no JSON":          {`{{.ODD}}`, `\x7f\U000f0000`},
		"a value is not run":                {`{{.BRACES}}`, `{{.INPUT_CONFIG}}`},
		"verbatim, printed anew":            {`{{{.INPUT_CONFIG}}}`, `{"a":"b"}`},
		"verbatim text":                     {`{{{.X}}}`, `x`},
		"verbatim, an entry":                {`{{{.STORED}}}`, `s`},
		"trimmed":                           {"a {{- .X -}} b{{.STORED}}{{{.X}}}", `axbsx`},
		"a comment":                         {`a{{/* b */}}c`, `ac`},
		"no content":                        {``, ``},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := render(row.template, values()); err != nil || got != row.want {
				t.Errorf("%q, %v; want %q", got, err, row.want)
			}
		})
	}
	without := values()
	without.Config = nil
	if got, err := render(`[{{.STORED}}]`, without); err != nil || got != "[]" {
		t.Errorf("a Kuscia that looks up no configuration: %q, %v", got, err)
	}
	var broken *configtemplate.ParseError
	for _, template := range []string{`{{.X`, `{{quote .X}}`, `{{. X}}`} {
		if _, err := configtemplate.Parse(template, configtemplate.Options{}); !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), "failed to parse config template, detail-> template: config-template:1: ") {
			t.Errorf("%s: %v", template, err)
		}
	}
	if _, err := configtemplate.Parse(`{{{.X}}}`, configtemplate.Options{NoVerbatim: true}); !errors.As(err, &broken) {
		t.Errorf("a Kuscia without verbatim values: %v", err)
	}
}

// TestRenderIsBounded shows that a template does not run for long.
func TestRenderIsBounded(t *testing.T) {
	for _, template := range []string{`{{range 1000000000}}{{end}}`, `{{printf "%1000000000d" 1}}`, `{{define "x"}}{{template "x"}}{{end}}{{template "x"}}`, `{{.A.B}}`} {
		if _, err := configtemplate.Parse(template, configtemplate.Options{}); !errors.Is(err, configtemplate.ErrUnsupported) {
			t.Errorf("%.40s: %v", template, err)
		}
	}
	long := configtemplate.Values{Env: func(string) (string, bool) { return strings.Repeat("x", 1<<18), true }}
	if _, err := render(strings.Repeat("{{.X}}", 100), long); !errors.Is(err, configtemplate.ErrTooLong) {
		t.Error(err)
	}
}

// TestIsLost compares IsLost with what a reader of the rendered file sees.
func TestIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.String(), rapid.StringMatching(`["\\a]{0,3}`), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "value")
		file, err := render(`"{{.X}}"`, configtemplate.Values{Env: func(string) (string, bool) { return value, true }})
		if err != nil {
			t.Fatal(err)
		}
		var read string
		intact := json.Unmarshal([]byte(file), &read) == nil && read == value
		if at, _, lost := configtemplate.IsLost(value); lost == intact || at > len(value) {
			t.Fatalf("%q: lost %t at %d, read %q", value, lost, at, read)
		}
	})
}

// FuzzParse shows that both parsers agree: a template that is parsed as text/template does has
// the same file.
func FuzzParse(f *testing.F) {
	for _, template := range []string{`a{{.X}}b`, `{{ .X }}`, `{{{.X}}}`, `{{.X`, `{{{.X}} }`, `}}{{.STORED}}`, "{{\n.X}}", `{{.X.Y}}`, `{{{{.X}}}}`} {
		f.Add(template)
	}
	f.Fuzz(func(t *testing.T, template string) {
		if err := configtemplate.SameParsers(template, values()); err != nil {
			t.Error(err)
		}
	})
}
