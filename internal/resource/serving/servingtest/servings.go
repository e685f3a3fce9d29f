package servingtest

import (
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
)

// TwoParties returns a configuration that sets every attribute: alice with
// resources for all containers, bob with resources by name.
func TwoParties() rules.Serving {
	return ConfigOf(
		PartyOf("alice", Role(""), Replicas(2), Prefix("glm"), RollingUpdate("25%", "25%"), Resources(ContainerResources("", "0.5", "2", "1Gi", "2Gi"))),
		PartyOf("bob", Role("server"), Replicas(1), RollingUpdate("1", "0"),
			Resources(ContainerResources("main", "0.1", "1", "1.5Gi", "2Gi"), ContainerResources("side", "100m", "", "", ""))),
	)
}

// TwoPartiesPrivate are the containers that Kuscia stores for TwoParties.
func TwoPartiesPrivate() rules.Private {
	return rules.Private{Containers: map[string][]string{"alice/": {"main", "side"}, "bob/server": {"main", "side"}}}
}

// App images that the servings here have, and a lookup of them.
var (
	SFImage    = AppImage("sf", Container("main"), Container("side"))
	otherImage = AppImage("other", Container("main"), Container("side"))
	ThirdImage = AppImage("third", Container("main"), Container("side"), Container("extra"))
	AllImages  = ImagesOf(SFImage, otherImage, ThirdImage)
)

// PartiesPath is the path of an attribute of a party.
func PartiesPath(name, attribute string) path.Path {
	return path.Root("parties").AtMapKey(name).AtName(attribute)
}
