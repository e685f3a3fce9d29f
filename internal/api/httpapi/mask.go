package httpapi

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// masked replaces a secret.
const masked = "***"

// Shorter texts are not masked in messages: they would mask ordinary words. In
// bodies, secret fields are masked whatever their length.
const (
	minMaskedText = 4
	minMaskedLeaf = 8
)

// maxMaskedLeaves limits the parts of texts that are masked, each in its forms. A configuration
// that a container can get (128 KiB) has at most 12,000.
const maxMaskedLeaves = 20_000

// Masker removes secrets from texts of a server or proxy, and makes them safe
// to show, in each of their usual forms (formsOf). The zero Masker knows no
// secrets.
type Masker struct {
	secrets []string
	// search is built on first use: most calls succeed and do not need it.
	search *lazySearch
}

type lazySearch struct {
	once   sync.Once
	search *searcher
}

// NewMasker returns a masker for texts such as credentials.
func NewMasker(secrets ...string) Masker { return Masker{}.add(secrets) }

// add adds secrets.
func (m Masker) add(secrets []string) Masker {
	all := slices.Clone(m.secrets)
	for _, secret := range secrets {
		if trimmed := strings.TrimSpace(secret); len(trimmed) >= minMaskedText {
			all = append(all, secret, trimmed)
		}
	}
	slices.Sort(all)
	return Masker{secrets: slices.Compact(all), search: &lazySearch{}}
}

// With returns a masker that also masks texts that may be JSON, such as a
// serving_input_config: each as a whole and, if it is JSON, each longer string
// and number in it, else each longer line, and what it has in quotes or of digits.
func (m Masker) With(texts ...string) Masker {
	var secrets []string
	for _, text := range texts {
		if len(strings.TrimSpace(text)) < minMaskedText {
			continue
		}
		// No more of it can be in what is shown.
		secrets = append(secrets, text[:min(len(text), maxLoggedBody)])
		if json.Valid([]byte(text)) {
			secrets = appendLeaves(secrets, text)
			continue
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); len(line) >= minMaskedLeaf && len(secrets) < maxMaskedLeaves {
				secrets = append(secrets, line)
			}
		}
		for _, piece := range pieces.FindAllStringSubmatch(text, maxMaskedLeaves) {
			if piece[4] == "" { // else it is a key
				secrets = append(secrets, cmp.Or(piece[1:4]...))
			}
		}
	}
	if len(secrets) == 0 {
		return m
	}
	return m.add(secrets)
}

// pieces are the longer strings and numbers of a text that only lenient parsers take as JSON.
var pieces = regexp.MustCompile(`(?:"((?:[^"\\]|\\.){8,})"|'((?:[^'\\]|\\.){8,})'|([0-9][0-9.eE+-]{7,}))\s*(:?)`)

// appendLeaves adds the longer strings and numbers in a JSON text, without the keys. It does not decode the
// text as a whole, which may be a server's and many times as large in memory.
func appendLeaves(out []string, text string) []string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber() // as written
	// open are the open objects and lists, true for an object; isKey is set if the next string
	// is a key.
	var open []bool
	isKey := false
	for len(out) < maxMaskedLeaves {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				open = append(open, v == '{')
			} else {
				open = open[:len(open)-1]
			}
		case string:
			if isKey {
				isKey = false
				continue
			}
			if len(v) >= minMaskedLeaf {
				out = append(out, v)
			}
		case json.Number:
			if len(v) >= minMaskedLeaf {
				out = append(out, v.String())
			}
		}
		isKey = len(open) > 0 && open[len(open)-1]
	}
	return out
}

func (m Masker) replace(s string) string { return m.replaceBefore(s, len(s)) }

// replaceBefore is replace for a text that is shown up to an end.
func (m Masker) replaceBefore(s string, end int) string {
	if len(m.secrets) == 0 || s == "" {
		return s[:end]
	}
	m.search.once.Do(func() {
		m.search.search = newSearcher()
		for _, secret := range m.secrets {
			m.search.search.add(formsOf(secret)...)
		}
	})
	return m.search.search.mask(s, end)
}

// body formats a JSON body for the log, without its secret fields. A body that
// is not JSON is not shown: a truncated response can contain anything.
func (m Masker) body(data []byte, field func(string, any) (any, bool)) string {
	var value any
	if DecodeText(string(data), &value) != nil {
		return "(" + strconv.Itoa(len(data)) + " bytes)"
	}
	encoded, err := json.Marshal(m.value(value, field))
	if err != nil {
		return "(" + strconv.Itoa(len(data)) + " bytes)"
	}
	return m.replace(printable.Clean(m.replace(string(encoded))))
}

// value masks secret fields, and secrets in all other strings.
func (m Masker) value(value any, field func(string, any) (any, bool)) any {
	switch v := value.(type) {
	case string:
		return m.replace(v)
	case []any:
		for i := range v {
			v[i] = m.value(v[i], field)
		}
	case map[string]any:
		for key, element := range v {
			if field != nil {
				if hidden, secret := field(key, element); secret {
					v[key] = hidden
					continue
				}
			}
			v[key] = m.value(element, field)
		}
	}
	return value
}

// MaskAll masks all scalars of a value and keeps its structure and keys.
func MaskAll(value any) any {
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

// MaskEnv masks the values of environment variables, which often are passwords,
// and keeps their names.
func MaskEnv(value any) any {
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
