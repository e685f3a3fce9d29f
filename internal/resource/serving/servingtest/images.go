package servingtest

import (
	"strconv"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// PropertyImages are the app images of the generated configurations: with one,
// two and three containers, some with resources of their own, and one with
// templates by role. The ports are the same in all of them.
func PropertyImages() []*kuscia.AppImage {
	own := &kuscia.ResourceRequirements{
		Requests: &kuscia.ResourceSpec{CPU: "0", Memory: "0"},
		Limits:   &kuscia.ResourceSpec{CPU: "64", Memory: "1Ti"},
	}
	main := WithPorts(Container("main"), "service")
	owning := main
	owning.Resources = own
	byRole := AppImage("roles", main, Container("side"))
	byRole.DeployTemplates = append(byRole.DeployTemplates,
		DeployTemplate("client", "client,other", Container("side"), main),
		DeployTemplate("server", "server", owning))
	images := []*kuscia.AppImage{
		AppImage("one", main), AppImage("two", main, Container("side")), AppImage("three", main, Container("side"), Container("extra")),
		AppImage("own", owning, Container("side")), byRole,
	}
	for i, image := range images {
		image.Image.Tag = strconv.Itoa(i % 2) // some differ only in what no update applies
	}
	return images
}
