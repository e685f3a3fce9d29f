package providerlint

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestAnalyzers runs each analyzer on the package with its name in testdata,
// which contains valid and invalid cases; "want" comments are the expected
// reports.
func TestAnalyzers(t *testing.T) {
	t.Parallel()
	for _, analyzer := range Analyzers() {
		t.Run(analyzer.Name, func(t *testing.T) {
			t.Parallel()
			analysistest.Run(t, analysistest.TestData(), analyzer, analyzer.Name)
		})
	}
}
