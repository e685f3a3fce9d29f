package cli

import (
	"os"
	"strings"
)

// TestEnv returns the environment of acceptance tests that use this CLI.
func (c CLI) TestEnv() []string {
	return append(neutral(),
		"TF_ACC=1",
		PathVariable+"="+c.Path,
		// The test framework announces the provider only under this host.
		"TF_ACC_PROVIDER_HOST="+c.RegistryHost(),
	)
}

// CleanEnv returns the given environment without variables that change the
// behavior of a CLI or of the provider.
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

// neutral disables a CLI's version check and the user's CLI configuration,
// which may refer to a missing file.
func neutral() []string {
	return []string{"CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE=" + os.DevNull}
}
