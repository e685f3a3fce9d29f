package versions

import (
	"strings"
	"testing"
)

// TestTexts: pages mark a bound that was not tried, messages do not.
func TestTexts(t *testing.T) {
	texts := Pages()
	for _, test := range []struct{ got, want string }{
		{AppImageAPI.Sentence(), "The AppImage API needs Kuscia v0.13 or later."},
		{DataSourceList.Sentence(), "The list of data sources needs Kuscia v0.9 or later (read in its source, not tried)."},
		{DataSourceList.Message(), "The list of data sources needs Kuscia v0.9 or later."},
		{DataSourceList.Before(), "before v0.9"},
		{NamedEndpoints.Before(), "before v0.5.0.dev231215"},
		{TypeDameng.Before(), "up to v1.1.0b0"},
		{texts["kuscia before data-source-list"], "before v0.9 (read in its source, not tried)"},
		{texts["kuscia before app-image-api"], "before v0.13"},
		{texts["kuscia needs app-image-api"], "v0.13 or later"},
		{texts["kuscia zh needs app-image-api"], "v0.13 或更高版本"},
		{texts["kuscia zh needs data-source-list"], "v0.9 或更高版本，依据源代码，未经试用"},
		{Parse(Newest).Series(), texts["kuscia newest"]},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	for _, line := range []string{"| v0.9 | Reading data sources through the master \\*; ", "| later than v1.1.0b0 | The type dameng of data sources \\* |\n| v1.1 | `affinity_mode`"} {
		if !strings.Contains(texts["kuscia features"], line) {
			t.Errorf("%q is not in\n%s", line, texts["kuscia features"])
		}
	}
}
