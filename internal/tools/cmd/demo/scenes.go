//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

const (
	// firstServing is the configuration of the scenes, which the READMEs show.
	firstServing = "examples/first-serving"
	// nextScene is a line before each scene.
	nextScene = "\f"
	// sceneDepth is how deep the configuration is shown.
	sceneDepth = 4
)

// ansi matches the colors of a terminal.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain is a line without colors and without the frame of an error.
func plain(line string) string {
	return strings.TrimLeft(ansi.ReplaceAllString(line, ""), "│╷ ")
}

// scenes prints four scenes for a recording: what one types after "$ ", and the part of the output
// that matters. All of it is from a real run.
func (d *demo) scenes(ctx context.Context, binDir string, out io.Writer) error {
	if err := d.build(ctx); err != nil {
		return err
	}
	if err := d.startCluster(ctx, binDir); err != nil {
		return err
	}
	dir, err := d.ws.CopyConfiguration(firstServing)
	if err != nil {
		return err
	}
	d.dir = dir
	if _, err := d.ws.Output(ctx, dir, "init", "-input=false", "-no-color"); err != nil {
		return err
	}
	for _, scene := range []func(context.Context, io.Writer) error{d.sceneCreate, d.sceneChange, d.sceneMistake, d.sceneFailure} {
		fmt.Fprintln(out, nextScene)
		if err := scene(ctx, out); err != nil {
			return err
		}
	}
	return nil
}

// startCluster starts a sandbox with the Kubernetes API of its cluster, from which an error has the
// reason of a failed update.
func (d *demo) startCluster(ctx context.Context, binDir string) error {
	program, err := filepath.Abs(filepath.Join(binDir, "kubetest"))
	if err != nil {
		return err
	}
	if err := d.startSandbox(ctx, "--kubernetes", "--kubernetes-program", program); err != nil {
		return err
	}
	d.ws.Setenv("KUSCIA_KUBE_CONFIG_PATH", filepath.Join(d.sandbox.CertsDir, "kubeconfig"))
	return nil
}

// sceneCreate shows the configuration, and its apply.
func (d *demo) sceneCreate(ctx context.Context, out io.Writer) error {
	content, err := os.ReadFile(filepath.Join(d.dir, "main.tf"))
	if err != nil {
		return err
	}
	_, serving, _ := strings.Cut(string(content), "resource \"kuscia_serving\"")
	serving, _, _ = strings.Cut("resource \"kuscia_serving\""+serving, "\n}\n")
	fmt.Fprintf(out, "# main.tf, after the app image\n%s\n", strings.Join(outline(serving+"\n}", sceneDepth), "\n"))
	return d.scene(ctx, out, []string{"apply", "-input=false", "-auto-approve"}, 0, "kuscia_serving.credit: Creating...", "Apply complete!")
}

// sceneChange shows a change and its plan, which is applied.
func (d *demo) sceneChange(ctx context.Context, out io.Writer) error {
	if err := d.change(ctx, out, "/alice = /s/replicas = 1/replicas = 2/", ""); err != nil {
		return err
	}
	if err := d.scene(ctx, out, []string{"plan", "-input=false"}, 0, "# kuscia_serving.credit will be", "Plan: "); err != nil {
		return err
	}
	return d.scene(ctx, out, []string{"apply", "-input=false", "-auto-approve"}, 0, "kuscia_serving.credit: Modifying...", "Apply complete!")
}

// sceneMistake shows a misspelled field in the configuration text, which the plan refuses.
func (d *demo) sceneMistake(ctx context.Context, out io.Writer) error {
	if err := d.change(ctx, out, "s/sourceType/sourcTyp/", ""); err != nil {
		return err
	}
	if err := d.scene(ctx, out, []string{"plan", "-input=false"}, 1, "Error: ", "For a fork"); err != nil {
		return err
	}
	return d.change(ctx, io.Discard, "s/sourcTyp/sourceType/", "")
}

// sceneFailure shows an image that cannot be pulled: the apply fails, and says which party and why.
func (d *demo) sceneFailure(ctx context.Context, out io.Writer) error {
	if err := d.change(ctx, out, `s/"0.8.0b0"/"broken"/`, ""); err != nil {
		return err
	}
	if err := d.change(ctx, out, `/initiator/a progress_deadline = "5s"`, "  # the default is 10 minutes"); err != nil {
		return err
	}
	return d.scene(ctx, out, []string{"apply", "-input=false", "-auto-approve"}, 1, "Error: ", "bob  ")
}

// change changes the configuration with a command, which it prints. The command has to change it.
func (d *demo) change(ctx context.Context, out io.Writer, expression, comment string) error {
	path := filepath.Join(d.dir, "main.tf")
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "sed", "-i", expression, path)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("sed: %w\n%s", err, output)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if bytes.Equal(before, after) {
		return fmt.Errorf("sed %q changes nothing in %s", expression, firstServing)
	}
	fmt.Fprintf(out, "$ sed -i '%s' main.tf%s\n", expression, comment)
	return nil
}

// scene runs the CLI, and prints its command and the output from a line with a text to one that begins
// with another.
func (d *demo) scene(ctx context.Context, out io.Writer, args []string, code int, first, last string) error {
	var printed bytes.Buffer
	cmd := d.ws.Command(ctx, d.dir, args...)
	cmd.Stdout, cmd.Stderr = &printed, &printed
	err := workspace.Run(cmd)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		return fmt.Errorf("%s: exit code %d, want %d\n%s", d.command(args[0]), got, code, printed.Bytes())
	}
	fmt.Fprintf(out, "$ %s\n", d.command(args[0]))
	lines := strings.Split(printed.String(), "\n")
	from := 0
	for from < len(lines) && !strings.Contains(plain(lines[from]), first) {
		from++
	}
	for _, line := range lines[min(from, len(lines)):] {
		fmt.Fprintln(out, line)
		if strings.HasPrefix(plain(line), last) {
			return nil
		}
	}
	return fmt.Errorf("%s prints nothing from %q to %q:\n%s", d.command(args[0]), first, last, printed.Bytes())
}
