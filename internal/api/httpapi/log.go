package httpapi

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// subsystem is the name of the client's logger. Its level is that of the
// provider unless TF_LOG_PROVIDER_KUSCIA_<name> is set.
func (c *Client) subsystem() string { return strings.ToLower(c.config.Name) }

// maxLoggedBody limits the bodies in the log; of larger ones only the size is
// logged.
const maxLoggedBody = 1 << 20

// withLogger adds the client's logger to the context. The logger masks the
// secrets of the client in every line, as a second safeguard.
func (c *Client) withLogger(ctx context.Context) context.Context {
	subsystem := c.subsystem()
	ctx = tflog.NewSubsystem(ctx, subsystem, tflog.WithLevelFromEnv("TF_LOG_PROVIDER_KUSCIA", subsystem), tflog.WithRootFields())
	if tflog.SubsystemIsDebug(ctx, subsystem) && len(c.mask.secrets) > 0 {
		ctx = tflog.SubsystemMaskLogStrings(ctx, subsystem, c.mask.secrets...)
	}
	return ctx
}

// logRequest logs the body of the request at trace level.
func (k *call) logRequest(ctx context.Context) {
	if k.Body == nil || k.Secret || !tflog.SubsystemIsTrace(ctx, k.client.subsystem()) {
		return
	}
	tflog.SubsystemTrace(ctx, k.client.subsystem(), k.client.config.Name+" request body", map[string]any{
		"operation": k.Name, "id": k.id(), "body": k.logged(k.Body),
	})
}

// logResponse logs one line for an attempt, and the response at trace level.
func (k *call) logResponse(ctx context.Context, body []byte) {
	subsystem := k.client.subsystem()
	if !tflog.SubsystemIsDebug(ctx, subsystem) {
		return
	}
	fields := map[string]any{
		"operation":   k.Name,
		"id":          k.id(),
		"attempt":     k.attempt,
		"duration_ms": time.Since(k.started).Milliseconds(),
		"code":        "",
	}
	switch {
	case k.contextEnded:
		fields["error"] = "stopped by the caller"
	case k.last != nil:
		fields["code"] = k.last.Code
		fields["http_status"] = k.last.HTTPStatus
		fields["error"] = k.last.Message
		if k.retry {
			fields["retry_in_ms"] = k.wait.Milliseconds()
		}
	}
	tflog.SubsystemDebug(ctx, subsystem, k.client.config.Name+" call", fields)
	if body != nil && !k.Plain && !k.Secret && tflog.SubsystemIsTrace(ctx, subsystem) {
		tflog.SubsystemTrace(ctx, subsystem, k.client.config.Name+" response body", map[string]any{
			"operation": k.Name, "id": k.id(), "body": k.logged(body),
		})
	}
}

// logged returns a body as it is logged.
func (k *call) logged(body []byte) string {
	if len(body) > maxLoggedBody {
		return fmt.Sprintf("(%d bytes)", len(body))
	}
	return k.masker().body(body, k.client.config.MaskField)
}
