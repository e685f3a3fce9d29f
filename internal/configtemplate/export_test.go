package configtemplate

import "fmt"

// SameParsers compares the parser of keys with that of the agent.
func SameParsers(text string, values Values) error {
	for _, options := range []Options{{}, {NoVerbatim: true}} {
		quick, ok := parseKeys(text, options)
		if !ok {
			continue
		}
		full, err := parseAll(text, options)
		if err != nil {
			return fmt.Errorf("%q: only text/template refuses it: %w", text, err)
		}
		a, _ := quick.Render(values)
		if b, _ := full.Render(values); a != b {
			return fmt.Errorf("%q: %q, with text/template %q", text, a, b)
		}
	}
	return nil
}
