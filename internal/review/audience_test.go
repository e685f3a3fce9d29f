package review_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
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
			[]string{"For `bob`, this plan", "Let the nodes of `bob` reach `alice` at `gateway.alice.example` |"},
			[]string{"ages", "carol", "Agree that", "- Interrupted", "sf:2` in the cluster"},
		},
		"dave":    {[]string{"For `dave`, this plan begins the access of `dave` to `ages`.", "- Gains access: `dave` (`ages` of `carol`: no end date, `3` uses)\n"}, []string{"glm", "scores", "do nothing"}},
		"mallory": {[]string{"**Kuscia:** Nothing changes for `mallory`."}, []string{"scores", "glm"}},
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
