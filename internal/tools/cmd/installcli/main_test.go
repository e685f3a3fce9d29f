package main

import (
	"os/exec"
	"testing"
)

func TestShellQuote(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "/plain/path", "two words", "it's $HOME `id` \"x\""} {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+shellQuote(text)).Output()
		if err != nil || string(out) != text {
			t.Errorf("%q came out of the shell as %q (%v)", text, out, err)
		}
	}
}
