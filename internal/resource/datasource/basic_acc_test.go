package datasource_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

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
