package faulttest_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
)

func inJSON(text string) string {
	encoded, err := json.Marshal(text)
	must(err)
	return string(encoded[1 : len(encoded)-1])
}

// spellings are the forms in which a server or a proxy may return a text.
var spellings = map[string]func(string) string{
	"raw":        func(text string) string { return text },
	"JSON":       inJSON,
	"twice JSON": func(text string) string { return inJSON(inJSON(text)) },
	"query":      url.QueryEscape,
	"path":       url.PathEscape,
	"base64":     func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
	"base64, 1":  func(text string) string { return base64.StdEncoding.EncodeToString([]byte("x" + text)) },
	"base64, 2":  func(text string) string { return base64.StdEncoding.EncodeToString([]byte("xy" + text)) },
	"base64 URL": func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) },
	"hex":        func(text string) string { return hex.EncodeToString([]byte(text)) },
	"upper hex":  func(text string) string { return strings.ToUpper(hex.EncodeToString([]byte(text))) },
}

// everyForm is a text in all spellings.
func everyForm(text string) string {
	var all []string
	for _, spell := range spellings {
		all = append(all, spell(text))
	}
	return strings.Join(all, " ")
}

// traces are the texts that betray a secret within a text, by the name of the spelling; a request
// has it as it is, or escaped once or twice.
func traces(secret string) map[string]string {
	found := tracesOf(secret)
	for _, sent := range []string{inJSON(secret), inJSON(inJSON(secret))} {
		for name, trace := range tracesOf(sent) {
			found[name+" of "+sent] = trace
		}
	}
	return found
}

func tracesOf(secret string) map[string]string {
	found := map[string]string{}
	for name, spell := range spellings {
		if !strings.HasPrefix(name, "base64") {
			found[name] = spell(secret)
		}
	}
	for name, encoding := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64 URL": base64.RawURLEncoding} {
		for offset, first := range []int{0, 2, 3} {
			// Only the characters that depend on nothing but the secret.
			encoded := encoding.EncodeToString([]byte("xyz"[:offset] + secret))
			found[name+", "+string(rune('0'+offset))] = encoded[first : (offset+len(secret))*8/6]
		}
	}
	return found
}

// findSecret returns the spelling in which a text has a secret, and what is around it.
func findSecret(text, secret string) (spelling, around string) {
	for name, trace := range traces(secret) {
		if i := strings.Index(text, trace); i >= 0 {
			return name, text[max(0, i-200):min(len(text), i+len(trace)+50)]
		}
	}
	return "", ""
}
