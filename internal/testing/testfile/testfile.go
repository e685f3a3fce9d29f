// Package testfile reads and writes files of tests.
package testfile

import (
	"encoding/json"
	"os"
	"testing"
)

// Read is the content of a file.
func Read(tb testing.TB, file string) string {
	tb.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	return string(content)
}

// JSON is the decoded content of a file.
func JSON[T any](tb testing.TB, file string) (value T) {
	tb.Helper()
	if err := json.Unmarshal([]byte(Read(tb, file)), &value); err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	return value
}

// Write writes a file, which may be a program.
func Write(tb testing.TB, file, content string) {
	tb.Helper()
	if err := os.WriteFile(file, []byte(content), 0o700); err != nil {
		tb.Fatal(err)
	}
}
