package bounded

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// quoting is a server whose action quotes its configuration.
type quoting struct {
	fullServer

	says string
}

func (quoting) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	block := &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "text", Type: tftypes.String, Optional: true}}}
	return &tfprotov6.GetProviderSchemaResponse{ActionSchemas: map[string]*tfprotov6.ActionSchema{"restart": {Schema: &tfprotov6.Schema{Block: block}}}}, nil
}

func (q quoting) InvokeAction(context.Context, *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	return &tfprotov6.InvokeActionServerStream{Events: slices.Values([]tfprotov6.InvokeActionEvent{
		{Type: tfprotov6.ProgressInvokeActionEventType{Message: "party alice: " + q.says}},
		{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: []*tfprotov6.Diagnostic{{Summary: "Wrong", Detail: q.says}}}},
	})}, nil
}

// TestProgress: the progress of an action tells no secret that its configuration has, as its
// diagnostics do not, and is printable.
func TestProgress(t *testing.T) {
	t.Parallel()
	of := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"text": tftypes.String}}
	for text, want := range map[string]string{
		`{"password":"S3CRET"}`:       "party alice: ",
		`{"password":77889900112233}`: "party alice: ",
		"https://user:S3CRET@gateway": "party alice: ",
		"of \x1b[31mnobody":           "party alice: of  [31mnobody",
	} {
		config, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, map[string]tftypes.Value{"text": tftypes.NewValue(tftypes.String, text)}))
		if err != nil {
			t.Fatal(err)
		}
		stream, err := Wrap(quoting{says: text}).(*server).InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{ActionType: "restart", Config: &config})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for event := range stream.Events {
			switch event := event.Type.(type) {
			case tfprotov6.ProgressInvokeActionEventType:
				said = append(said, event.Message)
			case tfprotov6.CompletedInvokeActionEventType:
				said = append(said, event.Diagnostics[0].Detail)
			}
		}
		if len(said) != 2 || !strings.HasPrefix(said[0], want) || strings.Contains(strings.Join(said, ""), "S3CRET") || strings.Contains(strings.Join(said, ""), "77889900") {
			t.Errorf("%q is said as %q", text, said)
		}
	}
}
