package hostiletest_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// TestMaskerOfLargeTexts: the text of a server, whatever it contains, takes less than 200 MiB to be
// masked.
func TestMaskerOfLargeTexts(t *testing.T) {
	// several repeats pieces with a number between them, which counts.
	several := func(pieces ...string) string {
		var text []byte
		for i := int64(10_000_000); len(text) < httpapi.MaxResponseSize; i++ {
			for n, piece := range pieces {
				if n > 0 {
					text = strconv.AppendInt(text, i, 10)
				}
				text = append(text, piece...)
			}
		}
		return string(text)
	}
	for name, text := range map[string]string{
		"objects": "[" + strings.Repeat("{},", httpapi.MaxResponseSize/3) + "{}]",
		"texts":   "[" + several(`"text`, `",`) + `""]`,
		"members": "{" + several(`"`, `":"text`, `",`) + `"":""}`,
		"lines":   several("line", "\n"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		shown := httpapi.NewMasker().With(text).Text("hello text10000001, line10000001")
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 200*raceFactor || name != "objects" && !strings.Contains(shown, "***") {
			t.Errorf("%s: %d MiB, %s", name, grown, shown)
		}
	}
}
