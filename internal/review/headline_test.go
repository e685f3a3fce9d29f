package review_test

import (
	"strings"
	"testing"
)

// TestHeadlines: who reads the first line only is not misled: it says what the lines below it say, in
// plain words.
func TestHeadlines(t *testing.T) {
	t.Parallel()
	domain := func(cert string) attributes { return attributes{"domain_id": "alice", "cert": cert} }
	route := attributes{"source": "alice", "destination": "bob", "authentication_type": "MTLS"}
	weight := func(n int) attributes { return with(weighted, "strategy", attributes{"weight": n}) }
	key := func(version int) attributes { return attributes{"key": "k", "value_wo_version": version} }
	for name, test := range map[string]struct {
		changes  []attributes
		headline string
	}{
		"access that ends": {
			[]attributes{change("kuscia_domain_data_grant.b", deleted, toBob, nil)},
			"This plan ends the access of `bob` to `scores` (as far as this plan knows).",
		},
		"data that takes its grants with it": {
			[]attributes{change("kuscia_domain_data.s", deleted, scores, nil)},
			"This plan removes the data `scores` (which ends all grants of it).",
		},
		"several grants that give the same": {
			[]attributes{change("kuscia_domain_data_grant.b", deleted, toBob, nil), change("kuscia_domain_data_grant.c", deleted, toBob, nil), change("kuscia_domain_data_grant.d", deleted, with(toBob, "grant_domain", "carol"), nil)},
			"This plan ends the access of `bob` to `scores` and `carol` to `scores` (as far as this plan knows).",
		},
		"a reader and data that are not known": {
			[]attributes{change("kuscia_domain_data_grant.b", created, nil, attributes{"domain_id": "alice"}, unknown(attributes{"grant_domain": true, "domaindata_id": true}))},
			"This plan begins the access of a reader that is known after apply to data that is known after apply.",
		},
		"a grant that is replaced": {
			[]attributes{change("kuscia_domain_data_grant.b", replaced, toBob, toBob)},
			"This plan interrupts the access of `bob` to `scores` (grants are deleted and created again).",
		},
		"a certificate": {
			[]attributes{change("kuscia_domain.a", updated, domain("x"), domain(""))},
			"This plan changes the certificate `cert` of the domain `alice` (removed).",
		},
		"a certificate that is not known yet": {
			[]attributes{change("kuscia_domain.a", updated, domain("x"), attributes{"domain_id": "alice"}, unknown(attributes{"cert": true}))},
			"This plan lets the holder of another key act as the domain `alice` (another one, which is known after apply).",
		},
		"certificates of a route": {
			[]attributes{change("kuscia_domain_route.r", replaced, with(route, "mtls_config", attributes{"tls_ca": "x", "source_client_cert": "x"}), with(route, "mtls_config", attributes{"tls_ca": "y"}))},
			"This plan lets another CA say who gets the requests of the route from `alice` to `bob` (another value), replaces the route from `alice` to `bob` (requests fail in between) and changes the certificate `mtls_config.source_client_cert` of the route from `alice` to `bob` (removed).",
		},
		"a secret": {
			[]attributes{change("kuscia_config.k", updated, key(1), key(2))},
			"This plan changes the entry `k` (which data sources of other configurations may use) and changes the secret `value` of the configuration entry `k` (version `1` → `2`).",
		},
		"a new serving": {
			[]attributes{change("kuscia_serving.glm", created, nil, pair(party("a"), ofBob("a")))},
			"This plan starts the serving `glm`.",
		},
		"a party that a serving gets": {
			[]attributes{change("kuscia_serving.glm", updated, glm(party("a")), pair(party("a"), ofBob("a")))},
			"This plan adds the party of `bob` to the serving `glm`.",
		},
		"parties that a serving gets and that scales": {
			[]attributes{change("kuscia_serving.glm", updated, glm(party("a")), glm(nil, attributes{"parties": attributes{
				"alice": party("a", attributes{"replicas": 2}), "bob": ofBob("a"), "carol": party("a", attributes{"domain_id": "carol"}),
			}}))},
			"This plan adds the parties of `bob` and `carol` to the serving `glm` and scales the serving `glm`.",
		},
		"a serving that is replaced for a party": {
			[]attributes{change("kuscia_serving.glm", replaced, glm(party("a")), pair(party("a"), ofBob("a")))},
			"This plan interrupts the serving `glm` and adds the party of `bob` to the serving `glm`.",
		},
		"parties that are not shown": {
			[]attributes{change("kuscia_serving.glm", updated, glm(party("a")), pair(party("a"), ofBob("a")), secretly(attributes{"parties": true}))},
			"This plan changes the secret `parties` of the serving `glm` (another value) and adds a party to the serving `glm`.",
		},
		"a party whose domain is not shown": {
			[]attributes{change("kuscia_serving.glm", updated, glm(party("a")), pair(party("a"), ofBob("a")), secretly(attributes{"parties": attributes{"bob": attributes{"domain_id": true}}}))},
			"This plan changes the secret `parties.bob.domain_id` of the serving `glm` (set) and adds the party of (sensitive) to the serving `glm`.",
		},
		"requests that go elsewhere": {
			[]attributes{change("kuscia_traffic_routing.d", updated, weight(0), weight(100))},
			"This plan changes the routing of requests of `alice/d` (to the new version: all requests, before no requests).",
		},
		"a routing that is removed": {
			[]attributes{change("kuscia_traffic_routing.d", deleted, weight(20), nil)},
			"This plan changes the routing of requests of `alice/d` (removed; to the new version until then: `20` of 100 requests).",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, headline, _ := strings.Cut(build(t, planOf(t, nil, test.changes...)).Markdown(), "**Kuscia:** ")
			if headline, _, _ = strings.Cut(headline, "\n"); headline != test.headline {
				t.Errorf("the headline is %s\nwant %s", headline, test.headline)
			}
		})
	}
}
