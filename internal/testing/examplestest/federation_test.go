package examplestest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func testDomainRoute(t *testing.T, e example) {
	env := fixedNames(t)
	manage(t, env, e, "", "kuscia_domain_route.alice_to_bob", map[string]string{"kuscia_domain_route.bob_to_alice": "bob/alice"}).importAll(t)
	for _, key := range []kuscia.DomainRouteKey{{Source: "alice", Destination: "bob"}, {Source: "bob", Destination: "alice"}} {
		if _, err := env.API.QueryDomainRoute(t.Context(), key); !errors.Is(err, kuscia.ErrNotFound) {
			t.Errorf("the route %v is left: %v", key, err)
		}
	}
}

func testConfig(t *testing.T, e example) {
	env := fixedNames(t)
	manage(t, env, e, "access_key_secret = \"secret\"\n", "kuscia_config.oss", nil).importAll(t)
	if _, left := env.Sandbox.ConfigValue("oss-credentials"); left {
		t.Error("the entry is left")
	}
}

func testCertificate(t *testing.T, e example) {
	acctest.RequireWriteOnly(t)
	env := fixedNames(t)
	step := e.apply(t)
	step.Check = func(*terraform.State) error {
		stored, _ := env.Sandbox.ConfigValue("gateway-certificate")
		var made struct {
			Key   string
			Chain []string
		}
		if err := json.Unmarshal([]byte(stored), &made); err != nil || made.Key == "" || len(made.Chain) != 2 {
			return fmt.Errorf("the node has %q (%w)", stored, err)
		}
		return nil
	}
	testReading(t, env, step)
}
