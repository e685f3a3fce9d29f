package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// subsystem is the name of the client's logger. Its level is that of the
// provider unless TF_LOG_PROVIDER_KUSCIA_<name> says otherwise.
func (c *Client) subsystem() string { return strings.ToLower(c.config.Name) }

// maxLoggedBody bounds the bodies in the log; larger ones are counted.
const maxLoggedBody = 1 << 20

// withLogger gives the context the client's logger. The secrets that the
// client always has are masked in it once more, whatever a line is made of.
func (c *Client) withLogger(ctx context.Context) context.Context {
	subsystem := c.subsystem()
	ctx = tflog.NewSubsystem(ctx, subsystem, tflog.WithLevelFromEnv("TF_LOG_PROVIDER_KUSCIA", subsystem), tflog.WithRootFields())
	if tflog.SubsystemIsDebug(ctx, subsystem) && len(c.mask.secrets) > 0 {
		ctx = tflog.SubsystemMaskLogStrings(ctx, subsystem, c.mask.secrets...)
	}
	return ctx
}

// logRequest shows the body that is about to be sent, at trace level.
func (k *call) logRequest(ctx context.Context) {
	if k.Body == nil || k.Secret || !tflog.SubsystemIsTrace(ctx, k.client.subsystem()) {
		return
	}
	tflog.SubsystemTrace(ctx, k.client.subsystem(), k.client.config.Name+" request body", map[string]any{
		"operation": k.Name, "id": k.id(), "body": k.logged(k.Body),
	})
}

// logAnswer writes the one line of a try, and at trace level the answer.
func (k *call) logAnswer(ctx context.Context, body []byte) {
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
	tflog.SubsystemDebug(ctx, subsystem, k.client.config.Name+" call", fields)
	if body != nil && !k.Plain && !k.Secret && tflog.SubsystemIsTrace(ctx, subsystem) {
		tflog.SubsystemTrace(ctx, subsystem, k.client.config.Name+" answer body", map[string]any{
			"operation": k.Name, "id": k.id(), "body": k.logged(body),
		})
	}
}

// logged is a body as the log shows it.
func (k *call) logged(body []byte) string {
	if len(body) > maxLoggedBody || !json.Valid(body) || CheckStructure(body) != nil {
		return fmt.Sprintf("(%d bytes)", len(body))
	}
	return k.masker().body(body, k.client.config.MaskField)
}
