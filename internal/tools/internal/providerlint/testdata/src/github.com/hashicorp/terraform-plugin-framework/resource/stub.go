// Package resource stands in for the framework's package of this name.
package resource

import "github.com/hashicorp/terraform-plugin-framework/tfsdk"

type CreateRequest struct{ Plan tfsdk.State }

type CreateResponse struct{ State tfsdk.State }

type UpdateRequest struct{ Plan, State tfsdk.State }

type UpdateResponse struct{ State tfsdk.State }

type DeleteRequest struct{ State tfsdk.State }

type DeleteResponse struct{ State tfsdk.State }
