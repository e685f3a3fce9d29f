package fastpath

import (
	"os"
	"strings"
)

// LogsEnabled reports whether one of Terraform's TF_LOG variables is set.
// Otherwise the CLI discards the logs of a provider.
func LogsEnabled(environ []string) bool {
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case name == "TF_LOG_PATH", name == "TF_LOG_PATH_MASK", value == "", strings.EqualFold(value, "off"):
		case name == "TF_LOG", strings.HasPrefix(name, "TF_LOG_"), strings.HasPrefix(name, "TF_ACC_LOG"), name == "TF_TEMP_LOG_PATH":
			return true
		}
	}
	return false
}

// SilenceLogs turns the loggers of the libraries off. They would format every
// line before it is discarded, which takes a tenth of the time of a plan.
func SilenceLogs(provider string) error {
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_" + strings.ToUpper(provider)} {
		if err := os.Setenv(name, "off"); err != nil {
			return err
		}
	}
	return nil
}
