package review_test

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testcert"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// shared is a plan that touches three domains.
func shared(t *testing.T) string {
	t.Helper()
	to := func(reader string) attributes { return with(toBob, "grant_domain", reader) }
	return planOf(t, nil,
		change("kuscia_domain_data_grant.carol", created, nil, to("carol")),
		change("kuscia_domain_data_grant.dave", created, nil, with(with(to("dave"), "domain_id", "carol"), "domaindata_id", "ages")),
		change("kuscia_serving.glm", updated, pair(party("a", recreate, attributes{"image": "sf:1"}), ofBob("a", attributes{"image": "sf:1", "replicas": 2})),
			pair(party("a", recreate, attributes{"image": "sf:2"}), ofBob("a", attributes{"image": "sf:1", "replicas": 3}))),
		change("kuscia_domain_route.r", created, nil, attributes{"source": "bob", "destination": "alice", "authentication_type": "Token", "endpoint": attributes{"host": "gateway.alice.example"}}),
		change("kuscia_app_image.a", updated, container("./serve"), container("./other")),
	)
}

// TestFor: a review for one organization has what concerns it, and what it has to do.
func TestFor(t *testing.T) {
	t.Parallel()
	for domain, test := range map[string]struct{ says, silent []string }{
		"alice": {
			[]string{
				"**Kuscia:** For `alice`, this plan begins the access of `carol` to `scores`, changes what the app image `a` runs, opens the route from `bob` to `alice` and interrupts the serving `glm`.", "- Interrupted: 1 serving (1 party)\n", "- To ask: `alice`: `@acme/alice`\n", "### What you have to do",
				"Agree that `carol` may see `scores` of `alice`: no end date, `3` uses |", "Have the image `sf:2` in the cluster of `alice` |",
				"Tell those who use the serving `glm`: interrupted: restarts", "Let `bob` reach `alice` at `gateway.alice.example` |", "| `./serve` | `./other` |",
			},
			[]string{"ages", "dave", "| `bob` | `sf:1`"},
		},
		"bob": {
			[]string{
				"For `bob`, this plan", "interrupts the serving `glm`", "Let the nodes of `bob` reach `alice` at `gateway.alice.example` |", "- Interrupted: 1 serving (1 party)\n",
				"Tell those who use the serving `glm`: it is interrupted, since pods of `alice` stop, or may do so |", "| `glm` | `alice` | `sf:1` → `sf:2` | `glm-1` | `1` | interrupted: restarts, because of", "|  | `bob` | `sf:1` |",
			},
			[]string{"ages", "carol", "Agree that", "sf:2` in the cluster"},
		},
		"dave":    {[]string{"For `dave`, this plan begins the access of `dave` to `ages`.", "- Gains access: `dave` (`ages` of `carol`: no end date, `3` uses)\n"}, []string{"glm", "scores", "do nothing"}},
		"mallory": {[]string{"Nothing changes for `mallory`."}, []string{"scores", "glm"}},
	} {
		t.Run(domain, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "CODEOWNERS")
			testfile.Write(t, file, "/domains/alice/ @acme/alice\n/domains/carol/ @carol\n")
			stdout, _ := program(t, 2, shared(t), "-for", domain, "-codeowners", file, "-fail-on", "grant")
			protocol.Says(t, "the review", stdout, test.says...)
			for _, text := range test.silent {
				if strings.Contains(stdout, text) {
					t.Errorf("%q is in\n%s", text, stdout)
				}
			}
			checkValid(t, stdout)
		})
	}
}

// checkValid: a review for one organization is no longer than any.
func checkValid(t *testing.T, markdown string) {
	t.Helper()
	if len(markdown) > maxBody || !strings.HasPrefix(markdown, "<!-- kuscia-review") {
		t.Errorf("%d bytes: %.100s", len(markdown), markdown)
	}
}

