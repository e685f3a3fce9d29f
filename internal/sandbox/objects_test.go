package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	simulated "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// clientFor is the provider's client for a sandbox.
func clientFor(t *testing.T, s *Sandbox) *kuscia.Client {
	t.Helper()
	client, err := kuscia.New(kuscia.Config{Endpoint: s.Endpoint(), Token: s.Token(), RequestTimeout: time.Minute})
	must(t, err)
	return client
}

func wantError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// eventually waits in real time until a check succeeds.
func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	if err := settles(check); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// settles is the error of a check that does not succeed within a minute.
func settles(check func() error) error {
	err := check()
	for deadline := time.Now().Add(time.Minute); err != nil && time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		err = check()
	}
	return err
}

// TestMasterAndNode is a federation of a master and a lite node, each with its
// own endpoint: objects of the node are available at the node only, the others
// at both.
func TestMasterAndNode(t *testing.T) {
	ctx := t.Context()
	master := startSandbox(t, Options{StaleConfig: -1})
	atMaster := clientFor(t, master)
	must(t, atMaster.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "carol"}))
	node := startSandbox(t, Options{Lite: "carol", Master: master, StaleConfig: -1})
	atNode := clientFor(t, node)

	// The node has joined: it is Ready, has set a certificate and the default
	// data source, and there is a token for the next node.
	domain, err := atMaster.QueryDomain(ctx, "carol")
	must(t, err)
	if len(domain.NodeStatuses) != 1 || domain.NodeStatuses[0].Status != "Ready" || domain.Cert == "" {
		t.Errorf("domain after its node joined: %+v", domain)
	}
	eventually(t, "tokens", func() error {
		domain, err := atNode.QueryDomain(ctx, "carol") // forwarded to the master
		if err != nil {
			return err
		}
		states := []string{}
		for _, token := range domain.DeployTokenStatuses {
			states = append(states, token.State)
		}
		if fmt.Sprint(states) != "[used unused]" {
			return fmt.Errorf("tokens %v", states)
		}
		return nil
	})
	_, err = atNode.QueryDomain(ctx, "alice")
	wantError(t, "another domain through the node", err, kuscia.ErrUnauthorized)
	wantError(t, "create through the node", atNode.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "dave"}), kuscia.ErrUnsupported)

	// Data sources belong to the node; the master only lists them.
	source := &kuscia.DomainDataSourceRequest{
		DomainID: "carol", DataSourceID: "warehouse", Type: kuscia.DataSourceMySQL,
		Info: &kuscia.DataSourceInfo{Database: &kuscia.DatabaseInfo{Endpoint: "mysql:3306", Password: "pass-word"}},
	}
	_, err = atMaster.CreateDomainDataSource(ctx, source)
	wantError(t, "data source at the master", err, kuscia.ErrUnsupported)
	_, err = atNode.CreateDomainDataSource(ctx, source)
	must(t, err)
	_, err = atNode.CreateDomainDataSource(ctx, source)
	wantError(t, "data source twice", err, kuscia.ErrExists)
	shown, err := atMaster.ListDomainDataSources(ctx, "carol")
	must(t, err)
	if len(shown) != 2 || shown[0].DataSourceID != kuscia.DefaultDataSource || shown[1].Info != nil {
		t.Errorf("data sources at the master: %+v", shown)
	}
	own, err := atNode.QueryDomainDataSource(ctx, kuscia.DomainDataSourceKey{DomainID: "carol", DataSourceID: "warehouse"})
	must(t, err)
	if own.Info == nil || own.Info.Database.Password != "pass-word" {
		t.Errorf("data source at its node: %+v", own)
	}

	// Data and grants can be created at the master, and the grantee has its
	// copies.
	_, err = atMaster.CreateDomainData(ctx, &kuscia.DomainDataRequest{DomainID: "carol", DomainDataID: "people", Type: "table", RelativeURI: "people.csv"})
	must(t, err)
	_, err = atMaster.CreateDomainDataGrant(ctx, &kuscia.DomainDataGrantRequest{
		DomainID: "carol", DomainDataGrantID: "to-alice", DomainDataID: "people", GrantDomain: "alice",
	})
	must(t, err)
	eventually(t, "grant", func() error {
		grant, err := atNode.QueryDomainDataGrant(ctx, kuscia.DomainDataGrantKey{DomainID: "carol", DomainDataGrantID: "to-alice"})
		if err == nil && grant.Status.Phase != kuscia.GrantReady {
			err = fmt.Errorf("phase %q", grant.Status.Phase)
		}
		return err
	})
	copied, err := atMaster.QueryDomainData(ctx, kuscia.DomainDataKey{DomainID: "alice", DomainDataID: "people"})
	must(t, err)
	if copied.Author != "carol" || copied.Vendor != "grant" {
		t.Errorf("copy of the grantee: %+v", copied)
	}
	_, err = atNode.QueryDomainData(ctx, kuscia.DomainDataKey{DomainID: "alice", DomainDataID: "people"})
	wantError(t, "data of another domain at the node", err, kuscia.ErrUnauthorized)

	// Each has its own configuration.
	must(t, atNode.CreateConfig(ctx, kuscia.ConfigEntry{Key: "k", Value: "of the node"}))
	eventually(t, "configuration", func() error {
		value, err := atNode.QueryConfig(ctx, "k")
		if err == nil && value != "of the node" {
			err = fmt.Errorf("value %q", value)
		}
		return err
	})
	if value, err := atMaster.QueryConfig(ctx, "k"); err != nil || value != "" {
		t.Errorf("the master shows %q, %v", value, err)
	}

	// A route between two domains with nodes becomes ready; one to a domain
	// without nodes stays Failed.
	must(t, atMaster.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: "erin"}))
	for destination, want := range map[string]string{"alice": kuscia.RouteSucceeded, "erin": kuscia.RouteFailed} {
		key := kuscia.DomainRouteKey{Source: "carol", Destination: destination}
		must(t, atMaster.CreateDomainRoute(ctx, &kuscia.DomainRoute{
			Source: key.Source, Destination: key.Destination, AuthenticationType: "Token",
			Endpoint: &kuscia.RouteEndpoint{Host: "gateway", Ports: []kuscia.RoutePort{{Name: "http", Port: 1080, Protocol: "HTTP"}}},
		}))
		eventually(t, "route to "+destination, func() error {
			route, err := atNode.QueryDomainRoute(ctx, key)
			if err == nil && (route.Status.Status != want || want == kuscia.RouteFailed && route.Status.Reason == "") {
				err = fmt.Errorf("status %+v", route.Status)
			}
			return err
		})
	}
	if node.Count(server.APIPrefix+"route/query") == 0 || master.Count(server.APIPrefix+"domaindatasource/list") != 1 {
		t.Errorf("requests: node %v, master %v", node.Counts(), master.Counts())
	}

	must(t, master.Pause())
	none := clientFor(t, node)
	_, err = none.QueryDomain(ctx, "carol")
	wantError(t, "without the master", err, kuscia.ErrUnavailable)
	must(t, master.Resume(ctx))
}

