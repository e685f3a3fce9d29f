package wait

import "context"

func Poll(context.Context, func(context.Context) (bool, error)) error { return nil }
