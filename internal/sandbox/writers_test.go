package sandbox

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// inParallel makes n concurrent calls and counts the responses.
func inParallel(n int, call func(i int) apiResponse) map[string]int {
	var group sync.WaitGroup
	var mu sync.Mutex
	responses := map[string]int{}
	for i := range n {
		group.Go(func() {
			a := call(i)
			mu.Lock()
			defer mu.Unlock()
			responses[fmt.Sprint(a.Status.Code, " ", a.Status.Message)]++
		})
	}
	group.Wait()
	return responses
}

// TestConcurrentWriters: of parallel creates one succeeds; parallel updates get conflicts like
// those of a real server, and at least one succeeds. Domain data has no conflicts.
func TestConcurrentWriters(t *testing.T) {
	s := startSandbox(t, Options{Autonomy: "alice", StaleConfig: -1})
	putImages(t, s, fixtureImages(t))
	must(t, ask(s, "domaindata/create", &domain.CreateDomainDataRequest{DomainID: "alice", DomaindataID: "data", Type: "table", RelativeURI: "a"}).err())
	must(t, ask(s, "domaindatagrant/create", &domain.CreateDomainDataGrantRequest{DomainID: "alice", DomaindataID: "data", DomaindatagrantID: "grant", GrantDomain: "bob"}).err())
	s.node.WriteWindow = 250 * time.Millisecond // long enough for all requests, even on a busy machine
	created := inParallel(8, func(int) apiResponse {
		return ask(s, "serving/create", &kuscia.CreateServingRequest{
			ServingID: "race", Initiator: "alice", Parties: []kuscia.ServingParty{party("alice", imageV1, 1)},
		})
	})
	if created["0 success"] != 1 || created[`11600 kusciadeployments.kuscia.secretflow "race" already exists`] != 7 {
		t.Errorf("8 parallel creates: %v", created)
	}
	s.Advance(time.Minute) // otherwise the controllers' writes may conflict with all of them
	for text, call := range map[string]func(i int) apiResponse{
		objects.KindOf[objects.KusciaDeployment]().Modified("race").Error(): func(i int) apiResponse {
			return ask(s, "serving/update", &kuscia.UpdateServingRequest{ServingID: "race", ServingInputConfig: fmt.Sprint(i)})
		},
		objects.KindOf[objects.Domain]().Modified("alice").Error(): func(i int) apiResponse {
			return ask(s, "domain/update", &domain.UpdateDomainRequest{DomainID: "alice", AuthCenter: &domain.AuthCenter{
				AuthenticationType: "Token", TokenGenMethod: []string{"RSA-GEN", "RAND-GEN", "UID-RSA-GEN"}[i%3],
			}})
		},
		objects.KindOf[objects.DomainDataSource]().Modified(kuscia.DefaultDataSource).Error(): func(i int) apiResponse {
			return ask(s, "domaindatasource/update", &domain.UpdateDomainDataSourceRequest{DomainID: "alice", DatasourceID: kuscia.DefaultDataSource, Name: new(fmt.Sprint("n", i))})
		},
		objects.KindOf[objects.DomainDataGrant]().Modified("grant").Error(): func(i int) apiResponse {
			return ask(s, "domaindatagrant/update", &domain.UpdateDomainDataGrantRequest{
				DomainID: "alice", DomaindataID: "data", DomaindatagrantID: "grant", GrantDomain: "bob", Description: map[string]string{"n": fmt.Sprint(i)},
			})
		},
		"": func(i int) apiResponse {
			return ask(s, "domaindata/update", &domain.UpdateDomainDataRequest{DomainID: "alice", DomaindataID: "data", Name: fmt.Sprint("n", i)})
		},
	} {
		responses, conflicts := inParallel(8, call), 0
		for got, count := range responses {
			if text != "" && strings.HasSuffix(got, text) {
				conflicts += count
			}
		}
		if (conflicts == 0) != (text == "") || responses["0 success"] == 0 || conflicts+responses["0 success"] != 8 {
			t.Errorf("%s: %v", text, responses)
		}
	}
}