// TestNodeNeedsItsMaster: options that contradict each other are refused.
func TestNodeNeedsItsMaster(t *testing.T) {
	master := startSandbox(t, Options{})
	for _, options := range []Options{
		{Lite: "alice"},
		{Master: master},
		{Lite: "alice", Master: master, Autonomy: "alice"},
		{Lite: "alice", Master: master, StateFile: "x"},
	} {
		s, err := Start(t.Context(), options)
		if err == nil {
			_ = s.Close()
			t.Errorf("a sandbox with options %+v starts", options)
		}
	}
}

// TestObjectWriters: parallel writers of one object get conflicts like those of
// a real server, and at least one succeeds.
func TestObjectWriters(t *testing.T) {
	s := startSandbox(t, Options{WriteWindow: 2 * time.Millisecond, Autonomy: "alice", StaleConfig: -1})
	must(t, ask(s, "domaindata/create", &domain.CreateDomainDataRequest{DomainID: "alice", DomaindataID: "data", Type: "table", RelativeURI: "a"}).err())
	must(t, ask(s, "domaindatagrant/create", &domain.CreateDomainDataGrantRequest{DomainID: "alice", DomaindataID: "data", DomaindatagrantID: "grant", GrantDomain: "bob"}).err())
	time.Sleep(50 * time.Millisecond) // the controller writes the phase
	kinds := map[string]func(i int) apiResponse{
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
	}
	for text, call := range kinds {
		responses := inParallel(12, call)
		conflicts := 0
		for got, count := range responses {
			if strings.HasSuffix(got, text) {
				conflicts += count
			}
		}
		if conflicts == 0 || responses["0 success"] == 0 || conflicts+responses["0 success"] != 12 {
			t.Errorf("%s: %v", text, responses)
		}
	}
	// Domain data has no conflicts.
	responses := inParallel(12, func(i int) apiResponse {
		return ask(s, "domaindata/update", &domain.UpdateDomainDataRequest{DomainID: "alice", DomaindataID: "data", Name: fmt.Sprint("n", i)})
	})
	if responses["0 success"] != 12 {
		t.Errorf("domain data: %v", responses)
	}
}

