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

// newEnv is a node of alice.
func newEnv(tb testing.TB) *acctest.Env {
	tb.Helper()
	return acctest.NewSandbox(tb, sandbox.Options{Autonomy: "alice"})
}

// TestAccDataSource_generated: the configurations that Terraform generates have no
// keys and passwords. They are valid and change nothing; an update of something
// else keeps what Kuscia has.
func TestAccDataSource_generated(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	base := kuscia.DomainDataSourceRequest{DomainID: "alice"}
	ids := map[string]string{"kuscia_domain_data_source.default": "alice/" + kuscia.DefaultDataSource}
	for kind, info := range map[string]kuscia.DataSourceInfo{
		kuscia.DataSourceMySQL: {Database: &kuscia.DatabaseInfo{Endpoint: "db.example:3306", Password: planted}},
		kuscia.DataSourceOSS:   {OSS: &kuscia.OSSInfo{Endpoint: "oss.example", Bucket: "b", AccessKeyID: "i", AccessKeySecret: planted}},
		kuscia.DataSourceODPS:  {ODPS: &kuscia.ODPSInfo{Endpoint: "http://odps.example", Project: "p", AccessKeyID: "i", AccessKeySecret: planted}},
	} {
		request := base
		request.DataSourceID, request.Type, request.Info = kind, kind, &info
		if _, err := e.API.CreateDomainDataSource(t.Context(), &request); err != nil {
			t.Fatal(err)
		}
		ids["kuscia_domain_data_source."+kind] = "alice/" + kind
	}
	w, plan := e.ImportGenerated(t, ids)
	if strings.Contains(plan, planted) {
		t.Errorf("the plan shows a password:\n%s", plan)
	}
	// Not every version of Terraform writes an attribute that the server may set.
	generated := regexp.MustCompile(`(?m)^  access_directly .*\n`).ReplaceAllString(w.Read("generated.tf"), "")
	w.Write("generated.tf", regexp.MustCompile(`(?m)^  domain_id .*\n`).ReplaceAllString(generated, "$0  access_directly = true\n"))
	trigger := func(input string) {
		w.Write("trigger.tf", acctest.Block("terraform_data", "trigger", map[string]any{"input": input}))
	}
	trigger("1")
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	refused := "Replacement would lose a write-only value"
	if said := w.Run(1, "plan", "-input=false", "-no-color", "-replace=kuscia_domain_data_source.mysql"); !strings.Contains(said, refused) {
		t.Errorf("a replacement that would lose the password says %s", said)
	}
	trigger("2")
	w.Write("generated.tf", strings.Replace(w.Read("generated.tf"), "\"mysql\" {", "\"mysql\" {\n  lifecycle {\n    replace_triggered_by = [terraform_data.trigger]\n  }", 1))
	if said := w.Run(1, "plan", "-input=false", "-no-color"); !strings.Contains(said, refused) {
		t.Errorf("replace_triggered_by says %s", said)
	}
	trigger("1") // a destroy begins with a plan
	for _, kind := range []string{kuscia.DataSourceMySQL, kuscia.DataSourceOSS, kuscia.DataSourceODPS} {
		found, err := e.API.QueryDomainDataSource(t.Context(), kuscia.DomainDataSourceKey{DomainID: "alice", DataSourceID: kind})
		if err != nil {
			t.Fatal(err)
		}
		secrets := found.Info
		if !found.AccessDirectly || secrets.Database != nil && secrets.Database.Password != planted || secrets.OSS != nil && secrets.OSS.AccessKeySecret != planted || secrets.ODPS != nil && secrets.ODPS.AccessKeySecret != planted {
			t.Errorf("%s is %+v after the update", kind, found)
		}
	}
}
