package fastpath

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// fallBack is deferred by every shortcut: after a panic in one it takes the
// answer back, so that the framework answers, and logs what happened. A panic of
// the runtime is shown; the value of any other may be data of the user.
func fallBack(ctx context.Context, shortcut, typeName string, takeBack func()) {
	value := recover()
	if value == nil {
		return
	}
	takeBack()
	reason := fmt.Sprintf("%T", value)
	if fault, ok := value.(runtime.Error); ok {
		reason = fault.Error()
	}
	tflog.Error(ctx, "a shortcut of the provider panicked and the framework answers instead; please report this", map[string]any{
		"shortcut": shortcut, "type": typeName, "panic": reason, "stack": string(debug.Stack()),
	})
}
