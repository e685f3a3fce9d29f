package lifetest_test

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

func init() {
	lives["kuscia_domain_data_grant"] = life{
		warns:   []string{"Fields of the grant may be lost"},
		cli:     "everything",
		servers: withData,
		prepare: func(s *servers, name string) {
			data := kuscia.DomainDataKey{DomainID: "alice", DomainDataID: name}
			s.env.Do(func(ctx context.Context, api *kuscia.Client) error {
				_, err := api.CreateDomainData(ctx, &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: name, Type: "table", RelativeURI: "table.csv"})
				return err
			})()
			s.env.Cleanup(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomainData(ctx, data) })
		},
		minimal: func(name string) attrs {
			return attrs{"domain_id": "alice", "domaindatagrant_id": name, "domaindata_id": name, "grant_domain": "bob", "allow_removal_of": []any{"limit.initiator", "limit.grantMode", "signature"}}
		},
		variants: map[string]variant{
			"everything": {
				full: attrs{
					"limit":       attrs{"expiration_time": "2040-01-31T00:00:00Z", "use_count": 3, "flow_id": "f", "components": []any{"b", "a"}, "initiator": "alice", "input_config": jsonText},
					"description": attrs{"why": jsonText}, "signature": "c2lnbmVk",
				},
				changed: attrs{
					"limit":       attrs{"expiration_time": "2041-01-31T00:00:00Z", "use_count": 4, "flow_id": "g", "components": []any{"a", "b"}, "initiator": "bob", "input_config": "{\"a\":1}"},
					"description": attrs{"why": "test"}, "signature": "b3RoZXI=",
				},
				spelled: attrs{"limit": attrs{"expiration_time": "2040-01-31T08:00:00+08:00", "components": []any{"b", "a"}, "input_config": spelledJSON}, "description": attrs{"why": spelledJSON}},
			},
			"no limit": {full: attrs{"limit": attrs{"flow_id": "f"}}, changed: attrs{"limit": nil}},
		},
		replacements: map[string]func(string) attrs{
			"domaindatagrant_id": func(name string) attrs { return attrs{"domaindatagrant_id": name} },
			"domaindata_id":      func(name string) attrs { return attrs{"domaindata_id": name} },
		},
		unread: []string{"description", "signature", "limit.initiator"},
		bad: map[string]badInput{
			"to the owner": {attrs{"grant_domain": "alice"}, "grant_domain", "needs no grant"},
			"time":         {attrs{"limit": attrs{"expiration_time": "tomorrow"}}, "expiration_time", "tomorrow"},
			"no time":      {attrs{"limit": attrs{"expiration_time": "2030-01-31"}}, "expiration_time", "not a time in RFC 3339"},
			"fraction":     {attrs{"limit": attrs{"expiration_time": "2030-01-31T00:00:00.5Z"}}, "expiration_time", "a fraction of a second"},
			"before 1970":  {attrs{"limit": attrs{"expiration_time": "1960-01-31T00:00:00Z"}}, "expiration_time", "not after 1970"},
			"after 2262":   {attrs{"limit": attrs{"expiration_time": "2300-01-31T00:00:00Z"}}, "expiration_time", "after 2262"},
			"negative":     {attrs{"limit": attrs{"use_count": -1}}, "use_count", "could never be used"},
			"half a use":   {attrs{"limit": attrs{"use_count": 0.5}}, "use_count", "whole number"},
			"too many":     {attrs{"limit": attrs{"use_count": 3000000000}}, "use_count", "at most 2147483647 (durations"},
			"signature":    {attrs{"signature": "abc%"}, "signature", "must be base64"},
		},
	}
}
