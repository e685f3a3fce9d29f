package kuscia

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// hostileText has terminal control characters and secrets.
const hostileText = "\x1b]0;owned\x07\u202e pl4nted-storage-key " + testToken + " \u009b2J"

// filled is the JSON of a value with the text in every string field.
func filled[T any](t *testing.T, value T) string {
	t.Helper()
	fillTexts(reflect.ValueOf(&value).Elem())
	return testjson.Encode(t, value)
}

func fillTexts(value reflect.Value) {
	switch value.Kind() {
	case reflect.String:
		value.SetString(hostileText)
	case reflect.Struct:
		for i := range value.NumField() {
			fillTexts(value.Field(i))
		}
	case reflect.Slice:
		for i := range value.Len() {
			fillTexts(value.Index(i))
		}
	}
}

// answering is a client of a server with this data.
func answering(t *testing.T, data string) *Client {
	return newTestClient(t, &faultServer{good: `{"status":{"code":0},"data":{` + data + `}}`})
}

// TestStatusTextsAreShown: every field of a status of servings and routes is cleaned: without control
// characters, bounded, and without secrets known to the client or in the response.
func TestStatusTextsAreShown(t *testing.T) {
	t.Parallel()
	status, route := filled(t, ServingStatusDetail{PartyStatuses: []PartyStatus{{Endpoints: []Endpoint{{}}}}}), filled(t, RouteStatus{})
	config, key := `{"key":"pl4nted-storage-key"}`, DomainRouteKey{Source: "a", Destination: "b"}
	servings := answering(t, `"parties":[],"serving_input_config":`+testjson.Text(config)+`,"status":`+status+`,"servings":[{"serving_id":"glm","status":`+status+`}]`)
	routes := answering(t, `"source":"a","destination":"b","mtls_config":{"source_client_private_key":"pl4nted-storage-key"},"status":`+route+
		`,"routes":[{"source":"a","destination":"b","status":`+route+`}]`)
	ctx := WithMaskedText(t.Context(), config)
	one, err := servings.QueryServing(t.Context(), "glm")
	several, failed := servings.BatchQueryServingStatus(ctx, []string{"glm"})
	of, refused := routes.QueryDomainRoute(t.Context(), key)
	all, broken := routes.BatchQueryDomainRouteStatus(ctx, []DomainRouteKey{key})
	if err = errors.Join(err, failed, refused, broken); err != nil {
		t.Fatal(err)
	}
	if of.MTLSConfig.SourceClientPrivateKey != "pl4nted-storage-key" {
		t.Errorf("%+v", of.MTLSConfig)
	}
	for _, shown := range []any{*one.Status, *several[0].Status, *of.Status, all[0].Status} {
		text := fmt.Sprintf("%+v", shown)
		if strings.ContainsAny(text, "\x1b\x07\u202e\u009b") || strings.Contains(text, testToken) || strings.Contains(text, "pl4nted") || !strings.Contains(text, "***") {
			t.Errorf("%q", text)
		}
	}
	// Secrets that become known later are masked then.
	later := StatusFor(WithMaskedText(t.Context(), "pl4nted-storage-key"), &ServingStatusDetail{Reason: "pl4nted-storage-key", Message: "pl4nted-storage-key", State: "pl4nted-storage-key",
		PartyStatuses: []PartyStatus{{DomainID: "pl4nted-storage-key", Role: "pl4nted-storage-key"}}}, func(string, string) bool { return false })
	if text := fmt.Sprintf("%+v", later); strings.Contains(text, "pl4nted") {
		t.Errorf("%q", text)
	}
}

// TestStatusNamesStay: compared names are not masked, even if the configuration
// contains them.
func TestStatusNamesStay(t *testing.T) {
	t.Parallel()
	const domain = "alice-domain"
	client := answering(t, `"parties":[],"serving_input_config":`+testjson.Text(`{"party":"`+domain+`","s":"Available"}`)+
		`,"status":{"state":"Available","party_statuses":[{"domain_id":"`+domain+`","role":"server_1","endpoints":[{"endpoint":"10.0.0.1:8080"}]}]}`)
	serving, err := client.QueryServing(t.Context(), "glm")
	if err != nil {
		t.Fatal(err)
	}
	ctx := WithMaskedText(t.Context(), `{"party":"`+domain+`","s":"Available"}`)
	status := StatusFor(ctx, serving.Status, func(id, _ string) bool { return id == domain })
	if p := status.PartyStatuses[0]; status.State != StateAvailable || p.DomainID != domain || p.Role != "server_1" || p.Endpoints[0].Endpoint != "10.0.0.1:8080" {
		t.Errorf("%+v", status)
	}
}

// TestSecretsOfSeveralCallers: the secrets of all callers of a shared request
// are masked in its error.
func TestSecretsOfSeveralCallers(t *testing.T) {
	t.Parallel()
	client := newTestClient(t, &faultServer{fault: failure("11602", "pl4nted-first pl4nted-second"), times: -1}, func(c *Config) { c.MaxRetries = 0 })
	first := WithMaskedText(t.Context(), "pl4nted-first")
	second := WithMaskedText(t.Context(), "pl4nted-second")
	_, err := client.BatchQueryServingStatus(httpapi.WithMaskedTextsOf(first, []context.Context{second}), []string{"a", "b"})
	var e *Error
	if !errors.As(err, &e) || e.Message != "*** ***" {
		t.Errorf("%v", err)
	}
}
