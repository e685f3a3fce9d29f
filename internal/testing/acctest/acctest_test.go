package acctest

import (
	"errors"
	"testing"
)

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
