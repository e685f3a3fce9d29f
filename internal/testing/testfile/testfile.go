// Package testfile reads and writes files of tests.
package testfile

import (
	"os"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
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
func JSON[T any](tb testing.TB, file string) T {
	tb.Helper()
	return testjson.Decode[T](tb, Read(tb, file))
}

// Write writes a file, which may be a program.
func Write(tb testing.TB, file, content string) {
	tb.Helper()
	if err := os.WriteFile(file, []byte(content), 0o700); err != nil {
		tb.Fatal(err)
	}
}
