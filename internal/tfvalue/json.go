package tfvalue

import (
	"encoding/json"
	"io"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// IsJSON reports whether the text is one JSON value.
func IsJSON(text string) bool { return json.Valid([]byte(text)) }

// ConfigTextEqual reports whether two texts have the same content: as JSON
// (key order, white space, escapes and the spelling of numbers aside) when
// both are JSON, otherwise to the letter.
func ConfigTextEqual(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := decodeJSON(a)
	if !ok {
		return false
	}
	y, ok := decodeJSON(b)
	return ok && reflect.DeepEqual(x, y)
}

func decodeJSON(text string) (any, bool) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, false
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, false
	}
	return canonicalNumbers(value), true
}

// canonicalNumbers gives each number one spelling without going through a
// float: 9007199254740993 and 9007199254740992 must stay two numbers.
func canonicalNumbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, element := range v {
			v[key] = canonicalNumbers(element)
		}
	case []any:
		for i, element := range v {
			v[i] = canonicalNumbers(element)
		}
	case json.Number:
		return canonicalNumber(string(v))
	}
	return value
}

// canonicalNumber writes a JSON number as digits without outer zeros and a
// power of ten. A number whose exponent is out of any range stays as it is.
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
