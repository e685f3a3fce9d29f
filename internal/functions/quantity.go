package functions

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// NewQuantity returns the function quantity.
func NewQuantity() function.Function { return quantity{} }

type quantity struct{}

func (quantity) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "quantity"
}

func (quantity) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Canonical form of a CPU or memory quantity",
		MarkdownDescription: "Returns the form in which Kubernetes, and so Kuscia, stores a quantity: `\"0.5\"` and `\"500m\"` become `\"500m\"`, `\"1024Mi\"` becomes `\"1Gi\"`. " +
			"Two quantities are equal, with the same kind of unit, if their canonical forms are equal. " +
			"The resources of this provider compare quantities by amount anyway; the function is for comparing in expressions, and for checking input: text that is not a quantity, or a negative one, is an error.",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name:                "text",
				MarkdownDescription: "A number with an optional unit, for example `0.5` or `500m` for CPU, `512Mi` or `2Gi` for memory.",
			},
		},
		Return: function.StringReturn{},
	}
}

// Run implements function.Function.
func (quantity) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	amount, err := tfvalue.ParseQuantity(text)
	switch {
	case err != nil:
		resp.Error = function.NewArgumentFuncError(0, tfvalue.InvalidQuantity(text)) // the CLI ends it with a full stop
	case amount.Sign() < 0:
		resp.Error = function.NewArgumentFuncError(0, fmt.Sprintf(
			"%q is below zero. Kuscia would accept it and then never be able to start a pod; use zero or more", text))
	default:
		// String would not change some notations, such as "+1" or "01".
		number, unit := amount.CanonicalizeBytes(nil)
		resp.Error = resp.Result.Set(ctx, string(number)+string(unit))
	}
}
