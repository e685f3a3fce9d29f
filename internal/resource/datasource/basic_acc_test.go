package datasource_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// attrs is an object in a configuration.
type attrs = map[string]any

const planted = "planted-password-51c7"

// TestAccDataSource_generated: the configuration that Terraform generates has no password. It is
// valid and changes nothing; an update of something else keeps what Kuscia has, and no
// replacement loses it.
func TestAccDataSource_generated(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice"})
	key := kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: "db"}
	request := kuscia.DomainDataSourceRequest{
		DomainID: key.DomainID, DataSourceID: key.DataSourceID, Type: kuscia.DataSourceMySQL,
		Info: &kuscia.DataSourceInfo{Database: &kuscia.DatabaseInfo{Endpoint: "db.example:3306", Password: planted}},
	}
	if _, err := e.API.CreateDomainDataSource(t.Context(), &request); err != nil {
		t.Fatal(err)
	}
	w, plan := e.ImportGenerated(t, map[string]string{"kuscia_domain_data_source.db": "alice/db"})
	if strings.Contains(plan, planted) {
		t.Errorf("the plan shows a password:\n%s", plan)
	}
	// Not every version of Terraform writes an attribute that the server may set.
	generated := regexp.MustCompile(`(?m)^  access_directly .*\n`).ReplaceAllString(w.Read("generated.tf"), "")
	w.Write("generated.tf", regexp.MustCompile(`(?m)^  domain_id .*\n`).ReplaceAllString(generated, "$0  access_directly = true\n"))
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	if said := w.Run(1, "plan", "-input=false", "-no-color", "-replace=kuscia_domain_data_source.db"); !strings.Contains(said, "Replacement would lose a write-only value") {
		t.Errorf("a replacement that would lose the password says %s", said)
	}
	found, err := e.API.QueryDomainDataSource(t.Context(), key)
	if err != nil || !found.AccessDirectly || found.Info.Database.Password != planted {
		t.Errorf("it is %+v after the update: %v", found, err)
	}
}

// TestAccDataSource_ignored: ignore_changes, of everything or of a write-only attribute, keeps what
// somebody else has made of the secret: in plans, in an update of another attribute, and in a
// destroy. A CLI plans with null for such a value, and applies what is written.
func TestAccDataSource_ignored(t *testing.T) {
	t.Parallel()
	acctest.RequireWriteOnly(t)
	e := acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice"})
	ignoring := func(what string) acctest.Nested { return acctest.Nested{"ignore_changes": acctest.Reference(what)} }
	entry := func(key, ignored string) string {
		return acctest.Block("kuscia_config", key, attrs{"key": key, "value_wo": "written", "value_wo_version": 1, "lifecycle": ignoring(ignored)})
	}
	config := func(name string, password any, ignored string) string {
		return acctest.RequiredProvider + entry("all", "all") + entry("attribute", "[value_wo]") +
			acctest.Block("kuscia_domain_data_source", "db", attrs{
				"domain_id": "alice", "datasource_id": "db", "name": name, "type": "mysql",
				"database":  attrs{"endpoint": "db.example:3306", "password_wo": password, "password_wo_version": 1},
				"lifecycle": ignoring(ignored),
			})
	}
	w := e.Initialized(t, config("one", "written", "[database.password_wo]"))
	w.Apply()
	for _, key := range []string{"all", "attribute"} {
		e.Sandbox.PutConfigValue(key, "rotated")
	}
	request := kuscia.DomainDataSourceRequest{
		DomainID: "alice", DataSourceID: "db", Type: kuscia.DataSourceMySQL,
		Info: &kuscia.DataSourceInfo{Database: &kuscia.DatabaseInfo{Endpoint: "db.example:3306", Password: planted}},
	}
	if err := e.API.UpdateDomainDataSource(t.Context(), &request); err != nil {
		t.Fatal(err)
	}
	w.Plan(acctest.PlanEmpty)
	w.Write("main.tf", config("two", "written", "[database.password_wo]"))
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	found, err := e.API.QueryDomainDataSource(t.Context(), kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: "db"})
	if err != nil || found.Name != "two" || found.Info.Database.Password != planted {
		t.Errorf("after the update of another attribute it is %+v: %v", found, err)
	}
	for _, key := range []string{"all", "attribute"} {
		if value, _ := e.Sandbox.ConfigValue(key); value != "rotated" {
			t.Errorf("the entry %q has %q", key, value)
		}
	}
	w.Write("main.tf", config("two", nil, "all"))
	said := w.Run(1, "plan", "-input=false", "-replace=kuscia_domain_data_source.db")
	if !strings.Contains(said, "Missing value") || !strings.Contains(said, "database.password_wo is null") {
		t.Errorf("a replacement without the password says %s", said)
	}
	w.Run(0, "destroy", "-auto-approve", "-input=false")
	if value, _ := e.Sandbox.ConfigValue("all"); value != "" {
		t.Errorf("after the destroy the entry has %q", value)
	}
}
