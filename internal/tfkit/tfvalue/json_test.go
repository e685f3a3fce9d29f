package tfvalue

import (
	"runtime"
	"strings"
	"testing"
)

// TestConfigTextIsBounded: to compare a text of a server twice takes little
// memory, whatever it contains. One that is too large is compared without being decoded.
func TestConfigTextIsBounded(t *testing.T) {
	for _, size := range []int{maxDecoded - 10, 16 << 20} {
		large := "[" + strings.Repeat("{},", size/3) + `{"password":"p"}]`
		spaced := strings.Replace(large, "{},", "{ }, ", 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		equal, differs := ConfigTextEqual(large, spaced), ConfigTextEqual(large, "[1.0]")
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; !equal || differs || grown > 400 {
			t.Errorf("%d bytes: equal %t, %t, %d MiB", len(large), equal, differs, grown)
		}
	}
}

// TestCountJSONChanges: a change is told as counts, and only of what all parsers read alike.
func TestCountJSONChanges(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{`{"a":"secret","b":2,"c":{"d":1}}`, `{"a":"hidden","b":3,"c":{"d":4}}`, "3 values change"},
		{`{"a":1}`, `{"a":1,"b":{"c":1,"d":2}}`, "1 value is added"},
		{`{"a":1,"b":[1,2,3],"c":4}`, `{"a":2,"b":[1],"d":5,"e":[]}`, "1 value changes, 2 values are added, 3 values are removed"},
		{`{"a":{}}`, `{"a":[]}`, "1 value changes"},
		{`{"a":{}}`, `{"a":1}`, "1 value changes"},
		{`[]`, `{}`, "1 value changes"},
		{`{"a":1.10}`, `{"a":1.1}`, ""},
		{`{"a":1,"a":2}`, `{}`, "none"},
		{"1", "{}", "none"},
		{"x", "y", "none"},
	} {
		got, ok := CountJSONChanges(test.before, test.after)
		if ok != (test.want != "none") || ok && got.String() != test.want {
			t.Errorf("%s to %s: %q, %t", test.before, test.after, got, ok)
		}
	}
}
