package crud

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Types are all types of a package for one kind of object. The provider has one
// list of them, to which a new package adds one entry.
type Types struct {
	Resources          []func() resource.Resource
	DataSources        []func() datasource.DataSource
	EphemeralResources []func() ephemeral.EphemeralResource
	ListResources      []func() list.ListResource
	Actions            []func() action.Action
	// Shortcuts are the shortcuts of the resources.
	Shortcuts []Shortcuts
}
