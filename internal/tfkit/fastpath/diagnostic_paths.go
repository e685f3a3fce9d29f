package fastpath

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// correctPaths removes the last step of attribute paths for which the CLI would
// show a wrong line. The CLI looks up the last name of a path among the
// top-level attributes of the resource: for image.name or
// deploy_templates[0].name it would show the line of the resource's own name.
// With the shortened path it shows the enclosing block.
func (s *server) correctPaths(ctx context.Context, typeName string, messages []*tfprotov6.Diagnostic) {
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
		stored, _ := s.storedSchemaOf(ctx, typeName)
		if resource, ok := stored.kind.(tftypes.Object); ok && resource.AttributeTypes[string(name)] != nil {
			message.Attribute = message.Attribute.WithoutLastStep()
		}
	}
}
