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

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// maxPart is the length of the longest text that can be a part of a configuration text.
const maxPart = 128 << 10

// escapesInRequest is how many times a secret may be escaped for JSON in a request: twice in a
// configuration text such as a serving_input_config, which itself is escaped once.
func escapesInRequest(secret string) int {
	if len(secret) > maxPart {
		return 1
	}
	return 2
}

// formsOf are the forms in which a server may return a secret: as it is, escaped for JSON once or
// twice, and as a part of a request that is encoded, or escaped twice more. Another masker may
// have made it printable before.
func formsOf(secret string) []string {
	once := escaped(secret)
	forms := append(each(once, escaped), once...)
	forms = append(forms, printable.Foreign(secret))
	inRequest := escapesInRequest(secret)
	sent := []string{secret}
	for times := 0; times <= inRequest+2; times++ {
		forms = append(forms, sent...)
		if times <= inRequest {
			forms = append(forms, each(sent, encoded)...)
		}
		sent = each(sent, escapedInJSON)
	}
	return slices.DeleteFunc(unique(forms), func(form string) bool { return len(form) < minMaskedText })
}

// each are the forms of all texts.
func each(texts []string, forms func(string) []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, forms(text)...)
	}
	return unique(all)
}

func unique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// encoded are the forms of a text for a URL, in hexadecimal, and as a part of a text in base64.
func encoded(text string) []string {
	inHex := hex.EncodeToString([]byte(text))
	forms := []string{inHex, strings.ToUpper(inHex)}
	for _, form := range []string{url.QueryEscape(text), url.PathEscape(text)} {
		if form != text {
			forms = append(forms, form, lowerEscapes(form))
		}
	}
	for offset := range 3 {
		part := inBase64(text, offset)
		forms = append(forms, part, inURL.Replace(part))
	}
	return forms
}

// inURL turns base64 into its other alphabet.
var inURL = strings.NewReplacer("+", "-", "/", "_")

// escaped are the forms of a text in JSON, as servers in several languages write it; none if
// nothing is to be escaped.
func escaped(text string) []string {
	forms := escapedInJSON(text)
	if forms == nil {
		return nil
	}
	plain, quoted, ascii := forms[0], strconv.Quote(text), strconv.QuoteToASCII(text)
	return unique(append(forms, quoted[1:len(quoted)-1], ascii[1:len(ascii)-1], strings.ReplaceAll(plain, "/", `\/`), asciiOnly(plain)))
}

// escapedInJSON are the forms of a text that encoding/json writes: without and with what it
// escapes for HTML; none if nothing is to be escaped.
func escapedInJSON(text string) []string {
	if !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r > '~' || strings.ContainsRune(`"\/<>&`, r)
	}) {
		return nil
	}
	encoded, err := json.Marshal(text)
	if err != nil {
		return nil // a string is never refused
	}
	html := string(encoded[1 : len(encoded)-1])
	return []string{withoutHTML.Replace(html), html}
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
