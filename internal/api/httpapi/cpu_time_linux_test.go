package httpapi

import (
	"syscall"
	"time"
)

func init() {
	cpuTime = func() time.Duration {
		const thread = 1 // RUSAGE_THREAD
		var usage syscall.Rusage
		if err := syscall.Getrusage(thread, &usage); err != nil {
			panic(err)
		}
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
}
