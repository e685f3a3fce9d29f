package examplefiles

import "github.com/hashicorp/terraform-plugin-framework/resource/schema"

var _ = schema.Schema{
	MarkdownDescription: "Use `redeploy_triggers = { image = kuscia_app_image.sf.rollout_revision }` or `lifecycle { replace_triggered_by = [x] }`.",
	Attributes: map[string]schema.Attribute{
		"fenced": schema.StringAttribute{Description: "Such as:\n\n```terraform\na = 1\n```\n"}, // want "a configuration in a description"
		"shell":  schema.StringAttribute{Description: "Run:\n\n```shell\nterraform apply\n```\n"},
		"helper": text("Such as:\n" + // want "a configuration in a description"
			"resource \"kuscia_serving\" \"glm\" {\n  serving_id = \"glm\"\n}\n"),
	},
}

const more = `
import {
  to = kuscia_serving.glm
}`

func text(description string) schema.Attribute {
	if description == "" {
		description = more // want "a configuration in a description"
	}
	return schema.StringAttribute{Description: description}
}

// An error may show what to write: it is made for the case at hand.
func problem() string {
	return "Import it:\n\nimport {\n  to = kuscia_serving.glm\n}\n"
}
