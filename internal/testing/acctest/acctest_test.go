package acctest

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z]([-a-z0-9]{0,46}[a-z0-9])?$`)
	for prefix, want := range map[string]string{
		"serving":                  "serving-ab12",
		"TestAcc_Serving/case 1":   "testacc-serving-case-ab12",
		"":                         "tf-ab12",
		"1st":                      "st-ab12",
		strings.Repeat("long", 30): strings.Repeat("long", 8) + "lon-ab12",
	} {
		got := name(prefix, "ab12")
		if got != want || !valid.MatchString(got) {
			t.Errorf("%q: got %q, want %q", prefix, got, want)
		}
	}
}

// TestFailureCheck covers every way in which the check can fail.
func TestFailureCheck(t *testing.T) {
	output := errors.New("exit status 1\n╷\n│ Error: Wrong token\n│\n│ Kuscia does not\n│ accept it.\n╵")
	tests := map[string]struct {
		failed error
		want   Failure
		ok     bool
	}{
		"matches":            {output, Failure{Messages: []string{"Error: Wrong token", "does not accept"}, Never: []string{"s3cret"}}, true},
		"no failure":         {nil, Failure{}, false},
		"message missing":    {output, Failure{Messages: []string{"Wrong token", "other"}}, false},
		"secret shown":       {output, Failure{Never: []string{"not accept"}}, false},
		"empty never":        {output, Failure{Never: []string{""}}, false},
		"secret over a wrap": {output, Failure{Never: []string{"not\naccept"}}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if err := test.want.check(test.failed); (err == nil) != test.ok {
				t.Error(err)
			}
		})
	}
}

// TestLong: against a real Kuscia, long tests need more than a missing -short.
func TestLong(t *testing.T) {
	endpoint := map[string]string{"KUSCIA_ENDPOINT": "https://kuscia.example:8082"}
	asked := map[string]string{"KUSCIA_ENDPOINT": "https://kuscia.example:8082", longVariable: "1"}
	for name, test := range map[string]struct {
		short bool
		env   map[string]string
		want  bool
	}{
		"sandbox, short":      {true, nil, false},
		"sandbox":             {false, nil, true},
		"real, short":         {true, endpoint, false},
		"real":                {false, endpoint, false},
		"real, asked, short":  {true, asked, false},
		"real, and asked for": {false, asked, true},
	} {
		if got := long(test.short, environment(test.env)); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
