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

// IsJSON reports whether the text is one JSON value.
func IsJSON(text string) bool { return json.Valid([]byte(text)) }

// ConfigTextEqual reports whether two texts have the same content: as JSON
// (key order, white space, escapes and the spelling of numbers aside) when
// both are JSON, otherwise to the letter. JSON that programs read in different
// ways is compared to the letter as well, white space aside.
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

// decodeJSON decodes a JSON text. It is not definite what the text means where
// an object has a key twice or a string is no Unicode text: decoded it would
// equal texts with other content.
func decodeJSON(text string) (value any, definite bool) {
	if !utf8.ValidString(text) || hasLoneSurrogate(text) {
		return nil, false
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	value, err := decodeUnique(decoder)
	return value, err == nil
}

var errDuplicateKey = errors.New("an object has a key twice")

// decodeUnique decodes the next value and fails at a key that is there twice.
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

// hasLoneSurrogate reports whether a JSON text has an escape for one half of a
// character.
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

// escapedUnit is the UTF-16 unit of the \u escape that a text begins with, 0 if
// it begins with none.
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

// compactJSON is a JSON text without white space.
func compactJSON(text string) string {
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(text)) != nil {
		return text
	}
	return compact.String()
}

// canonicalNumber writes a JSON number as digits without outer zeros and a
// power of ten, not going through a float: 9007199254740993 and
// 9007199254740992 must stay two numbers. A number whose exponent is out of any
// range stays as it is.
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
