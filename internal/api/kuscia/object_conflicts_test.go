package kuscia

import (
	"errors"
	"net/http"
	"testing"
)

// TestConflictsOfObjects: parallel writers of one object get conflicts; those
// of domains, data sources and grants have the code of the update. They are
// repeated, even for operations that are not repeated otherwise.
func TestConflictsOfObjects(t *testing.T) {
	t.Parallel()
	const modified = `": the object has been modified; please apply your changes to the latest version and try again`
	for name, test := range map[string]struct {
		code, message string
		call          func(c *Client) error
	}{
		"domain": {"11303", `Operation cannot be fulfilled on domains.kuscia.secretflow "rk-b` + modified, func(c *Client) error {
			return c.UpdateDomain(t.Context(), &DomainRequest{DomainID: "rk-b"})
		}},
		"data source": {"11801", `Operation cannot be fulfilled on domaindatasources.kuscia.secretflow "s` + modified, func(c *Client) error {
			return c.UpdateDomainDataSource(t.Context(), &DomainDataSourceRequest{DomainID: "a", DataSourceID: "s"})
		}},
		"grant": {"11701", `Operation cannot be fulfilled on domaindatagrants.kuscia.secretflow "g` + modified, func(c *Client) error {
			return c.UpdateDomainDataGrant(t.Context(), &DomainDataGrantRequest{DomainID: "a", DomainDataGrantID: "g"})
		}},
	} {
		server := &faultServer{good: successResponse, fault: failure(test.code, test.message), times: 5}
		client := newTestClient(t, server, func(c *Config) { c.MaxRetries = 5 })
		if err := test.call(client); err != nil || server.calls.Load() != 6 {
			t.Errorf("%s: %d calls: %v", name, server.calls.Load(), err)
		}
		server = &faultServer{fault: failure(test.code, test.message), times: -1}
		if err := test.call(newTestClient(t, server)); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRaces: the loser of two simultaneous creates gets a special code, which
// means that the object exists, whatever the text.
func TestRaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code, message string
		call          func(c *Client) error
	}{
		"domain": {"11306", `domains.kuscia.secretflow "a" already exists`, func(c *Client) error {
			return c.CreateDomain(t.Context(), &DomainRequest{DomainID: "a"})
		}},
		"route": {"11405", `clusterdomainroutes.kuscia.secretflow "a-b" already exists`, func(c *Client) error {
			return c.CreateDomainRoute(t.Context(), &DomainRoute{Source: "a", Destination: "b"})
		}},
		"domain data": {"11507", `domaindatas.kuscia.secretflow "d" already exists`, func(c *Client) error {
			_, err := c.CreateDomainData(t.Context(), &DomainDataRequest{DomainID: "a", DomainDataID: "d"})
			return err
		}},
		"data source": {"11805", `domaindatasources.kuscia.secretflow "s" already exists`, func(c *Client) error {
			_, err := c.CreateDomainDataSource(t.Context(), &DomainDataSourceRequest{DomainID: "a", DataSourceID: "s"})
			return err
		}},
		"grant": {"11704", `domaindatagrants.kuscia.secretflow "g" already exists`, func(c *Client) error {
			_, err := c.CreateDomainDataGrant(t.Context(), &DomainDataGrantRequest{DomainID: "a", DomainDataGrantID: "g"})
			return err
		}},
	} {
		for _, message := range []string{test.message, "somebody was faster"} {
			client := newTestClient(t, answering(test.code, message))
			if err := test.call(client); !errors.Is(err, ErrExists) || errors.Is(err, ErrConflict) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// answering returns an error for every request.
func answering(code, message string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(failureResponse(code, message)))
	})
}

// TestRefusalsOfObjects covers errors that are not in recordings.
func TestRefusalsOfObjects(t *testing.T) {
	t.Parallel()
	long := newTestClient(t, answering("11902", "key[k] length is 257 bytes and exceed the max length 256 bytes"))
	if err := long.UpdateConfig(t.Context(), ConfigEntry{Key: "k", Value: "v"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a long key: %v", err)
	}
	for _, message := range []string{"unexpected end of JSON input", "decrypt data source info failed, crypto/rsa: decryption error", "query info key failed: crypto/rsa: decryption error"} {
		unreadable := newTestClient(t, answering("11803", message))
		if _, err := unreadable.BatchQueryDomainDataSources(t.Context(), []DomainDataSourceKey{{DomainID: "a", DataSourceID: "s"}}); !errors.Is(err, ErrUnreadable) || HasNoInfo(err) {
			t.Errorf("an unreadable data source: %v", err)
		}
	}
	bare := newTestClient(t, answering("11802", "missing datasource info for s"))
	if _, err := bare.QueryDomainDataSource(t.Context(), DomainDataSourceKey{DomainID: "a", DataSourceID: "s"}); !errors.Is(err, ErrUnreadable) || !HasNoInfo(err) {
		t.Errorf("a data source without information: %v", err)
	}
}
