package kuscia

import (
	"errors"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

func TestHostileResponses(t *testing.T) {
	ok := `{"status":{"code":0,"message":"success"},"data":`
	cases := []struct{ name, body string }{
		{"null", `null`},
		{"a list", `[]`},
		{"nothing in it", `{}`},
		{"status null", `{"status":null,"data":{}}`},
		{"code as text", `{"status":{"code":"0"},"data":{}}`},
		{"code too large", `{"status":{"code":4294967296},"data":{}}`},
		{"status twice", `{"status":{"code":11600},"status":{"code":0},"data":{}}`},
		{"code twice, escaped", `{"status":{"code":11600,"c\u006fde":0},"data":{}}`},
		{"no data", `{"status":{"code":0}}`},
		{"data null", ok + `null}`},
		{"no parties", ok + `{}}`},
		{"parties an object", ok + `{"parties":{}}}`},
		{"party null", ok + `{"parties":[null]}}`},
		{"replicas as text", ok + `{"parties":[{"domain_id":"a","replicas":"2"}]}}`},
		{"replicas too large", ok + `{"parties":[{"domain_id":"a","replicas":2147483648}]}}`},
		{"party statuses with null", ok + `{"parties":[],"status":{"party_statuses":[null]}}}`},
		{"deep", ok + strings.Repeat(`[`, 100000) + strings.Repeat(`]`, 100000) + `}`},
		{"deep objects", ok + strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000) + `}`},
		{"more after the end", servingResponse + `{}`},
		{"not UTF-8", strings.Replace(servingResponse, "{", "{\"name\":\"\xff\",", 1)},
	}
	for _, c := range cases {
		client := newTestClient(t, &faultServer{fault: status(200, c.body), times: -1}, func(c *Config) { c.MaxRetries = 0 })
		serving, err := client.QueryServing(t.Context(), "glm")
		if err == nil {
			t.Errorf("%s: %+v", c.name, serving)
			continue
		}
		wantKind(t, c.name, err, ErrUnexpectedResponse)
		// A create with such a response may have taken effect, unless only the
		// data is wrong: a create has none.
		err = client.CreateServing(t.Context(), &CreateServingRequest{ServingID: "glm"})
		if err != nil && !apierror.OutcomeUnknown(err) {
			t.Errorf("%s: the create counts as not done: %v", c.name, err)
		}
	}
}

// TestWrongData: the other operations check their responses too.
func TestWrongData(t *testing.T) {
	ctx := t.Context()
	client := func(data string) *Client {
		return newTestClient(t, &faultServer{good: `{"status":{"code":0},"data":` + data + `}`})
	}
	bare := func(fields string) *Client {
		return newTestClient(t, &faultServer{good: `{"status":{"code":0},` + fields + `}`})
	}
	cases := []struct {
		name string
		call func() error
	}{
		{"status without list", func() error { _, err := client(`{}`).BatchQueryServingStatus(ctx, []string{"a"}); return err }},
		{"status without id", func() error {
			_, err := client(`{"servings":[{"status":null}]}`).BatchQueryServingStatus(ctx, []string{"a"})
			return err
		}},
		{"another app image", func() error { _, err := client(`{"name":"b"}`).QueryAppImage(ctx, "a"); return err }},
		{"app images missing", func() error { _, err := client(`[]`).BatchQueryAppImages(ctx, []string{"a"}); return err }},
		{"list without list", func() error { _, err := client(`{}`).ListAppImages(ctx, 0, ""); return err }},
		{"not an integer", func() error {
			_, err := client(`{"name":"a","deploy_templates":[{"containers":[{"startup_probe":{"termination_grace_period_seconds":"x"}}]}]}`).QueryAppImage(ctx, "a")
			return err
		}},
		{"no value", func() error { _, err := bare(`"key":"k"`).QueryConfig(ctx, "k"); return err }},
		{"not ready", func() error { return client(`{}`).Health(ctx) }},
	}
	for _, c := range cases {
		if err := c.call(); !errors.Is(err, ErrUnexpectedResponse) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
