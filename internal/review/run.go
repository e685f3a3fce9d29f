package review

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/owners"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/warnings"
)

// The exit codes of the program.
const (
	exitFine    = 0
	exitError   = 1
	exitRefused = 2
)

const usage = `Usage: kuscia-review [flags] [FILE]

Says what a plan does to a federation. FILE, or the standard input, is the
output of "terraform show -json PLAN" or "tofu show -json PLAN".

  terraform plan -json -out=plan.bin >plan.log
  terraform show -json plan.bin | kuscia-review -log plan.log

Exit codes: 0 fine, 1 an error or a plan that failed, 2 refused by -fail-on.

Flags:
`

// Run runs the program with its arguments, and returns its exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	code, err := run(args, stdin, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "kuscia-review:", err)
	}
	return code
}

// options are the flags.
type options struct {
	format, name, commit, language, log, audience, owners string
	failOn, allow                                         []string
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	var o options
	flags := flag.NewFlagSet("kuscia-review", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.format, "format", "markdown", "`FORMAT` of the output: markdown, text or json")
	add := func(list *[]string) func(string) error {
		return func(text string) error {
			*list = append(*list, text)
			return nil
		}
	}
	flags.Func("fail-on", "`CATEGORIES`, separated by commas, that are refused; may be repeated: "+category.Join(category.All()), add(&o.failOn))
	flags.StringVar(&o.name, "name", "", "`NAME` of what is planned, such as production, for the first line and the mark of a comment")
	flags.StringVar(&o.log, "log", "", "`LOG` of terraform plan -json, for the warnings; - is the standard input, beside a FILE")
	flags.StringVar(&o.audience, "for", "", "`DOMAIN` whose organization reads the review: what it has to know and to do. The gate is about the whole plan")
	flags.StringVar(&o.owners, "codeowners", "", "CODEOWNERS `FILE`, in which folders or files with the names of domains have those who are asked")
	flags.StringVar(&o.commit, "commit", "", "`COMMIT` that is planned, for the last line")
	flags.StringVar(&o.language, "lang", "en", "`LANGUAGE` of the Markdown and the text: en or zh")
	flags.Func("allow", "`ADDRESS` of a resource that is not refused; may be repeated", add(&o.allow))
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitFine, nil
	case err != nil:
		return exitError, nil //nolint:nilerr // flag has written it
	case flags.NArg() > 1:
		return exitError, errors.New("there is more than one file")
	}
	return o.review(flags.Arg(0), stdin, stdout, stderr)
}

func (o options) review(file string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	if !slices.Contains([]string{"markdown", "text", "json"}, o.format) {
		return exitError, fmt.Errorf("-format has no %q; it has markdown, text and json", phrase.Text(o.format))
	}
	language, err := phrase.LanguageOf(o.language)
	if err != nil {
		return exitError, err
	}
	gate := Gate{Allow: o.allow}
	if gate.FailOn, err = category.Parse(o.failOn...); err != nil {
		return exitError, err
	}
	if o.log == "" && slices.ContainsFunc(gate.FailOn, needsLog) {
		return exitError, errors.New("-fail-on warning and reference need the log of terraform plan -json: -log LOG")
	}
	read, err := readFile(file, stdin)
	if err != nil {
		return exitError, err
	}
	report := Build(read)
	if err := o.readLog(report, read, file, stdin); err != nil {
		return exitError, err
	}
	report.Name, report.Made.Commit, report.Made.Program, report.language = o.name, o.commit, version(), language
	if err := o.readOwners(report); err != nil {
		return exitError, err
	}
	// Somebody asked for a gate, and there is none.
	if len(o.failOn) > 0 && len(gate.FailOn) == 0 {
		report.Notes = append(report.Notes, phrase.Say("No gate: -fail-on is empty, so every plan passes."))
		fmt.Fprintln(stderr, "kuscia-review: no gate: -fail-on is empty")
	}
	shown := report
	if o.audience != "" {
		shown = report.For(o.audience)
	}
	if err := o.write(shown, stdout); err != nil {
		return exitError, err
	}
	if read.Errored {
		return exitError, errors.New("the plan failed and cannot be applied")
	}
	refused := gate.Refusals(report)
	if len(refused) == 0 {
		return exitFine, nil
	}
	fmt.Fprintln(stderr, "This plan is refused:")
	const most = 20
	for _, f := range refused[:min(len(refused), most)] {
		fmt.Fprintln(stderr, "  "+f.text(language))
	}
	if more := len(refused) - most; more > 0 {
		fmt.Fprintf(stderr, "  and %d more\n", more)
	}
	return exitRefused, nil
}

// readLog adds what the log of -log says.
func (o options) readLog(r *Report, of *plan.Plan, file string, stdin io.Reader) error {
	from := stdin
	switch {
	case o.log == "":
		return nil
	case o.log == "-" && (file == "" || file == "-"):
		return errors.New("the plan and the log cannot both be the standard input: give one of them as a file")
	case o.log != "-":
		f, err := os.Open(o.log)
		if err != nil {
			return fmt.Errorf("reading the log: %w", err)
		}
		defer f.Close() //nolint:errcheck // it is only read
		from = f
	}
	log, err := warnings.Read(from)
	if err != nil {
		return err
	}
	return r.AddLog(log, of)
}

// readOwners adds who is to be asked for each domain.
func (o options) readOwners(r *Report) error {
	if o.owners == "" {
		return nil
	}
	f, err := os.Open(o.owners)
	if err != nil {
		return fmt.Errorf("reading the owners: %w", err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	all, err := owners.Read(f)
	if err != nil {
		return err
	}
	for _, domain := range r.Domains {
		if of := all.Of(domain); len(of) > 0 {
			r.Owners[domain] = of
		}
	}
	return nil
}

// version is that of the program, "" for one that does not know it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}

func readFile(file string, stdin io.Reader) (*plan.Plan, error) {
	if file == "" || file == "-" {
		return plan.Read(stdin)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading the plan: %w", err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	return plan.Read(f)
}

func (o options) write(r *Report, w io.Writer) error {
	text := ""
	switch o.format {
	case "markdown":
		text = r.Markdown()
	case "text":
		text = r.Text()
	case "json":
		content, err := r.JSON()
		if err != nil {
			return err
		}
		text = string(content)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing the review: %w", err)
	}
	return nil
}
