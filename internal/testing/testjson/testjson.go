// Package testjson encodes and decodes JSON in tests, which end if they cannot.
package testjson

import (
	"encoding/json"
	"testing"
)

// Encode is a value as JSON.
func Encode(tb testing.TB, value any) string {
	tb.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// Decode is the value of a JSON text.
func Decode[T any](tb testing.TB, text string) (value T) {
	tb.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		tb.Fatalf("%v in %.200s", err, text)
	}
	return value
}

// Text is a text, or a list of texts, as JSON. That cannot fail.
func Text[T string | []string](value T) string {
	text, _ := json.Marshal(value)
	return string(text)
}
