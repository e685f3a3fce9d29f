package deployment

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// title is the name of the object in messages.
const title = "KusciaDeployment"

// identity returns the resource identity of a deployment.
func identity(name string) map[string]string { return map[string]string{attrName: name} }

// messageObject returns a deployment for use in messages.
func messageObject(name string) clients.Object {
	return clients.Object{Type: kind.ResourceType(), Title: title, Attribute: attrName, Name: name, ImportID: name, Server: "the cluster"}
}

// readBack describes a deployment for messages about a read after a write.
func readBack(name string) crud.ReadBack {
	return crud.ReadBack{
		Definition: deployment, Object: messageObject(name),
		Cause: "Either another client changed the deployment at the same time, or a webhook changes it.",
	}
}
