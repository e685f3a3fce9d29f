package tfvalue_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The pairs are the sent and the returned quantities of a real Kuscia v1.1.
func TestQuantityEqualRecordedPairs(t *testing.T) {
	t.Parallel()
	for sent, answered := range map[string]string{
		"0.1": "100m", "0.5": "500m", "1.5": "1500m", "1.50": "1500m", "1000m": "1", "0.0001": "100u",
		"1024Mi": "1Gi", "2048Mi": "2Gi", "1.5Gi": "1536Mi", "0.5Gi": "512Mi", "1024Ki": "1Mi",
		"128974848000m": "128974848", "1e3": "1e3", "1k": "1k", "+1": "1", "0": "0",
		"1000Mi": "1000Mi", "100M": "100M", "1073741824": "1073741824",
	} {
		if !tfvalue.QuantityEqual(sent, answered) {
			t.Errorf("%s and %s are the same amount", sent, answered)
		}
	}
	for _, pair := range [][2]string{{"1", "1m"}, {"1Gi", "1G"}, {"", "0"}, {"abc", "0"}, {"1", "abc"}, {"100m", "101m"}} {
		if tfvalue.QuantityEqual(pair[0], pair[1]) {
			t.Errorf("%q and %q differ", pair[0], pair[1])
		}
	}
}

func TestConfigTextEqual(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		a, b string
		want bool
	}{
		"other text":              {"hello", "hello ", false},
		"key order":               {`{"a":1,"b":[1,2]}`, "{ \"b\": [1, 2], \"a\": 1 }\n", true},
		"list order counts":       {`[1,2]`, `[2,1]`, false},
		"number spelling":         {`{"a":1.0}`, `{"a":1}`, true},
		"large numbers":           {`[9007199254740993]`, `[9007199254740992]`, false},
		"exponent":                {`[1.5E+2]`, `[150]`, true},
		"huge exponent":           {`[1e999999999]`, `[1e999999998]`, false},
		"exponent out of range":   {`[1e99999999999999999999]`, `[1e99999999999999999998]`, false},
		"number is not string":    {`{"a":1}`, `{"a":"1"}`, false},
		"text beside json":        {`{}`, `{} x`, false},
		"two values are not json": {"1 1", "1  1", false},
		"a number is a text":      {"1.10", "1.1", false},
		"so is a text":            {`"a"`, ` "a"`, false},
		"so are names":            {"true", "true ", false},
		"a version":               {`{"v":"1.10"}`, `{"v":"1.1"}`, false},
		"more digits":             {`{"v":100000000000000000000000000000000001}`, `{"v":1e35}`, false},
		"many digits":             {`{"v":` + strings.Repeat("1", 1<<20) + `}`, `{"v": ` + strings.Repeat("1", 1<<20) + `}`, true},
		"deep":                    {strings.Repeat("[", 9000) + strings.Repeat("]", 9000), " " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000), true},
		"too deep":                {strings.Repeat("[", 20000) + strings.Repeat("]", 20000), " " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000), false},
		"nothing":                 {"", "{}", false},
		"surrogate pair":          {`["\ud83d\ude00"]`, `["\uD83D\uDE00"]`, true},
		"pair and character":      {`["\ud83d\ude00"]`, `["😀"]`, true},
		"lone surrogates":         {`["\ud800"]`, `["\ud801"]`, false},
		"two high surrogates":     {`["\ud800\ud800"]`, `["\ud800\ud801"]`, false},
		"lone and replacement":    {`["\ud800"]`, `["\ufffd"]`, false},
		"lone in a key":           {`{"\ud800":1}`, `{"\ud801":1}`, false},
		"escaped backslash":       {`["\\ud800"]`, `["\u005cud800"]`, true},
		"not UTF-8":               {"[\"\xff\"]", "[\"\xfe\"]", false},
		"duplicate key":           {`{"a":1,"a":2}`, `{"a":2}`, false},
		"duplicate first":         {`{"a":1,"a":2}`, `{"a":3,"a":2}`, false},
		"duplicate, escaped":      {`{"a":1,"\u0061":2}`, `{"a":2}`, false},
		"duplicate, white space":  {`{"a":1,"a":2}`, "{ \"a\": 1, \"a\": 2 }\n", true},
		"same key elsewhere":      {`[{"a":1},{"a":1}]`, `[{"a":1}, {"a":1.0}]`, true},
	} {
		if got := tfvalue.ConfigTextEqual(test.a, test.b); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if got := tfvalue.ConfigTextEqual(test.b, test.a); got != test.want {
			t.Errorf("%s reversed: %v, want %v", name, got, test.want)
		}
	}
}

// TestSpellings: the usual spelling of a number or a percentage, and the other one of a percentage,
// which means the same and leads back.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"25%": {"25%", "025%"}, "025%": {"25%", "25%"}, "0025%": {"25%", "25%"}, "0%": {"0%", "00%"}, "00%": {"0%", "0%"}, "100%": {"100%", "0100%"},
		"1": {"1", ""}, "01": {"1", ""}, "": {"", ""}, "%": {"%", ""}, "-1%": {"-1%", ""}, "abc": {"abc", ""},
	} {
		if got := tfvalue.CanonicalCountOrPercent(text); got != want[0] {
			t.Errorf("%q is usually %q, want %q", text, got, want[0])
		}
		other, ok := tfvalue.OtherSpelling(text)
		if ok != (want[1] != "") || ok && (other != want[1] || other == text || !tfvalue.CountOrPercentEqual(other, text)) {
			t.Errorf("the other spelling of %q is %q, %t", text, other, ok)
		}
	}
}

func TestCountOrPercentEqual(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{{"01", "1"}: true, {"5%", "05%"}: true, {"1", "1%"}: false, {"1", "2"}: false, {"1%", "2%"}: false, {"a", "b"}: false} {
		if tfvalue.CountOrPercentEqual(pair[0], pair[1]) != want {
			t.Errorf("%v are equal: %t", pair, !want)
		}
	}
}
