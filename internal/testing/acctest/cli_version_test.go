package acctest

import "testing"

func TestOtherThan(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"Terraform v1.14.0\non linux_amd64\n":          "",
		"Terraform v1.14.0-beta2\non linux_amd64\n":    "",
		"Terraform v1.17.0-dev\non linux_amd64\n":      "",
		"Terraform v1.11.4\non linux_amd64\n\nYour v…": "Terraform 1.11.4",
		"OpenTofu v1.15.0\non linux_amd64\n":           "OpenTofu 1.15.0",
	} {
		if got, err := otherThan(output, ">= 1.14.0"); got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", output, got, err, want)
		}
	}
	for output, want := range map[string]string{"Terraform v1.11.4\n": "", "Terraform v1.12.0\n": "Terraform 1.12.0"} {
		if got, err := otherThan(output, "~> 1.11.0"); got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", output, got, err, want)
		}
	}
	for _, output := range []string{"GNU bash, version 5", "Terraform vX"} {
		if got, err := otherThan(output, ">= 1.14.0"); err == nil {
			t.Errorf("%q: got %q and no error", output, got)
		}
	}
}
