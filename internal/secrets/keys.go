// Package secrets finds what is a secret by the name of its key, in texts of any kind: JSON, YAML,
// properties, arguments and addresses.
package secrets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secretNames are the ends of keys whose value is a secret, without separators
// and in lower case.
var secretNames = []string{
	"password", "passwd", "passphrase", "passcode", "passkey", "pwd", "pgpass", "requirepass", "token", "secret", "credential", "credentials", "cookie", "basicauth",
	"secretkey", "accesskey", "accountkey", "storagekey", "sharedkey", "apikey", "encryptionkey", "decryptionkey", "signingkey", "masterkey", "sessionkey", "hmackey", "aeskey",
	"sshkey", "tlskey", "sslkey", "privatekey", "privkey", "privatekeypem", "privatekeydata", "clientkeydata",
}

// maxDecoded bounds the texts that are decoded.
const maxDecoded = 2 << 20

// maxNesting bounds the levels of a text that are searched for secrets.
const maxNesting = 32

// Keys returns the paths of the keys of a JSON text that are named like a
// secret and have a text that is no placeholder, or a longer number, such as storage.secretKey, sorted.
// JSON within texts is searched too.
func Keys(text string) []string {
	return namesOf(secretsInJSON(decodeAny(text)))
}

// secret is a text that is a secret, and the name that says so.
type secret struct{ name, text string }

func namesOf(secrets []secret) (names []string) {
	for _, s := range secrets {
		names = append(names, s.name)
	}
	return names
}

func secretsInJSON(value any) (found []secret) {
	secretKeys(value, "", maxNesting, &found)
	return found
}

// decodeAny decodes a JSON text as Kuscia may: also with a key twice, whose last value counts; nil for
// no JSON.
func decodeAny(text string) (value any) {
	if begin := strings.TrimLeft(text, " \t\r\n"); begin == "" || !strings.ContainsRune("{[\"", rune(begin[0])) {
		return nil // or what has no names
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber() // of any size
	if len(text) > maxDecoded || decoder.Decode(&value) != nil {
		return nil
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil // there is more than one value
	}
	return value
}

func secretKeys(value any, at string, levels int, found *[]secret) {
	if levels == 0 {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := strings.TrimPrefix(at+"."+key, ".")
			if text := secretValue(v[key]); text != "" && Is(key, text) {
				*found = append(*found, secret{below, text})
				continue
			}
			secretKeys(v[key], below, levels-1, found)
		}
	case []any:
		for i, element := range v {
			secretKeys(element, fmt.Sprintf("%s[%d]", at, i), levels-1, found)
		}
	case string:
		if inner := strings.TrimSpace(v); strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "[") {
			secretKeys(decodeAny(inner), at, levels-1, found)
		}
	}
}

// minNumber is the least length of a number that is a secret: shorter ones are counts and limits.
const minNumber = 8

// secretValue is a value that is a secret if its key is named like one: a text, or a longer number;
// "" for others.
func secretValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		if len(v) >= minNumber {
			return v.String()
		}
	}
	return ""
}

// asWord are names whose last word says that the value is a secret, which is also the end of other words:
// DB_PASS, -Dpass, JWT, ak and sk for the two keys of object storage, and REDIS_AUTH only in the large letters of
// variables.
var asWord = lazily(`(?:^|[_. -]|^-D)(?i:pass|ak|sk|jwt)$|[a-z](?:A[Kk]|S[Kk]|J(?:wt|WT))$|^[A-Z0-9_]+_AUTH$`)

func namesSecret(key string) bool {
	if endsAsWord(key) && asWord().MatchString(key) {
		return true
	}
	return slices.ContainsFunc(secretNames, func(name string) bool { return endsWith(key, name) })
}

// endsAsWord reports whether asWord may find a name, by the last letter: also one that becomes a letter of ASCII
// in small letters.
func endsAsWord(key string) bool {
	if key == "" {
		return false
	}
	last := key[len(key)-1]
	return last >= utf8.RuneSelf || strings.IndexByte("sSkKtTH", last) >= 0
}

// endsWith reports whether a key ends with a name in small letters, whatever separators are in it.
func endsWith(key, name string) bool {
	for name != "" {
		r, size := utf8.DecodeLastRuneInString(key)
		key = key[:len(key)-size]
		switch {
		case size == 0:
			return false
		case strings.ContainsRune("_-. ", r):
		case unicode.ToLower(r) != rune(name[len(name)-1]):
			return false
		default:
			name = name[:len(name)-1]
		}
	}
	return true
}

// isPlaceholder reports whether a text stands for a value that somebody else
// puts in: nothing, a template, the output of a command, or only asterisks.
func isPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	return strings.Trim(text, "*") == "" || strings.Contains(text, "{{") || strings.Contains(text, "${") || strings.Contains(text, "$(") ||
		strings.Count(text, "`") > 1 ||
		strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">")
}
