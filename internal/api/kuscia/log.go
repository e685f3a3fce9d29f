package kuscia

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// subsystem is the name of the client's logger. Its level is that of the
// provider unless TF_LOG_PROVIDER_KUSCIA_KUSCIAAPI says otherwise.
const subsystem = "kusciaapi"

// withLogger gives the context the client's logger. The secrets that the
// client always has are masked in it once more, whatever a line is made of.
func (c *Client) withLogger(ctx context.Context) context.Context {
	ctx = tflog.NewSubsystem(ctx, subsystem, tflog.WithLevelFromEnv("TF_LOG_PROVIDER_KUSCIA", subsystem), tflog.WithRootFields())
	if tflog.SubsystemIsDebug(ctx, subsystem) && len(c.mask.secrets) > 0 {
		ctx = tflog.SubsystemMaskLogStrings(ctx, subsystem, c.mask.secrets...)
	}
	return ctx
}

// logRequest shows the body that is about to be sent, at trace level.
func (k *call) logRequest(ctx context.Context) {
	if k.body == nil || k.op.secret || !tflog.SubsystemIsTrace(ctx, subsystem) {
		return
	}
	tflog.SubsystemTrace(ctx, subsystem, "KusciaAPI request body", map[string]any{
		"operation": k.op.name, "id": k.id(), "body": k.masker().body(k.body),
	})
}

// logAnswer writes the one line of a try, and at trace level the answer.
func (k *call) logAnswer(ctx context.Context, body []byte) {
	if !tflog.SubsystemIsDebug(ctx, subsystem) {
		return
	}
	fields := map[string]any{
		"operation":   k.op.name,
		"id":          k.id(),
		"attempt":     k.attempt,
		"duration_ms": time.Since(k.started).Milliseconds(),
		"code":        int32(0),
	}
	switch {
	case k.cut:
		fields["error"] = "stopped by the caller"
	case k.last != nil:
		fields["code"] = k.last.Code
		fields["http_status"] = k.last.HTTPStatus
		fields["error"] = k.last.Message
		if k.again {
			fields["retry_in_ms"] = k.wait.Milliseconds()
		}
	}
	tflog.SubsystemDebug(ctx, subsystem, "KusciaAPI call", fields)
	if body != nil && !k.op.plain && !k.op.secret && tflog.SubsystemIsTrace(ctx, subsystem) {
		tflog.SubsystemTrace(ctx, subsystem, "KusciaAPI answer body", map[string]any{
			"operation": k.op.name, "id": k.id(), "body": k.masker().body(body),
		})
	}
}
