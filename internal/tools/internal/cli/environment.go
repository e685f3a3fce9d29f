package cli

import (
	"os"
	"strings"
)

// TestEnv is the environment of acceptance tests that use this CLI.
func (c CLI) TestEnv() []string {
	return append(neutral(),
		"TF_ACC=1",
		PathVariable+"="+c.Path,
		// The test framework announces the provider under this host only.
		"TF_ACC_PROVIDER_HOST="+c.RegistryHost(),
	)
}

// CleanEnv is the given environment without what changes the behaviour of a
// CLI or of the provider behind the back of a program that runs them.
func CleanEnv(environ []string) []string {
	var clean []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "TF_") || strings.HasPrefix(name, "KUSCIA_") {
			continue
		}
		clean = append(clean, variable)
	}
	return append(clean, neutral()...)
}

// neutral keeps a CLI from asking for news and from reading the user's own
// settings, which may name a file that is not there.
func neutral() []string {
	return []string{"CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE=" + os.DevNull}
}
