package apierror

import "testing"

// TestError: what an error says, and whether a server has answered.
func TestError(t *testing.T) {
	t.Parallel()
	for want, test := range map[string]struct {
		err      Error
		answered bool
	}{
		`serving/query`:                                  {Error{Op: "serving/query"}, false},
		`serving/query "a": code 11100: no`:              {Error{Op: "serving/query", ID: "a", Code: "11100", Message: "no", HTTPStatus: 200, Attempts: 1}, true},
		`serving/query "a": HTTP 300 (after 2 attempts)`: {Error{Op: "serving/query", ID: "a", HTTPStatus: 300, Attempts: 2}, true},
		`serving/query: HTTP 200: no JSON`:               {Error{Op: "serving/query", HTTPStatus: 200, Message: "no JSON"}, false},
	} {
		if got := test.err.Error(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
		if Answered(&test.err) != test.answered {
			t.Errorf("%s: answered: %t", want, !test.answered)
		}
	}
}
