package deployment

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// privateData is what the provider remembers of a deployment beside the state.
type privateData struct {
	// Imported says that nobody has said yet what the attributes are that the
	// cluster does not know.
	Imported bool `json:"imported,omitempty"`
	// Uncertain says that the answer to the create was lost and nobody could be
	// asked.
	Uncertain bool `json:"uncertain,omitempty"`
	// Deployed is what the Deployment of each party was created from, by its key:
	// the digests of its app image, see party.DefinitionDigests.
	Deployed map[string]map[string]string `json:"deployed,omitempty"`
}

const privateKey = "deployment"

type privateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

type privateGetter interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

func loadPrivate(ctx context.Context, from privateGetter, diags *diag.Diagnostics) privateData {
	var data privateData
	value, more := from.GetKey(ctx, privateKey)
	diags.Append(more...)
	if len(value) > 0 {
		if err := json.Unmarshal(value, &data); err != nil {
			diags.AddWarning("Private state not understood", fmt.Sprintf("What an earlier version of the provider remembered cannot be read and is not used: %s", err))
			return privateData{}
		}
	}
	return data
}

func savePrivate(ctx context.Context, to privateSetter, data privateData, diags *diag.Diagnostics) {
	encoded, err := json.Marshal(data)
	if err != nil {
		diags.AddError("Private state not saved", err.Error())
		return
	}
	diags.Append(to.SetKey(ctx, privateKey, encoded)...)
}
