package secrets_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// TestMaskedPath: in a path a secret hides no more than its part, also when it is masked once more.
func TestMaskedPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a/password=b/../../hr/salaries.csv":        "a/password=***/../../hr/salaries.csv",
		"secret=x/../hr/salaries.csv":               "secret=***/../hr/salaries.csv",
		"--password x/../../hr/salaries.csv":        "--password ***/../../hr/salaries.csv",
		"Authorization: Bearer x123/../hr/salaries": "Authorization: Bearer ***/../hr/salaries",
		"s3://pub/a.csv;/../../hr/b.csv":            "s3://pub/a.csv;/../../hr/b.csv",
		"s3://pub/a.csv;x1/../../hr/b.csv":          "s3://pub/a.csv;***/../../hr/b.csv",
		"p:x1@a#/../../hr/b.csv":                    "***@a#/../../hr/b.csv",
		"s3://key:x1@pub/a.csv?v=2":                 "s3://***@pub/a.csv?v=***",
		"s3://key:x1/x2@pub:1/a.csv":                "s3://key:***/***@pub:1/a.csv",
		"http://pub:80/a@2.csv":                     "http://pub:80/a@2.csv",
		"http://x1@pub/a.csv":                       "http://***@pub/a.csv",
		"hr/a@2.csv":                                "hr/a@2.csv",
		"https://b/a.csv?c=AK%2F1&s=x1":             "https://b/a.csv?c=***&s=***",
		"a/b?x=://user:x1@c/../hr":                  "a/b?x=***//***@c/../hr",
		"a:b/c":                                     "a:b/c",
	} {
		if got := secrets.MaskedPath(path); got != want || secrets.Masked(got) != want || secrets.Has(got) {
			t.Errorf("%s, masked again %s, has more: %t", got, secrets.Masked(got), secrets.Has(got))
		}
	}
}
