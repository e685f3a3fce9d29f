package crud

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Types are all types that a package has for one kind of object. The provider
// has one list of them, so that a new package is one more entry in it.
type Types struct {
	Resources          []func() resource.Resource
	DataSources        []func() datasource.DataSource
	EphemeralResources []func() ephemeral.EphemeralResource
	ListResources      []func() list.ListResource
	Actions            []func() action.Action
	// Shortcuts are those of the resources that this package makes.
	Shortcuts []Shortcuts
}
