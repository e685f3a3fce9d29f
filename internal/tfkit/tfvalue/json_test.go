package tfvalue

import (
	"runtime"
	"strings"
	"testing"
)

// TestConfigTextIsBounded: to compare a text of a server twice, and to search it once, takes little
// memory, whatever it contains. One that is too large is compared without being decoded.
func TestConfigTextIsBounded(t *testing.T) {
	for size, want := range map[int]bool{maxDecoded - 10: true, 16 << 20: false} {
		large := "[" + strings.Repeat("{},", size/3) + `{"password":"p"}]`
		spaced := strings.Replace(large, "{},", "{ }, ", 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		equal, differs := ConfigTextEqual(large, spaced), ConfigTextEqual(large, "[1.0]")
		found := len(SecretKeys(large)) > 0
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; !equal || differs || found != (want && len(large) <= maxDecoded) || grown > 400 {
			t.Errorf("%d bytes: equal %t, %t, found %t, %d MiB", len(large), equal, differs, found, grown)
		}
	}
}
