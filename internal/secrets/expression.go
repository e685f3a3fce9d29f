package secrets

import (
	"regexp"
	"sync"
)

// expression is a regular expression that is compiled when it is first used: all together they take
// more than a megabyte, and most runs need few.
type expression func() *regexp.Regexp

func lazily(text string) expression {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
