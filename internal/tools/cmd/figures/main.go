// Command figures runs the tests' command, shows its output, and prints at the end what
// the tests cost: the starts of the CLI, and with -table the seconds and lines of each
// package. Its exit code is that of the command, or 1 if the CLI was started more often than
// -max-starts allows.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/cli"
)

func main() {
	bin := flag.String("bin", ".bin", "folder of the launched CLI")
	root := flag.String("root", ".", "root of the repository")
	table := flag.Bool("table", false, "print the seconds and lines of each package")
	limit := flag.Int("max-starts", 0, "how often the CLI may be started; 0: any number of times")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: figures [-bin DIR] [-root DIR] [-table] [-max-starts N] COMMAND...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	// Ctrl-C reaches the command too, which ends in its own way.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	code, err := run(*bin, *root, *table, *limit, flag.Args(), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func run(bin, root string, table bool, limit int, command []string, out io.Writer) (code int, err error) {
	if err := cli.ForgetStarts(bin); err != nil {
		return 1, err
	}
	var results results
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, io.MultiWriter(out, &results), os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, err
	}
	code = cmd.ProcessState.ExitCode()
	if code < 0 {
		code = 1 // a signal ended it
	}
	if table {
		lines, err := countLines(root)
		if err != nil {
			return code, err
		}
		if err := printTable(out, lines, &results); err != nil {
			return code, err
		}
	}
	starts, err := cli.Starts(bin)
	if err != nil {
		return code, err
	}
	text, total := startsText(starts, limit, results.cached)
	fmt.Fprintln(out, text)
	if limit > 0 && total > limit {
		return code, fmt.Errorf("the CLI was started %d times, more than %d; test rules without it, and leave an acceptance test that shows no more to make test-long", total, limit)
	}
	return code, nil
}
