package configtemplate

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Values are what a template is filled with.
type Values struct {
	// Env returns a variable of the container by its upper-case name.
	Env func(name string) (value string, is bool)
	// Config returns an entry of the configuration, "" for one that does not exist. nil: the
	// agent does not look there, as before Kuscia v0.12.
	Config func(key string) string
}

// maxLength bounds a rendered file in bytes; Kubernetes bounds a ConfigMap by the same.
const maxLength = 1 << 20

// ErrTooLong is the error of a file that no ConfigMap holds.
var ErrTooLong = errors.New("the file is longer than 1 MiB")

// Render returns the file that the template becomes. The error is ErrTooLong.
func (t *Template) Render(values Values) (string, error) {
	keys := t.keys(values)
	var out strings.Builder
	for _, s := range t.segments {
		switch {
		case s.key == "":
			out.WriteString(s.text)
		case s.verbatim:
			out.WriteString(verbatim(keys[s.key]))
		default:
			out.WriteString(escape(keys[s.key]))
		}
		if out.Len() > maxLength {
			return "", ErrTooLong
		}
	}
	return out.String(), nil
}

// keys returns the values of the keys: variables first, then entries of the configuration, which
// the agent looks up for keys that are written without blanks.
func (t *Template) keys(values Values) map[string]string {
	keys := make(map[string]string, len(t.segments))
	for _, s := range t.segments {
		if s.key == "" {
			continue
		}
		if value, is := values.Env(s.key); is {
			keys[s.key] = value
		} else if s.exact && values.Config != nil {
			keys[s.key] = values.Config(s.key)
		}
	}
	return keys
}

// escape escapes a value as the agent does. It is not quite that of JSON, see IsLost.
func escape(value string) string { return strings.Trim(strconv.Quote(value), `"`) }

// IsLost reports whether a value in quotes is no longer the same for who reads the file as JSON,
// and why: characters that Go does not print get escapes that JSON lacks, and a quote at the
// end is lost. at is the position in bytes.
func IsLost(value string) (at int, escaped string, lost bool) {
	if strings.HasSuffix(value, `"`) {
		return len(value) - 1, "", true
	}
	for at, r := range value {
		if r >= ' ' && r < 0x7f || r == '\n' || r == '\t' || r == '\r' {
			continue
		}
		escaped := escape(value[at : at+width(value[at:], r)])
		if strings.HasPrefix(escaped, `\x`) || strings.HasPrefix(escaped, `\U`) || escaped == `\a` || escaped == `\v` {
			return at, escaped, true
		}
	}
	return 0, "", false
}

// width is the length of the first character of a text in bytes.
func width(text string, r rune) int {
	if r == '\uFFFD' && !strings.HasPrefix(text, "\uFFFD") {
		return 1 // an invalid byte
	}
	return len(string(r))
}

// verbatim is a value without escapes; a JSON object is printed anew.
func verbatim(value string) string {
	var object map[string]any
	if len(value) > maxLength || json.Unmarshal([]byte(value), &object) != nil || object == nil {
		return value
	}
	printed, err := json.Marshal(object)
	if err != nil {
		return value
	}
	return string(printed)
}
