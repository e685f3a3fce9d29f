package httpapi

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// formsOf are the forms in which a server may return a secret: as it is, escaped once or twice
// for JSON, for a URL, in hexadecimal, and as a part of a text in base64.
func formsOf(secret string) []string {
	forms := []string{secret}
	once := escaped(secret)
	forms = append(forms, once...)
	for _, text := range once {
		forms = append(forms, escaped(text)...)
	}
	for _, text := range []string{url.QueryEscape(secret), url.PathEscape(secret)} {
		if text != secret {
			forms = append(forms, text, lowerEscapes(text))
		}
	}
	encoded := hex.EncodeToString([]byte(secret))
	forms = append(forms, encoded, strings.ToUpper(encoded))
	for offset := range 3 {
		text := inBase64(secret, offset)
		forms = append(forms, text, inURL.Replace(text))
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	return slices.DeleteFunc(forms, func(form string) bool { return len(form) < minMaskedText })
}

// inURL turns base64 into its other alphabet.
var inURL = strings.NewReplacer("+", "-", "/", "_")

// escaped are the escaped forms of a text in JSON; none if nothing is to be escaped.
func escaped(text string) []string {
	if !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r > '~' || strings.ContainsRune(`"\/<>&`, r)
	}) {
		return nil
	}
	quoted, ascii, html := strconv.Quote(text), strconv.QuoteToASCII(text), ""
	if encoded, err := json.Marshal(text); err == nil {
		html = string(encoded[1 : len(encoded)-1])
	}
	plain := withoutHTML.Replace(html)
	forms := []string{quoted[1 : len(quoted)-1], ascii[1 : len(ascii)-1], html, plain, strings.ReplaceAll(plain, "/", `\/`), asciiOnly(plain)}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// withoutHTML reverts what only encoding/json escapes.
var withoutHTML = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// asciiOnly escapes everything else, as many encoders do.
func asciiOnly(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(text string) string {
	out := []byte(text)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:i+3], bytes.ToLower(out[i+1:i+3]))
		}
	}
	return string(out)
}

// inBase64 is the part of an encoded text that depends only on a secret in it, after offset
// bytes modulo 3.
func inBase64(secret string, offset int) string {
	encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, offset, offset+len(secret)), secret...))
	return encoded[(offset*8+5)/6 : (offset+len(secret))*8/6]
}
