package domainroute

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

// fresh tells the status of a route from before a change in place from the one after it (read in
// Kuscia's source, v0.5 to v1.1). The controller first changes the copies of the route in its domains,
// and then writes its status from theirs, unless the route has changed since it was read. So the first
// status that is written after a change is from copies which have it. Only gateways of a route with
// tokens test the connection, and report it by a status: every 15 s, and a failure after 45 s.
var fresh = &crud.Fresh[kuscia.DomainRoute]{Writes: writes, Mark: mark, Pace: 15 * time.Second, Lag: 75 * time.Second}

// writes is how many times the status has to be written until it is that of the changed route. Copies
// that are made again have no token, and get one over the new connection. Copies that are changed keep
// theirs: the first status after that may have the test of a gateway that did not know the change.
func writes(before, desired *kuscia.DomainRoute) int {
	switch {
	case before.AuthenticationType != authToken && desired.AuthenticationType != authToken:
		return 0 // there is no token, and nobody tests the connection
	case copiesAreMadeAgain(before, desired):
		return 1
	case !reflect.DeepEqual(before.Transit, desired.Transit) || !reflect.DeepEqual(before.BodyEncryption, desired.BodyEncryption):
		return 2
	default: // the next token is made by it, the present one remains
		return 0
	}
}

// copiesAreMadeAgain reports whether the controller deletes the copies and makes new ones.
func copiesAreMadeAgain(before, desired *kuscia.DomainRoute) bool {
	was, is := toManifest(before), toManifest(desired)
	return !reflect.DeepEqual(was["endpoint"], is["endpoint"]) || (was["tokenConfig"] == nil) != (is["tokenConfig"] == nil)
}

// mark is a hash of what the controller writes from the copies: the condition, and the tokens with the
// time of their last test. Another part of it writes whether endpoints are healthy.
func mark(ctx context.Context, c *run.Run, id crud.ID) string {
	if !c.HasKubernetes() {
		return ""
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return ""
	}
	seen, err := customResource.Look(ctx, client, id)
	if err != nil || seen.Object == nil {
		return ""
	}
	status, _ := seen.Object.Object["status"].(manifest.Object)
	written, err := json.Marshal([]any{seen.Object.GetUID(), status["tokenStatus"], status["conditions"]})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(written))
}
