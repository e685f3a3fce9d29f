package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
)

// TestCompareDomains: the oldest domains with tokens tell whether the cluster is that of the KusciaAPI.
func TestCompareDomains(t *testing.T) {
	t.Parallel()
	const (
		refused   = `{"status":{"code":11100,"message":"domain a can't query domain b"}}`
		notServed = "404 page not found"
		forbidden = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"domains.kuscia.secretflow is forbidden: User \"u\" cannot list resource \"domains\""}`
	)
	noDomain := func(id string) string {
		return fmt.Sprintf(`{"status":{"code":11305,"message":"domains.kuscia.secretflow \"%s\" not found"}}`, id)
	}
	query := func(id, role, token string) string {
		return fmt.Sprintf(`{"status":{"code":0},"data":{"domain_id":%q,"role":%q,"deploy_token_statuses":[%s]}}`, id, role, token)
	}
	token := func(token string) string { return fmt.Sprintf(`{"token":%q,"state":"unused"}`, token) }
	// A domain of the cluster, created at an hour.
	domain := func(name string, hour int, role string, tokens ...string) string {
		return fmt.Sprintf(`{"metadata":{"name":%q,"creationTimestamp":"2026-01-08T%02d:00:00Z"},"spec":{"role":%q},"status":{"deployTokenStatuses":[%s]}}`,
			name, hour, role, strings.Join(tokens, ","))
	}
	alice := domain("alice", 1, "", token("a"))
	for name, c := range map[string]struct {
		cluster []string
		kuscia  map[string]string // responses by domain; without one there is none
		match   ClusterMatch
		fails   bool
	}{
		"no domains":         {nil, nil, ClusterUnknown, false},
		"no tokens":          {[]string{domain("alice", 1, "partner")}, nil, ClusterUnknown, false},
		"an empty token":     {[]string{domain("alice", 1, "", token(""))}, nil, ClusterUnknown, false},
		"no kind of domains": {[]string{notServed}, nil, ClusterUnknown, false},
		"no list":            {[]string{"<html>"}, nil, ClusterUnknown, true},
		"not listed":         {[]string{forbidden}, nil, ClusterUnknown, false},
		"the same token":     {[]string{alice}, map[string]string{"alice": query("alice", "", token("a"))}, ClusterSame, false},
		"one of several":     {[]string{domain("alice", 1, "", token("a"), token("b"))}, map[string]string{"alice": query("alice", "", token("c")+","+token("b"))}, ClusterSame, false},
		"another token":      {[]string{alice}, map[string]string{"alice": query("alice", "", token("b"))}, ClusterOther, false},
		"another role":       {[]string{alice}, map[string]string{"alice": query("alice", "partner", "")}, ClusterOther, false},
		"not yet a token":    {[]string{alice}, map[string]string{"alice": query("alice", "", "")}, ClusterUnknown, false},
		"no such domain":     {[]string{alice}, map[string]string{"alice": noDomain("alice")}, ClusterOther, false},
		"not for this node":  {[]string{alice}, map[string]string{"alice": refused}, ClusterUnknown, false},
		"no response":        {[]string{alice}, map[string]string{}, ClusterUnknown, true},
		"one is not shown":   {[]string{alice, domain("bob", 2, "", token("b"))}, map[string]string{"alice": refused, "bob": query("bob", "", token("b"))}, ClusterSame, false},
		"the third is the same": {
			[]string{domain("new", 4, "", token("n")), domain("bob", 2, "", token("b")), domain("carol", 2, "", token("c")), alice},
			map[string]string{"alice": noDomain("alice"), "bob": noDomain("bob"), "carol": query("carol", "", token("c"))}, ClusterSame, false,
		},
		"the fourth is not asked": {
			[]string{domain("new", 4, "", token("n")), domain("bob", 2, "", token("b")), domain("carol", 2, "", token("c")), alice},
			map[string]string{"alice": noDomain("alice"), "bob": noDomain("bob"), "carol": noDomain("carol"), "new": query("new", "", token("n"))}, ClusterOther, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := fakecluster.Client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				items := strings.Join(c.cluster, ",")
				switch items {
				case forbidden:
					w.WriteHeader(http.StatusForbidden)
					_, _ = io.WriteString(w, items)
					return
				case notServed:
					w.WriteHeader(http.StatusNotFound)
					_, _ = io.WriteString(w, items)
					return
				}
				_, _ = fmt.Fprintf(w, `{"apiVersion":"kuscia.secretflow/v1alpha1","kind":"DomainList","metadata":{},"items":[%s]}`, items)
			}))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var request struct {
					ID string `json:"domain_id"`
				}
				response, known := "", false
				if json.NewDecoder(r.Body).Decode(&request) == nil {
					response, known = c.kuscia[request.ID]
				}
				if !known {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
				_, _ = io.WriteString(w, response)
			}))
			t.Cleanup(server.Close)
			api, err := kuscia.New(kuscia.Config{Endpoint: server.URL, Token: "t"})
			if err != nil {
				t.Fatal(err)
			}
			of := &Clients{Kuscia: api, Kubernetes: Kubernetes{Open: func() (*kube.Client, error) { return cluster, nil }}}
			match, err := of.compareDomains(t.Context(), cluster)
			if match != c.match || (err != nil) != c.fails {
				t.Errorf("%v, %v; want %v", match, err, c.match)
			}
		})
	}
}
