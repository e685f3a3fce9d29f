package fastpath

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// fallBack is deferred by every shortcut. After a panic it discards the
// response, so that the framework answers, and logs the panic. The text of a
// runtime error is logged; any other panic value may contain user data and is
// not.
func fallBack(ctx context.Context, shortcut, typeName string, discard func()) {
	value := recover()
	if value == nil {
		return
	}
	discard()
	reason := fmt.Sprintf("%T", value)
	if fault, ok := value.(runtime.Error); ok {
		reason = fault.Error()
	}
	tflog.Error(ctx, "a shortcut of the provider panicked and the framework is used instead; please report this", map[string]any{
		"shortcut": shortcut, "type": typeName, "panic": reason, "stack": string(debug.Stack()),
	})
}