// TestDomains: the JSON has the domains that a plan touches, for jobs that ask each of them.
func TestDomains(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "CODEOWNERS")
	testfile.Write(t, file, "/domains/alice/ @acme/alice\n/carol.tf @carol @dan\n")
	stdout, _ := program(t, 0, shared(t), "-format", "json", "-codeowners", file)
	text := strings.Join(strings.Fields(stdout), "")
	protocol.Says(t, "the JSON", text, `"domains":["alice","bob","carol","dave"],"owners":{"alice":["@acme/alice"],"carol":["@carol","@dan"]}`)
	if _, stderr := program(t, 1, shared(t), "-codeowners", file+"x"); !strings.Contains(stderr, "reading the owners") {
		t.Error(stderr)
	}
}

// TestEveryone: who is told and asked is not only who an object names. Whom a change may be about, if
// that is not known, is everyone.
func TestEveryone(t *testing.T) {
	t.Parallel()
	hide := func(names ...string) attributes {
		marks := attributes{}
		for _, name := range names {
			marks[name] = true
		}
		return attributes{"before_sensitive": attributes{}, "after_sensitive": marks}
	}
	kept := change("kuscia_domain_data_grant.b", same, toBob, toBob)
	carol := change("kuscia_domain.carol", same, attributes{"domain_id": "carol"}, attributes{"domain_id": "carol"})
	in := with(scores, "datasource_id", "files")
	source := func(path string) attributes {
		return attributes{"datasource_id": "files", "domain_id": "alice", "type": "localfs", "localfs": attributes{"path": path}}
	}
	serving := change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))
	redeploy := attributes{"action_invocations": []any{attributes{"address": "action.kuscia_serving_redeploy.r", "type": "kuscia_serving_redeploy", "name": "r",
		"provider_name": "registry.terraform.io/terraform-kuscia/kuscia", "config_values": attributes{"serving_id": "glm"}}}}
	deferred := attributes{"deferred_changes": []any{attributes{"reason": "resource_config_unknown", "resource_change": change("kuscia_domain_data_grant.b", created, nil, toBob)}}}
	deferredSource := attributes{"deferred_changes": []any{attributes{"reason": "resource_config_unknown", "resource_change": change("kuscia_domain_data_source.f", updated, source("/a"), source("/b"))}}}
	deferredData := attributes{"deferred_changes": []any{attributes{"reason": "resource_config_unknown", "resource_change": change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a"), with(scores, "relative_uri", "b"))}}}
	readBefore := configured(nil, attributes{"address": "data.http.x", "mode": "data", "type": "http", "name": "x"})
	for name, test := range map[string]struct {
		fields  attributes
		changes []attributes
		domains string
		silent  string // one that nothing of the plan can be about
	}{
		"data of a grant that stays moves":                         {nil, []attributes{change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a"), with(scores, "relative_uri", "b")), kept, carol}, `["alice","bob","carol"],"owners":{},"everyone":true`, ""},
		"data of a grant that stays ends":                          {nil, []attributes{change("kuscia_domain_data.s", deleted, scores, nil), kept, carol}, `["alice","bob","carol"],"owners":{},"everyone":true`, ""},
		"data with its grant gets an id that is known after apply": {nil, []attributes{change("kuscia_domain_data.s", replaced, scores, without(scores, "domaindata_id"), unknown(attributes{"domaindata_id": true})), kept, carol}, `["alice","bob","carol"],"owners":{},"everyone":true`, ""},
		"only a comment of data of a grant":                        {nil, []attributes{change("kuscia_domain_data.s", updated, with(scores, "vendor", "a"), with(scores, "vendor", "b")), kept, carol}, `["alice"],"owners":{},"everyone":false`, "carol"},
		"a data source moves":                                      {nil, []attributes{change("kuscia_domain_data_source.f", updated, source("/a"), source("/b")), change("kuscia_domain_data.s", same, in, in), kept, carol}, `["alice","bob","carol"]`, ""},
		"hidden domains":                                           {nil, []attributes{change("kuscia_domain_data_grant.b", created, nil, toBob, hide("domain_id", "grant_domain")), carol}, `["carol"]`, ""},
		"a hidden reader":                                          {nil, []attributes{change("kuscia_domain_data_grant.b", created, nil, toBob, hide("grant_domain")), carol}, `["alice","carol"]`, ""},
		"hidden parties":                                           {nil, []attributes{change("kuscia_serving.glm", created, nil, glm(party("a")), hide("parties")), carol}, `["carol"]`, ""},
		"an action":                                                {redeploy, []attributes{serving, carol}, `["alice"]`, "carol"},
		"an action on what is not there":                           {redeploy, []attributes{carol}, `["carol"]`, ""},
		"an app image without users":                               {nil, []attributes{change("kuscia_app_image.a", updated, container("./a"), container("./b")), carol}, `["carol"]`, ""},
		"data of a grant that stays, in a change that is left":     {deferredData, []attributes{kept, carol}, `["alice","bob","carol"],"owners":{},"everyone":true`, ""},
		"a data source of granted data, in a change that is left":  {deferredSource, []attributes{change("kuscia_domain_data.s", same, in, in), kept}, `["alice","bob"]`, ""},
		"a third domain":                                           {nil, []attributes{change("kuscia_domain_route.r", created, nil, with(route, "transit", attributes{"domain_id": "carol"}))}, `["alice","bob","carol"]`, ""},
		"another master":                                           {nil, []attributes{change("kuscia_domain.a", updated, attributes{"domain_id": "alice"}, attributes{"domain_id": "alice", "master_domain_id": "carol"}), change("kuscia_domain.b", same, attributes{"domain_id": "bob"}, attributes{"domain_id": "bob"})}, `["alice","bob","carol"],"owners":{},"everyone":true`, ""},
		"a data source of granted data ends":                       {nil, []attributes{change("kuscia_domain_data_source.f", deleted, source("/a"), nil), change("kuscia_domain_data.s", same, in, in), kept}, `["alice","bob"]`, ""},
		"a change that is left":                                    {deferred, []attributes{carol}, `["alice","bob"]`, "carol"},
		"a program": {attributes{"configuration": attributes{"root_module": attributes{"resources": []any{attributes{"address": "terraform_data.x", "mode": "managed", "type": "terraform_data", "name": "x", "provisioners": []any{attributes{"type": "local-exec"}}}}}}},
			[]attributes{change("terraform_data.x", created, nil, attributes{}), carol}, `["carol"]`, ""},
		"granted data that others have changed":  {attributes{"resource_drift": []any{change("kuscia_domain_data.s", updated, with(scores, "relative_uri", "a"), with(scores, "relative_uri", "b"))}}, []attributes{kept, carol}, `["alice","bob","carol"],"owners":{},"everyone":true`, ""},
		"a grant that others have changed":       {attributes{"resource_drift": []any{change("kuscia_domain_data_grant.b", updated, toBob, once)}}, []attributes{carol}, `["alice","bob"]`, "carol"},
		"a data source that others have changed": {attributes{"resource_drift": []any{change("kuscia_domain_data_source.f", updated, source("/a"), source("/b"))}}, []attributes{change("kuscia_domain_data.s", same, in, in), kept, carol}, `["alice","bob","carol"]`, ""},
		"a resource of another provider":         {nil, []attributes{change("kubernetes_manifest.grant", created, nil, attributes{}, attributes{"provider_name": "registry.terraform.io/hashicorp/kubernetes"}), carol}, `["carol"],"owners":{},"everyone":true`, ""},
		"a value of another provider":            {nil, []attributes{change("random_id.a", created, nil, attributes{}, attributes{"provider_name": "registry.opentofu.org/hashicorp/random"}), carol}, `[],"owners":{},"everyone":false`, ""},
		"a value of a provider of that name":     {nil, []attributes{change("random_id.a", created, nil, attributes{}, attributes{"provider_name": "registry.terraform.io/evil/random"}), carol}, `["carol"],"owners":{},"everyone":true`, ""},
		"a data source of another provider":      {nil, []attributes{posted(nil), carol}, `["carol"],"owners":{},"everyone":true`, ""},
		"another state, at an address":           {nil, []attributes{posted(attributes{"type": "terraform_remote_state", "provider_name": "terraform.io/builtin/terraform"}), carol}, `["carol"],"owners":{},"everyone":true`, ""},
		"a data source that was read before":     {readBefore, []attributes{carol}, `[],"owners":{},"everyone":false`, "carol"},
		"a program of a removed block":           {nil, []attributes{change("terraform_data.x", deleted, attributes{}, nil), carol}, `["carol"]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			input := planOf(t, test.fields, test.changes...)
			stdout, _ := program(t, 0, input, "-format", "json")
			protocol.Says(t, "the JSON", strings.Join(strings.Fields(stdout), ""), `"domains":`+test.domains+`,`)
			if strings.Contains(stdout, `"(sensitive)":`) {
				t.Errorf("what is hidden is told something, as a domain:\n%s", stdout)
			}
			for _, domain := range []string{"alice", "bob", "carol"} {
				stdout, _ = program(t, 0, input, "-for", domain)
				if nothing := strings.Contains(stdout, "Nothing changes for"); nothing && strings.Contains(test.domains, domain) {
					t.Errorf("%s is told nothing:\n%s", domain, stdout)
				}
			}
			if test.silent != "" {
				stdout, _ = program(t, 0, input, "-for", test.silent)
				if !strings.Contains(stdout, "hanges nothing for `"+test.silent) && !strings.Contains(stdout, "Nothing changes for `"+test.silent) {
					t.Errorf("%s is told of what is about others:\n%s", test.silent, stdout)
				}
			}
		})
	}
}

// TestUnknownAudience: a review for a domain that the plan does not have says so, also where something changes for
// everyone.
func TestUnknownAudience(t *testing.T) {
	t.Parallel()
	var domains []attributes
	for _, name := range []string{"carol", "dave", "erin", "frank"} {
		domains = append(domains, change("kuscia_domain."+name, same, attributes{"domain_id": name}, attributes{"domain_id": name}))
	}
	grant := change("kuscia_domain_data_grant.b", created, nil, toBob)
	for name, test := range map[string]struct {
		changes []attributes
		domain  string
		says    string
	}{
		"a typing mistake":        {append(domains, grant), "bobb", "**Kuscia:** This plan does not have the domain `bobb`. It has `alice`, `bob`, `carol`, `dave`, `erin`, 1 more. Nothing changes for `bobb`."},
		"of another provider":     {[]attributes{grant, posted(nil)}, "bobb", "**Kuscia:** This plan does not have the domain `bobb`. It has `alice`, `bob`. For `bobb`, this plan reads `data.http.x`"},
		"a plan without domains":  {nil, "bob", "**Kuscia:** This plan does not have the domain `bob`. Nothing changes for `bob`."},
		"a hidden domain":         {[]attributes{change("kuscia_domain.b", same, attributes{"domain_id": "secretive"}, attributes{"domain_id": "secretive"}, attributes{"before_sensitive": attributes{"domain_id": true}, "after_sensitive": attributes{"domain_id": true}})}, "bob", "This plan does not have the domain `bob`. Nothing"},
		"a reader":                {[]attributes{grant}, "bob", "**Kuscia:** For `bob`, this plan begins"},
		"a domain that is as was": {append(domains, grant), "carol", "**Kuscia:** Nothing changes for `carol`."},
		"the source of a route":   {[]attributes{change("kuscia_domain_route.r", same, route, route)}, "alice", "**Kuscia:** Nothing changes for `alice`."},
		"a party":                 {[]attributes{change("kuscia_serving.glm", same, glm(party("a")), glm(party("a")))}, "alice", "**Kuscia:** Nothing changes for `alice`."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, nil, test.changes...), "-for", test.domain)
			protocol.Says(t, "the review", stdout, test.says)
		})
	}
}

// TestTrust: who trusts a domain is told that others may act as it from then on, and everyone is, since other
// configurations may trust it too.
func TestTrust(t *testing.T) {
	t.Parallel()
	alice := with(withAuth("Token", "RSA-GEN"), "cert", "x")
	toAlice := attributes{"domain_id": "bob", "domaindata_id": "salaries", "grant_domain": "alice"}
	bobs := change("kuscia_domain_data_grant.a", same, toAlice, toAlice)
	served := change("kuscia_serving.glm", same, pair(party("a"), ofBob("a")), pair(party("a"), ofBob("a")))
	routed := change("kuscia_domain_route.r", same, route, route)
	const ties = "may read `salaries`, is in the serving `glm` and has a route with `bob`"
	for name, test := range map[string]struct {
		change   attributes
		todo     string
		everyone bool
		failOn   string
	}{
		"another master":          {change("kuscia_domain.a", updated, alice, with(alice, "master_domain_id", "mallory")), "Agree that `mallory` controls `alice`, which " + ties, true, "grant"},
		"no authentication":       {change("kuscia_domain.a", updated, alice, with(alice, "auth_center", attributes{"authentication_type": "None"})), "Agree that anyone may act as `alice`, which " + ties, true, "grant"},
		"other authenticity":      {change("kuscia_domain.a", updated, alice, with(alice, "auth_center", attributes{"authentication_type": "MTLS"})), "Agree that the nodes of `alice` authenticate in another way (`Token` → `MTLS`), which " + ties, true, "grant"},
		"another key":             {change("kuscia_domain.a", updated, alice, with(alice, "cert", "y")), "Agree that who holds another key may act as `alice`, which " + ties, true, "grant"},
		"a new domain with a key": {change("kuscia_domain.a", created, nil, alice), "Agree that who holds another key may act as `alice`, which " + ties, false, "grant"},
		"a first key":             {change("kuscia_domain.a", updated, without(alice, "cert"), alice), "Agree that who holds another key may act as `alice`, which " + ties, true, "grant"},
		"a hidden key":            {change("kuscia_domain.a", updated, alice, with(alice, "cert", "y"), secretly(attributes{"cert": true})), "Agree that who holds another key may act as `alice`, which " + ties, true, "grant"},
		"a new domain":            {change("kuscia_domain.a", created, nil, with(without(alice, "cert"), "master_domain_id", "mallory")), "Agree that `mallory` controls `alice`, which " + ties, false, "grant"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			input := planOf(t, nil, test.change, bobs, served, routed)
			stdout, _ := program(t, 2, input, "-for", "bob", "-fail-on", test.failOn)
			protocol.Says(t, "the review", stdout, "For `bob`, this plan ", "| `bob` | "+test.todo+" |\n")
			stdout, _ = program(t, 0, input, "-for", "dave")
			if is := !strings.Contains(stdout, "Nothing changes for `dave`."); is != test.everyone {
				t.Errorf("everyone is told: %t\n%s", is, stdout)
			}
			stdout, _ = program(t, 0, input, "-format", "json")
			if is := strings.Contains(stdout, `"everyone": true`); is != test.everyone || !strings.Contains(strings.Join(strings.Fields(stdout), ""), `"domains":["alice","bob",`) && !strings.Contains(strings.Join(strings.Fields(stdout), ""), `"domains":["alice","bob"]`) {
				t.Errorf("everyone is %t\n%s", is, stdout)
			}
		})
	}
}

// TestTrustOfMany: a review of many domains that others may act as grows with their number, and not with its
// square: each who trusts some of them is told once.
func TestTrustOfMany(t *testing.T) {
	t.Parallel()
	var changes []attributes
	var parties []any
	alice := with(withAuth("Token", "RSA-GEN"), "cert", "x")
	for i := range 300 {
		domain := fmt.Sprint("d", i)
		parties = append(parties, with(party("a"), "domain_id", domain))
		was := with(alice, "domain_id", domain)
		changes = append(changes, change("kuscia_domain."+domain, updated, was, with(was, "cert", "y")))
	}
	serving := attributes{"serving_id": "glm", "initiator": "d0", "parties": parties}
	input := planOf(t, nil, append(changes, change("kuscia_serving.glm", same, serving, serving))...)
	stdout, _ := program(t, 0, input, "-format", "text")
	protocol.Says(t, "the review", stdout, `  "d0"    Agree to what is said above of 300 domains, for those that you trust`)
	if len(stdout) > 1000*len(parties) {
		t.Errorf("it has %d bytes", len(stdout))
	}
	stdout, _ = program(t, 0, input, "-for", "dave")
	if strings.Contains(stdout, "Nothing changes for `dave`.") {
		t.Errorf("not everyone is told:\n%s", stdout)
	}
}

// TestOutside: who trusts a domain is told that others have changed it, and nobody of the servings of others.
func TestOutside(t *testing.T) {
	t.Parallel()
	toAlice := attributes{"domain_id": "bob", "domaindata_id": "salaries", "grant_domain": "alice"}
	input := planOf(t, attributes{"resource_drift": []any{
		change("kuscia_domain.a", updated, attributes{"domain_id": "alice"}, attributes{"domain_id": "alice", "master_domain_id": "mallory"}),
		change("kuscia_serving.glm", updated, glm(party("a")), glm(party("a", attributes{"replicas": 0}))),
	}}, change("kuscia_domain_data_grant.a", same, toAlice, toAlice))
	for domain, test := range map[string]struct{ says, silent string }{
		"alice": {"interrupts the serving `glm`", "which may read"},
		"bob":   {"| `bob` | Ask who has changed the domain `alice` outside of this plan: its master: `mallory` instead of `alice` |", "glm"},
		"dave":  {"Outside of this plan, somebody puts another master over the domain `alice`", "glm"},
	} {
		stdout, _ := program(t, 0, input, "-for", domain)
		protocol.Says(t, "the review for "+domain, stdout, test.says, "- Another master controls what runs there, who joins and who gets the data: `alice` (`mallory` instead of `alice`) (outside of this plan)\n")
		if strings.Contains(stdout, test.silent) {
			t.Errorf("%q is in the review for %s:\n%s", test.silent, domain, stdout)
		}
	}
	stdout, _ := program(t, 0, input, "-format", "json")
	protocol.Says(t, "the JSON", stdout, `"everyone": true`)
}

// TestKeys: what is no other key of a domain is no matter of others.
func TestKeys(t *testing.T) {
	t.Parallel()
	domain := func(cert any) attributes { return attributes{"domain_id": "alice", "cert": cert} }
	cert, _ := testcert.Pair(t, "a")
	config := configured(map[string]string{"kuscia_domain.a": "kuscia.a"})
	for name, input := range map[string]string{
		"another encoding":          planOf(t, nil, change("kuscia_domain.a", updated, domain(cert), domain(base64.StdEncoding.EncodeToString([]byte(cert))))),
		"the first one of a node":   planOf(t, attributes{"resource_drift": []any{change("kuscia_domain.a", updated, domain(nil), domain("x"))}}),
		"one that a node will have": planOf(t, config, change("kuscia_domain.a", updated, domain(nil), with(domain(nil), "role", "partner"), unknown(attributes{"cert": true}))),
		"a new domain":              planOf(t, nil, change("kuscia_domain.a", created, nil, domain("x"))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, input, "-format", "json", "-fail-on", "grant")
			if strings.Contains(stdout, `"everyone": true`) || strings.Contains(stdout, "another key") {
				t.Error(stdout)
			}
		})
	}
}

// TestOwnCertificate: only whose certificate it is compares it, and nobody one that is removed.
func TestOwnCertificate(t *testing.T) {
	t.Parallel()
	mtls := func(cert, ca string) attributes {
		r := attributes{"source": "alice", "destination": "bob", "authentication_type": "MTLS"}
		config := attributes{"source_client_cert": cert}
		if ca != "" {
			config["tls_ca"] = ca
		}
		return with(r, "mtls_config", config)
	}
	input := planOf(t, nil, change("kuscia_domain_route.r", updated, mtls("a", "c"), mtls("b", "")))
	for domain, want := range map[string]int{"alice": 1, "bob": 0} {
		stdout, _ := program(t, 0, input, "-for", domain)
		if n := strings.Count(stdout, "Compare the fingerprint"); n != want {
			t.Errorf("%s compares %d certificates, want %d:\n%s", domain, n, want, stdout)
		}
	}
}
