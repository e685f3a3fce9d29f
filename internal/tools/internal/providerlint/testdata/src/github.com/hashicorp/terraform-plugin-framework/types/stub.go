// Package types stands in for the framework's package of this name.
package types

import "github.com/hashicorp/terraform-plugin-framework/types/basetypes"

type SetType = basetypes.SetType

type ListType = basetypes.ListType
