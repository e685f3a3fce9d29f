package serving

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"

// shortcuts handle the requests that Terraform sends for every serving of every
// plan and that change nothing.
type shortcuts struct{}

var _ crud.Shortcuts = shortcuts{}

// ResourceType returns the resource type.
func (shortcuts) ResourceType() string { return typeName }
