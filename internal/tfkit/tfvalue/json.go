package tfvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// IsJSON reports whether the text is a JSON object or array. A scalar is also any text: as a
// version, 1.10 is not 1.1.
func IsJSON(text string) bool {
	begin := strings.TrimLeft(text, " \t\r\n")
	return (strings.HasPrefix(begin, "{") || strings.HasPrefix(begin, "[")) && json.Valid([]byte(text))
}

// ConfigTextEqual reports whether two texts have the same content. If both are
// JSON objects or arrays, the order of keys, white space, escapes and the notation of numbers do
// not matter; otherwise the texts must be identical. For JSON that parsers
// interpret differently, only white space does not matter.
func ConfigTextEqual(a, b string) bool {
	if a == b {
		return true
	}
	if !IsJSON(a) || !IsJSON(b) {
		return false
	}
	x, definite := decodeJSON(a)
	y, alsoDefinite := decodeJSON(b)
	if !definite || !alsoDefinite {
		return compactJSON(a) == compactJSON(b)
	}
	return reflect.DeepEqual(x, y)
}

// maxDecoded limits the texts that are decoded: {} takes three bytes and a hundred times as many
// in memory. Kuscia stores no text above 1.5 MB.
const maxDecoded = 2 << 20

// decodeJSON decodes a JSON text. definite is false if an object has duplicate
// keys or a string is not valid Unicode: the decoded value could equal texts
// with other content. It is also false for a text that is too large.
func decodeJSON(text string) (value any, definite bool) {
	if len(text) > maxDecoded || !utf8.ValidString(text) || hasLoneSurrogate(text) {
		return nil, false
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	value, err := decodeUnique(decoder)
	return value, err == nil
}

var errDuplicateKey = errors.New("an object has a key twice")

// decodeUnique decodes the next value and fails on a duplicate key.
func decodeUnique(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for decoder.More() {
			token, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			key, _ := token.(string)
			if _, twice := object[key]; twice {
				return nil, errDuplicateKey
			}
			if object[key], err = decodeUnique(decoder); err != nil {
				return nil, err
			}
		}
		_, err = decoder.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			element, err := decodeUnique(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		_, err = decoder.Token()
		return list, err
	}
	if number, ok := token.(json.Number); ok {
		return canonicalNumber(string(number)), nil
	}
	return token, nil
}

// hasLoneSurrogate reports whether a JSON text escapes an unpaired surrogate.
func hasLoneSurrogate(text string) bool {
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return false
		}
		text = text[i:]
		first := escapedUnit(text)
		switch {
		case !utf16.IsSurrogate(first):
			text = text[2:]
		case utf16.DecodeRune(first, escapedUnit(text[6:])) == utf8.RuneError:
			return true
		default:
			text = text[12:]
		}
	}
}

// escapedUnit returns the UTF-16 unit of a leading \u escape, or 0.
func escapedUnit(text string) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

// compactJSON removes the white space of a JSON text.
func compactJSON(text string) string {
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(text)) != nil {
		return text
	}
	return compact.String()
}

// canonicalNumber converts a JSON number to digits without leading and trailing
// zeros and a power of ten. It does not use floats: 9007199254740993 and
// 9007199254740992 must stay different. A number with an exponent out of range
// is returned unchanged.
func canonicalNumber(text string) json.Number {
	mantissa, exponentText, hasExponent := strings.Cut(strings.ToLower(text), "e")
	exponent := 0
	if hasExponent {
		var err error
		if exponent, err = strconv.Atoi(exponentText); err != nil {
			return json.Number(text)
		}
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	trimmed := strings.TrimRight(digits, "0")
	power := new(big.Int).Add(big.NewInt(int64(exponent)), big.NewInt(int64(len(digits)-len(trimmed)-len(fraction))))
	return json.Number(sign + trimmed + "e" + power.String())
}
