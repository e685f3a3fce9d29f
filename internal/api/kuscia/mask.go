package kuscia

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// masked stands in place of a secret.
const masked = "***"

// Substrings shorter than these are not looked for in texts: they would mask
// ordinary words. Bodies are masked by field, whatever the length.
const (
	minMaskedHeader = 4
	minMaskedConfig = 4
	minMaskedLeaf   = 8
)

// maxMessage bounds a server's text in an error; some are dumps of objects.
const maxMessage = 8 << 10

// secretFields are masked in logged bodies: a string whole, an object by value.
var secretFields = map[string]bool{
	"serving_input_config": true,
	"custom_headers":       true,
	"config_templates":     true,

	// Data sources, routes with MTLS, deploy tokens, grants.
	"password":                  true,
	"access_key_id":             true,
	"access_key_secret":         true,
	"source_client_private_key": true,
	"token":                     true,
	"input_config":              true,
}

// masker takes secrets out of texts that a server or proxy wrote.
type masker struct {
	secrets []string
}

func newMasker(secrets ...string) masker {
	var m masker
	m.add(secrets...)
	return m
}

// add notes secrets, each also in the forms in which a server may echo it.
func (m *masker) add(secrets ...string) {
	for _, secret := range secrets {
		if strings.TrimSpace(secret) == "" {
			continue
		}
		m.secrets = append(m.secrets, secret, strings.TrimSpace(secret))
		quoted := strconv.Quote(secret)
		m.secrets = append(m.secrets, quoted[1:len(quoted)-1])
		if encoded, err := json.Marshal(secret); err == nil {
			m.secrets = append(m.secrets, string(encoded[1:len(encoded)-1]))
		}
	}
	slices.SortFunc(m.secrets, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	m.secrets = slices.Compact(m.secrets)
}

// withConfig returns a masker that also knows a serving_input_config: as a
// whole and, where it is JSON, each longer text in it.
func (m masker) withConfig(config string) masker {
	if len(strings.TrimSpace(config)) < minMaskedConfig {
		return m
	}
	out := masker{secrets: slices.Clone(m.secrets)}
	secrets := []string{config}
	var value any
	if json.Unmarshal([]byte(config), &value) == nil {
		secrets = appendLeaves(secrets, value)
	} else {
		for line := range strings.Lines(config) {
			if line = strings.TrimSpace(line); len(line) >= minMaskedLeaf {
				secrets = append(secrets, line)
			}
		}
	}
	out.add(secrets...)
	return out
}

func appendLeaves(out []string, value any) []string {
	switch v := value.(type) {
	case string:
		if len(v) >= minMaskedLeaf {
			out = append(out, v)
		}
	case []any:
		for _, element := range v {
			out = appendLeaves(out, element)
		}
	case map[string]any:
		for _, element := range v {
			out = appendLeaves(out, element)
		}
	}
	return out
}

// text masks, bounds and cleans a text from elsewhere.
func (m masker) text(s string) string {
	s = m.replace(s)
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + " … (cut off)"
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.TrimRight(strings.ToValidUTF8(s, "?"), "\r\n"))
}

// body renders a JSON body for the log, without its secret fields. What is not
// JSON is not shown: a cut-off answer can hold anything.
func (m masker) body(data []byte) string {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return "(" + strconv.Itoa(len(data)) + " bytes that are not JSON)"
	}
	encoded, err := json.Marshal(m.value(value))
	if err != nil {
		return "(" + strconv.Itoa(len(data)) + " bytes)"
	}
	return m.replace(string(encoded))
}

func (m masker) replace(s string) string {
	for _, secret := range m.secrets {
		s = strings.ReplaceAll(s, secret, masked)
	}
	return s
}

// value masks secret fields, and secrets in any other text.
func (m masker) value(value any) any {
	switch v := value.(type) {
	case string:
		return m.replace(v)
	case []any:
		for i := range v {
			v[i] = m.value(v[i])
		}
	case map[string]any:
		for key, element := range v {
			switch {
			case secretFields[key]:
				v[key] = maskAll(element)
			case key == "env":
				v[key] = maskEnv(element)
			default:
				v[key] = m.value(element)
			}
		}
	}
	return value
}

// maskAll keeps the shape and the keys.
func maskAll(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = masked
		}
		return v
	case string:
		if v == "" {
			return v
		}
	case nil:
		return nil
	}
	return masked
}

// maskEnv masks the values of environment variables, which often carry
// passwords, and keeps their names.
func maskEnv(value any) any {
	list, ok := value.([]any)
	if !ok {
		return masked
	}
	for _, element := range list {
		if variable, ok := element.(map[string]any); ok && variable["value"] != "" {
			variable["value"] = masked
		}
	}
	return list
}