// TestStaleConfig covers what a client reads that is faster than the cache of
// the node.
func TestStaleConfig(t *testing.T) {
	s := frozen(t, Options{StaleConfig: 1, Timing: cluster.RealTiming()})
	value := func() string {
		return ask(s, "config/query", &domain.QueryConfigRequest{Key: "k"}).Value
	}
	write := func(value string) []kuscia.ConfigEntry { return []kuscia.ConfigEntry{{Key: "k", Value: value}} }
	must(t, ask(s, "config/create", &domain.CreateConfigRequest{Data: write("1")}).err())
	must(t, ask(s, "config/create", &domain.CreateConfigRequest{Data: write("2")}).err()) // overwrites
	must(t, ask(s, "config/delete", &domain.DeleteConfigRequest{Keys: []string{"k"}}).err())
	if got := value(); got != "" {
		t.Errorf("before the cache: %q", got)
	}
	s.Advance(200 * time.Millisecond)
	if got := value(); got != "2" {
		t.Errorf("the delete was not lost: %q", got)
	}
	if code := ask(s, "config/create", &domain.CreateConfigRequest{Data: write("3")}).Status.Code; code != domain.CodeCreateConfig {
		t.Errorf("create of a key that is there: %d", code)
	}
	must(t, ask(s, "config/delete", &domain.DeleteConfigRequest{Keys: []string{"k"}}).err())
	if got := value(); got != "2" {
		t.Errorf("right after the delete: %q", got)
	}
	s.Advance(200 * time.Millisecond)
	if got := value(); got != "" {
		t.Errorf("after the delete: %q", got)
	}
}

