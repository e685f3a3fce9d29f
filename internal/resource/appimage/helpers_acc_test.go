package appimage_test

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// hash is the format of a revision.
var hash = regexp.MustCompile(`^[0-9a-f]{32}$`)

const address = "kuscia_app_image.test"

type attrs = map[string]any

// appImage is a configuration with one container and additional lines of HCL
// for the image, the resource, its template and its container.
type appImage struct {
	// label is the name of the resource in the configuration, "test" by
	// default.
	label                                 string
	name, image, top, template, container string
}

// hcl returns the configuration as text, with minimal values by default.
func (a appImage) hcl() string {
	if a.image == "" {
		a.image = `tag = "1"`
	}
	return acctest.AppImageBlock{
		Label: a.label, Name: a.name, Top: attrs{"more": acctest.Lines(a.top)}, Image: attrs{"tag": nil, "more": acctest.Lines(a.image)},
		Template: attrs{"more": acctest.Lines(a.template)}, Container: attrs{"more": acctest.Lines(a.container)},
	}.String()
}

// object is an app image with minimal values.
func object(name string) acctest.Object {
	return acctest.Object{
		Address: address, Config: appImage{name: name}.hcl(), ID: name, Identity: map[string]string{"name": name},
		Create: func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateAppImage(ctx, &kuscia.AppImage{
				Name: name, Image: kuscia.AppImageInfo{Name: "example/app", Tag: "2"},
				DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
			})
		},
		Query:  func(ctx context.Context, api *kuscia.Client) (any, error) { return api.QueryAppImage(ctx, name) },
		Delete: func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, name) },
	}
}

// changed is a plan check: an update in place in which exactly these attributes
// change.
type changed struct {
	address string
	paths   []string
	// action is the expected action, an update by default.
	action plancheck.ResourceActionType
}

// CheckPlan compares the values before and after the change.
func (c changed) CheckPlan(ctx context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	plancheck.ExpectResourceAction(c.address, cmp.Or(c.action, plancheck.ResourceActionUpdate)).CheckPlan(ctx, req, resp)
	if resp.Error != nil {
		return
	}
	for _, change := range req.Plan.ResourceChanges {
		if change.Address != c.address {
			continue
		}
		got := slices.Sorted(slices.Values(differing("", change.Change.Before, change.Change.After, change.Change.AfterUnknown)))
		want := slices.Sorted(slices.Values(c.paths))
		if !slices.Equal(got, want) {
			resp.Error = fmt.Errorf("the plan for %s changes %v, want %v", c.address, got, want)
		}
	}
}

func differing(at string, before, after, unknown any) []string {
	if open, ok := unknown.(bool); ok && open {
		return []string{at}
	}
	switch a := after.(type) {
	case map[string]any:
		b, ok := before.(map[string]any)
		if !ok {
			return []string{at}
		}
		open, _ := unknown.(map[string]any)
		var found []string
		for name := range a {
			found = append(found, differing(strings.TrimPrefix(at+"."+name, "."), b[name], a[name], open[name])...)
		}
		for name := range b {
			if _, ok := a[name]; !ok {
				found = append(found, differing(strings.TrimPrefix(at+"."+name, "."), b[name], nil, open[name])...)
			}
		}
		return found
	case []any:
		b, ok := before.([]any)
		if !ok || len(a) != len(b) {
			return []string{at}
		}
		open, _ := unknown.([]any)
		var found []string
		for i := range a {
			var u any
			if i < len(open) {
				u = open[i]
			}
			found = append(found, differing(fmt.Sprintf("%s.%d", at, i), b[i], a[i], u)...)
		}
		return found
	default:
		if fmt.Sprint(before) != fmt.Sprint(after) {
			return []string{at}
		}
		return nil
	}
}

// onServer returns a check of the app image in Kuscia.
func onServer(e *acctest.Env, name string, check func(*kuscia.AppImage) error) resource.TestCheckFunc {
	return func(*terraform.State) error {
		image, err := e.API.QueryAppImage(context.Background(), name)
		if err != nil {
			return err
		}
		return check(image)
	}
}
