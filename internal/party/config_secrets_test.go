package party_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestDescribeConfigSecrets: the keys are named, their values are not.
func TestDescribeConfigSecrets(t *testing.T) {
	t.Parallel()
	if said := party.DescribeConfigSecrets("input_config", `{"model":"glm"}`); said != "" {
		t.Error(said)
	}
	var pairs []string
	for i := range 9 {
		pairs = append(pairs, fmt.Sprintf(`"s%d":{"secret_key":"hidden%d"}`, i, i))
	}
	said := party.DescribeConfigSecrets("input_config", "{"+strings.Join(pairs, ",")+"}")
	protocol.Says(t, "the warning", said, `"s0.secret_key"`, `"s4.secret_key"`, "and 4 more", "input_config_wo")
	if strings.Contains(said, "hidden") || strings.Contains(said, "s5") {
		t.Error(said)
	}
}
