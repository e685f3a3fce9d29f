package ief

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
)

const (
	masked = "***"
	// minMasked is the shortest value of an environment variable that is looked
	// for in texts: shorter ones would mask ordinary words.
	minMasked = 4
	// maxMessage bounds a text of the service in an error.
	maxMessage = 2 << 10
)

// masker takes secrets out of texts that others wrote.
type masker []string

// withValues also hides the values of environment variables.
func (m masker) withValues(templates ...*Template) masker {
	out := append(masker(nil), m...)
	for _, t := range templates {
		if t == nil {
			continue
		}
		for _, containers := range [][]Container{t.InitContainers, t.Containers} {
			for _, c := range containers {
				for _, env := range c.Envs {
					if env.Value != nil && len(*env.Value) >= minMasked {
						out = append(out, *env.Value)
					}
				}
			}
		}
	}
	return out
}

// text masks, bounds and cleans a text.
func (m masker) text(s string) string {
	for _, secret := range m {
		s = strings.ReplaceAll(s, secret, masked)
		if quoted := strconv.Quote(secret); len(quoted) > len(secret)+2 {
			s = strings.ReplaceAll(s, quoted[1:len(quoted)-1], masked)
		}
	}
	s = strings.ToValidUTF8(s, "?")
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + " … (cut off)"
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, s))
}

// body renders a JSON body for the log, without the values of environment
// variables. What is not JSON is not shown.
func (m masker) body(data []byte) string {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return "(" + strconv.Itoa(len(data)) + " bytes that are not JSON)"
	}
	hideValues(value, false)
	encoded, err := json.Marshal(value)
	if err != nil {
		return "(" + strconv.Itoa(len(data)) + " bytes)"
	}
	return m.text(string(encoded))
}

func hideValues(value any, inEnvs bool) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			hideValues(element, inEnvs)
		}
	case map[string]any:
		for key, element := range v {
			if _, isText := element.(string); inEnvs && key == "value" && isText {
				v[key] = masked
				continue
			}
			hideValues(element, key == "envs")
		}
	}
}
