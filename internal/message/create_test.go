package message

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

var image = Object{Type: "kuscia_app_image", Title: "app image", Attribute: "name", Name: "app", ImportID: "app", NotReturned: []string{"owner"}}

// TestImportBlockParses: the block is valid HCL with the given id, whatever the
// id contains.
func TestImportBlockParses(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"app", "alice/table", `a"b\c`, "${var.x}", "%{if}", "line\nbreak", "ünïcode", "\x1b[31m"} {
		file, diags := hclsyntax.ParseConfig([]byte(ImportBlock("kuscia_x", id)), "x.tf", hcl.InitialPos)
		if diags.HasErrors() {
			t.Errorf("%q: %s", id, diags)
			continue
		}
		body := file.Body.(*hclsyntax.Body)
		got, diags := body.Blocks[0].Body.Attributes["id"].Expr.Value(nil)
		if diags.HasErrors() || body.Blocks[0].Type != "import" || got.AsString() != id {
			t.Errorf("%q became %#v (%s)", id, got, diags)
		}
	}
}

// TestAddCreateError covers the text for each outcome.
func TestAddCreateError(t *testing.T) {
	t.Parallel()
	exists := fmt.Errorf("create: %w", kuscia.ErrExists)
	taken := lifecycle.Result{Err: &lifecycle.AlreadyExistsError{Cause: errors.New("no")}}
	edge := func(id string) Object {
		return Object{Type: "kuscia_edge_deployment", Title: "edge deployment", Attribute: "name", Name: "lite", ImportID: id, Server: "IEF"}
	}
	for name, test := range map[string]struct {
		object Object
		result lifecycle.Result
		want   []string
		not    string
	}{
		"refused": {image, lifecycle.Result{Err: errors.New("no room")}, []string{`Unable to create app image`, "No room"}, "import"},
		"lost, then refused": {
			image, lifecycle.Result{Outcome: lifecycle.Unknown, Err: errors.New("no room")},
			[]string{`Unknown whether app image was created`, "No usable answer to the create request arrived: no room.", "was not found afterwards", "may still be carried out", "Apply again", "marked as tainted"}, "failed",
		},
		"lost, lookup denied": {
			image, lifecycle.Result{Outcome: lifecycle.Unknown, Err: errors.New("no answer"), LookupErr: errors.New("denied")},
			[]string{"arrived: no answer.", "Looking it up afterwards failed: denied.", "marked as tainted"}, "import {",
		},
		"taken": {
			image, lifecycle.Result{Err: &lifecycle.AlreadyExistsError{Cause: exists}},
			[]string{`App image "app" already exists and is not in this state. Kuscia returned: create: already exists.`, ImportBlock("kuscia_app_image", "app"), "terraform import kuscia_app_image.NAME app", "KUSCIA_ADOPT_EXISTING", "choose another name", "create_before_destroy"}, "differs",
		},
		"exists with other content": {
			image, lifecycle.Result{Err: &lifecycle.AlreadyExistsError{Cause: exists, Differences: []string{"image.tag", "role"}}},
			[]string{"differs from the configuration in image.tag, role, so adopt_existing does not adopt it", ImportBlock("kuscia_app_image", "app")}, "KUSCIA_ADOPT_EXISTING",
		},
		"exists, not compared": {
			image, lifecycle.Result{Err: &lifecycle.AlreadyExistsError{Cause: exists, LookupErr: errors.New("forbidden")}},
			[]string{"could not be compared with the configuration", "forbidden", ImportBlock("kuscia_app_image", "app")}, "KUSCIA_ADOPT_EXISTING",
		},
		"lost, another object exists": {
			image, lifecycle.Result{Err: &lifecycle.AlreadyExistsError{ResponseLost: true, Cause: errors.New("EOF"), Differences: []string{"a", "b", "c", "d", "e"}}},
			[]string{"The response to the request was lost (EOF)", "in a, b, c and 2 more. It was not changed", "import {"}, "KUSCIA_ADOPT_EXISTING",
		},
		// It is imported by its ID, and without one there is no block that would import another object.
		"taken, with another ID": {edge("i/4711"), taken, []string{`Edge deployment "lite" already exists`, ImportBlock("kuscia_edge_deployment", "i/4711"), "terraform import kuscia_edge_deployment.NAME i/4711", "KUSCIA_ADOPT_EXISTING"}, "Kuscia returned"},
		"taken, without an ID":   {edge(""), taken, []string{"import it by its ID", "KUSCIA_ADOPT_EXISTING", "choose another name"}, "import {"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var diags diag.Diagnostics
			AddCreateError(&diags, test.object, test.result)
			if diags.ErrorsCount() != 1 || len(diags) != 1 {
				t.Fatalf("%v", diags)
			}
			text := diags[0].Summary() + "\n" + diags[0].Detail()
			protocol.Says(t, name, text, test.want...)
			if test.not != "" && strings.Contains(text, test.not) {
				t.Errorf("%q in\n%s", test.not, text)
			}
		})
	}
}
