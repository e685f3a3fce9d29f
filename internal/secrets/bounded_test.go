package secrets

import (
	"runtime"
	"strings"
	"testing"
)

// TestSearchIsBounded: to search a text of a server takes little memory, whatever it contains. One
// that is too large is not decoded.
func TestSearchIsBounded(t *testing.T) {
	for _, size := range []int{maxDecoded - 100, 16 << 20} {
		large := "[" + strings.Repeat("{},", size/3) + `{"password":"p"}]`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found := len(Keys(large)) > 0
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; found != (len(large) <= maxDecoded) || grown > 400 {
			t.Errorf("%d bytes: found %t, %d MiB", len(large), found, grown)
		}
	}
}
