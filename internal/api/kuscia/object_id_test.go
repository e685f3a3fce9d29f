package kuscia

import (
	"strings"
	"testing"
)

func TestCheckObjectID(t *testing.T) {
	t.Parallel()
	for id, ok := range map[string]bool{
		"alice": true, "a.b-c": true, "0": true, strings.Repeat("a", 63): true,
		"": false, "A": false, "a_b": false, "a..b": false, "a.-b": false, "-a": false, "a-": false, "a/b": false,
		strings.Repeat("a", 64): false, "é": false,
	} {
		if problem := CheckObjectID(id); (problem == "") != ok {
			t.Errorf("%q: %q", id, problem)
		}
	}
}

// TestNewObjectID: generated ids are valid and unique for any text.
func TestNewObjectID(t *testing.T) {
	t.Parallel()
	for of, begins := range map[string]string{
		"": "id-", "Credit Scores.csv": "credit-scores-csv-", "数据": "id-", "007": "id-", "--": "id-", "my/s(ql)": "my-sql-",
		strings.Repeat("ab", 40): strings.Repeat("ab", 12) + "-", "aaaaaaaaaaaaaaaaaaaaaaa-b": "aaaaaaaaaaaaaaaaaaaaaaa-",
	} {
		id := NewObjectID(of)
		if problem := CheckObjectID(id); problem != "" || !strings.HasPrefix(id, begins) || id == NewObjectID(of) {
			t.Errorf("of %q: %q: %s", of, id, problem)
		}
	}
}
