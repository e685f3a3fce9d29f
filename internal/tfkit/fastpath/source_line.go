package fastpath

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// locate takes from the paths of messages what leads the CLI to a wrong line.
// It looks for the name at the end of a path among the attributes of the
// resource itself: for image.name, or deploy_templates[0].name, it would show
// the line of the resource's own name. What holds the attribute is shown then.
func (s *server) locate(ctx context.Context, typeName string, messages []*tfprotov6.Diagnostic) {
	if !s.options.SourceLines {
		return
	}
	for _, message := range messages {
		if message.Attribute == nil || len(message.Attribute.Steps()) < 2 {
			continue
		}
		name, ok := message.Attribute.LastStep().(tftypes.AttributeName)
		if !ok {
			continue
		}
		form, _ := s.form(ctx, typeName)
		if resource, ok := form.kind.(tftypes.Object); ok && resource.AttributeTypes[string(name)] != nil {
			message.Attribute = message.Attribute.WithoutLastStep()
		}
	}
}
