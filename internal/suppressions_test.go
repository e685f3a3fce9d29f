package internal_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// suppression matches the linters that a comment suppresses.
var suppression = regexp.MustCompile(`//nolint:([\w,]+)`)

// TestSuppressions: a comment that suppresses a linter names one that runs, in every module.
func TestSuppressions(t *testing.T) {
	t.Parallel()
	var config struct {
		Linters struct {
			Enable []string `yaml:"enable"`
		} `yaml:"linters"`
	}
	if err := yaml.Unmarshal([]byte(testfile.Read(t, filepath.Join("..", ".golangci.yml"))), &config); err != nil {
		t.Fatal(err)
	}
	found := 0
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" {
			return err
		}
		for _, match := range suppression.FindAllStringSubmatch(testfile.Read(t, file), -1) {
			for linter := range strings.SplitSeq(match[1], ",") {
				found++
				if !slices.Contains(config.Linters.Enable, linter) {
					t.Errorf("%s suppresses %s, which is not enabled", file, linter)
				}
			}
		}
		return nil
	})
	if err != nil || found < 20 {
		t.Errorf("%d suppressions were found: %v", found, err)
	}
}
