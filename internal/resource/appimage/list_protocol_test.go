package appimage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const typeName = "kuscia_app_image"

// TestList_pages lists more app images than fit on a page.
func TestList_pages(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	const n = 230
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("image-%03d", i)
		image := &kuscia.AppImage{
			Name:            all[i],
			Image:           kuscia.AppImageInfo{Name: "example/" + []string{"even", "odd"}[i%2], Tag: "1"},
			DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
		}
		protocol.NoError(t, e.API.CreateAppImage(t.Context(), image))
	}
	r := e.Server(nil).Resource(t, typeName)
	for name, test := range map[string]struct {
		query    protocol.Query
		want     []string
		requests int
	}{
		"all":                           {protocol.Query{Limit: 1000}, all, 3},
		"a limit beyond a page":         {protocol.Query{Limit: 101}, all[:101], 2},
		"by all of them":                {protocol.Query{Limit: 100, Config: protocol.Object{"name_prefix": "image-1", "name_regex": "9$", "image_name": "example/even"}}, nil, 3},
		"a limit that counts the found": {protocol.Query{Limit: 2, Config: protocol.Object{"name_regex": "5$"}}, []string{all[5], all[15]}, 1},
	} {
		requests := e.CountRequests()
		results, diagnostics := r.List(t.Context(), t, test.query)
		var names []string
		for _, result := range results {
			names = append(names, result.DisplayName)
		}
		if !slices.Equal(names, test.want) || len(diagnostics) > 0 {
			t.Errorf("%s: got %v, want %v: %s", name, names, test.want, protocol.Messages(diagnostics))
		}
		if got := requests.Since(acctest.PathAppImageList); got != test.requests {
			t.Errorf("%s: %d requests, want %d", name, got, test.requests)
		}
		if err := requests.ExpectNone(acctest.PathAppImageQuery, acctest.PathAppImageBatch)(nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, diagnostics := r.List(t.Context(), t, protocol.Query{Config: protocol.Object{"name_regex": "("}})
	if said := protocol.Messages(diagnostics); !strings.Contains(said, "Invalid regular expression") || !strings.Contains(said, "missing closing )") {
		t.Errorf("a wrong expression: %s", said)
	}
}