// TestObjectsSurviveARestart restores one object of each kind after a restart.
func TestObjectsSurviveARestart(t *testing.T) {
	options := Options{StateFile: filepath.Join(t.TempDir(), "state.json"), Autonomy: "alice", StaleConfig: -1}
	key := kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: "grant"}
	read := func(s *Sandbox) string {
		ctx, client := context.Background(), clientFor(t, s)
		var all []string
		note := func(value any, err error) {
			must(t, err)
			all = append(all, fmt.Sprintf("%+v", value))
		}
		bob, err := client.QueryDomain(ctx, "bob")
		must(t, err)
		note(*bob.AuthCenter, nil)
		route, err := client.QueryDomainRoute(ctx, kuscia.DomainRouteKey{Source: "alice", Destination: "bob"})
		must(t, err)
		note(*route.Endpoint, nil)
		note(client.ListDomainData(ctx, kuscia.DomainDataFilter{DomainID: "alice"}))
		note(client.ListDomainData(ctx, kuscia.DomainDataFilter{DomainID: "bob"}))
		note(client.QueryConfig(ctx, "k"))
		sources, err := client.ListDomainDataSources(ctx, "alice")
		must(t, err)
		for _, source := range sources {
			note(source.DataSourceID, nil)
			note(*source.Info.LocalFS, nil)
		}
		grant, err := client.QueryDomainDataGrant(ctx, key)
		must(t, err)
		note(*grant.Data, nil)
		note(*grant.Status, nil)
		return strings.Join(all, "\n")
	}
	first, err := Start(t.Context(), options)
	must(t, err)
	ctx, client := t.Context(), clientFor(t, first)
	must(t, client.CreateDomainRoute(ctx, &kuscia.DomainRoute{
		Source: "alice", Destination: "bob", AuthenticationType: "Token",
		Endpoint: &kuscia.RouteEndpoint{Ports: []kuscia.RoutePort{{Name: "http", Port: 1080, Protocol: "HTTPS"}}},
	}))
	_, err = client.CreateDomainData(ctx, &kuscia.DomainDataRequest{
		DomainID: "alice", DomainDataID: "data", Type: "table", RelativeURI: "a", Columns: []kuscia.DataColumn{{Name: "id", Type: "str"}},
	})
	must(t, err)
	_, err = client.CreateDomainDataGrant(ctx, &kuscia.DomainDataGrantRequest{DomainID: "alice", DomainDataGrantID: "grant", DomainDataID: "data", GrantDomain: "bob"})
	must(t, err)
	must(t, client.CreateConfig(ctx, kuscia.ConfigEntry{Key: "k", Value: "v"}))
	eventually(t, "grant", func() error {
		grant, err := client.QueryDomainDataGrant(ctx, key)
		if err == nil && grant.Status.Phase != kuscia.GrantReady {
			err = errors.New("not ready")
		}
		return err
	})
	want := read(first)
	must(t, first.Close())
	second, err := Start(t.Context(), options)
	must(t, err)
	defer func() { must(t, second.Close()) }()
	if have := read(second); have != want {
		t.Errorf("after the restart\n%s\nbefore\n%s", have, want)
	}
	// References still work: the grant is deleted with its data.
	client = clientFor(t, second)
	must(t, client.DeleteDomainData(ctx, kuscia.DomainDataKey{DomainID: "alice", DomainDataID: "data"}))
	eventually(t, "grant of deleted data", func() error {
		if _, err := client.QueryDomainDataGrant(ctx, key); !errors.Is(err, kuscia.ErrNotFound) {
			return fmt.Errorf("still there: %w", err)
		}
		return nil
	})
}

// TestFaultsNameTheObject: faults with an error code return the code of the
// operation, for every registered operation.
func TestFaultsNameTheObject(t *testing.T) {
	checked := 0
	s := startSandbox(t, Options{})
	for _, o := range simulated.Objects {
		if len(o.IDFields) == 0 && len(o.Operations) > 0 {
			t.Errorf("%s has no fields with its id", o.Name)
			continue
		}
		var fields, parts []string
		for i, name := range o.IDFields {
			parts = append(parts, fmt.Sprint("part", i))
			fields = append(fields, fmt.Sprintf("%q:%q", name, parts[i]))
		}
		field, id := strings.Join(fields, ","), strings.Join(parts, "-")
		for path, op := range o.Operations {
			for _, body := range []string{"{" + field + "}", `{"data":{` + field + "}}"} {
				var got apiResponse
				answered := httptest.NewRecorder()
				s.node.Fail(answered, server.APIPrefix+path, []byte(body), server.Failure{Kind: server.FailedConflict})
				must(t, json.Unmarshal(answered.Body.Bytes(), &got))
				if got.Status.Code != op.Code() || got.Status.Code == 0 || !strings.Contains(got.Status.Message, o.Kind.Modified(id).Error()) {
					t.Errorf("%s: %d %s", path, got.Status.Code, got.Status.Message)
				}
				checked++
			}
		}
	}
	if checked < 80 {
		t.Errorf("only %d answers checked", checked)
	}
}
