package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostLines is the maximum number of lines in existing Go files for a new
// object of the KusciaAPI.
const mostLines = 4

// sample is the resource that the tests generate.
const sample = "skeleton_widget"

// overlay is the repository with a new resource in it: its files, and lines
// inserted into existing files.
type overlay struct {
	root, tree string
	// inserted counts the lines in existing files.
	inserted int
	replace  map[string]string
}

// newOverlay adds the sample to the repository, with or without its
// registration.
func newOverlay(t *testing.T, registered bool) *overlay {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	o := &overlay{root: root, tree: t.TempDir(), replace: map[string]string{}}
	files, err := generate(sample)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(o.tree, files); err != nil {
		t.Fatal(err)
	}
	for name := range files {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			t.Errorf("%s is not a new file", name)
		}
		o.replace[filepath.Join(root, name)] = filepath.Join(o.tree, name)
	}
	if registered {
		for _, r := range namesOf(sample).Registrations() {
			o.insert(t, r)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.file(), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *overlay) file() string { return filepath.Join(o.tree, "overlay.json") }

// insert inserts one line into an existing file.
func (o *overlay) insert(t *testing.T, r registration) {
	t.Helper()
	original, changed := filepath.Join(o.root, r.File), filepath.Join(o.tree, r.File)
	source := original
	if o.replace[original] != "" {
		source = changed // it has a line already
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	at := slices.Index(lines, r.After)
	if at < 0 || strings.Contains(r.Line, "\n") {
		t.Fatalf("%s has no line %q, or %q is not one line", r.File, r.After, r.Line)
	}
	o.inserted++
	o.replace[original] = changed
	o.write(t, r.File, []byte(strings.Join(slices.Insert(lines, at+1, r.Line), "\n")))
}

// copyRepository copies all other files of the repository to those of the
// sample, for tests that read or write them.
func (o *overlay) copyRepository(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(o.root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(o.root, name)
		if err != nil || o.replace[name] != "" || !entry.Type().IsRegular() && !entry.IsDir() {
			return err
		}
		if entry.IsDir() {
			if relative != "." && strings.HasPrefix(relative, ".") || relative == "dist" || relative == "bench" {
				return filepath.SkipDir // build results
			}
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		o.write(t, relative, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// write writes a file beside those of the sample.
func (o *overlay) write(t *testing.T, name string, text []byte) {
	t.Helper()
	file := filepath.Join(o.tree, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// makeFolders makes the new folders for the time of the test: go vet works in
// them. They stay empty.
func (o *overlay) makeFolders(t *testing.T) {
	t.Helper()
	for original := range o.replace {
		dir := filepath.Dir(original)
		if filepath.Ext(original) != ".go" {
			continue
		}
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		if err := os.Mkdir(dir, 0o750); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(dir) })
	}
}

// build runs a go command with the overlay.
func (o *overlay) build(t *testing.T, command string, arguments ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", slices.Concat([]string{command, "-C", o.root, "-overlay", o.file()}, arguments)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s %v: %v\n%s", command, arguments, err, out)
	}
}

var outcome = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\w+)`)

// run compiles the tests of a package and runs some of them where the files of
// the sample are. It returns the outcome of each test, and the output.
func (o *overlay) run(t *testing.T, folder, tests string, arguments ...string) (outcomes map[string]string, said string) {
	t.Helper()
	binary, dir := filepath.Join(o.tree, strings.ReplaceAll(folder, "/", "_")+".test"), filepath.Join(o.tree, folder)
	if _, err := os.Stat(binary); err != nil {
		o.build(t, "test", "-vet=off", "-ldflags=-w", "-c", "-o", binary, "./"+folder)
	}
	cmd := exec.CommandContext(t.Context(), binary, append([]string{"-test.v", "-test.short", "-test.run", tests}, arguments...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "KUSCIA_TEST_SEEDS=1") // one random configuration is enough
	out, _ := cmd.CombinedOutput()                                      // tests fail
	outcomes = map[string]string{}
	for _, match := range outcome.FindAllStringSubmatch(string(out), -1) {
		outcomes[match[2]] = match[1]
	}
	return outcomes, string(out)
}

// TestNewObjectIsFourLines adds an object to the repository: new files, and not
// more than four lines in existing Go files. Everything compiles, the provider
// serves the resource, the sandbox answers its requests, and only the tests for
// the parts to be filled in fail.
func TestNewObjectIsFourLines(t *testing.T) {
	t.Parallel()
	o := newOverlay(t, true)
	t.Log(report(namesOf(sample), len(o.replace)-2))
	if o.inserted > mostLines {
		t.Errorf("a new object takes %d lines of existing Go files, want at most %d: let the other packages find new objects automatically", o.inserted, mostLines)
	}
	o.makeFolders(t)
	o.build(t, "vet", "./internal/api/kuscia", "./internal/sandbox/...", "./internal/provider", "./internal/resource/skeletonwidget", "./internal/cmd/kuscia-sandbox", "./internal/testing/faulttest", "./examples")
	want := map[string]string{"TestIsFilledIn": "FAIL"}
	for _, name := range []string{
		"TestIsRegistered", "TestLifecycle", "TestDrift", "TestAlreadyExistsAndLostResponse", "TestRefused",
		"TestPropertySequence", "TestPropertyUnknown", "TestShortcutsAgree", "TestShortcutsAreTaken",
	} {
		want[name] = "PASS"
	}
	outcomes, said := o.run(t, "internal/resource/skeletonwidget", ".")
	for _, name := range []string{"TestAccSkeletonWidget", "TestAccSkeletonWidget_identity"} {
		want[name] = "PASS"
		if reason := skipReason(name, said); reason != "" {
			t.Logf("%s is skipped: %s", name, reason)
			want[name] = "SKIP"
		}
	}
	expectOutcomes(t, outcomes, want, said)
	for _, place := range []string{
		"internal/resource/skeletonwidget/schema.go:", "internal/api/kuscia/skeleton_widget.go:", "internal/sandbox/kuscia/skeletonwidget/object.go:",
		"internal/testing/faulttest/kind_skeleton_widget_test.go:", "examples/resources/kuscia_skeleton_widget/resource.tf:",
	} {
		if !strings.Contains(said, place) {
			t.Errorf("the tests do not say what is to be filled in at %s:\n%s", place, said)
		}
	}
	outcomes, said = o.run(t, "internal/api/kuscia", "^(TestSkeletonWidgetIsRecorded|TestOperationsTable|TestErrorRulesApply)$")
	expectOutcomes(t, outcomes, map[string]string{"TestSkeletonWidgetIsRecorded": "FAIL", "TestOperationsTable": "PASS", "TestErrorRulesApply": "PASS"}, said)
	if !strings.Contains(said, "record skeletonwidget/create on a real Kuscia") {
		t.Errorf("the test of the client does not say what is to be recorded:\n%s", said)
	}
}

// Paths of the sample's recording and of its counts.
const (
	recordings = "internal/api/kuscia/testdata/transcripts/rest/"
	recording  = recordings + sample + "-1.json"
	counts     = recordings + "counts/" + sample + "-1.json"
)

// TestCompleteObjectIsFourLines: with a recording, its counts and the recorded
// schema, which are data, the tests that know all objects pass without any other
// line in an existing Go file.
func TestCompleteObjectIsFourLines(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("six test programs are linked for it: make test-long")
	}
	o := newOverlay(t, true)
	o.copyRepository(t)
	expect := func(folder, outcome string, tests ...string) (said string) {
		t.Helper()
		outcomes, said := o.run(t, folder, "^("+strings.Join(tests, "|")+")$")
		want := map[string]string{}
		for _, name := range tests {
			want[name] = outcome
		}
		expectOutcomes(t, outcomes, want, said)
		return said
	}

	o.write(t, recording, sampleRecording(t))
	for folder, test := range map[string]string{"internal/api/kuscia": "TestEveryRecordedResponseOfObjects", "internal/sandbox": "TestObjectConformance"} {
		if said := expect(folder, "FAIL", test); !strings.Contains(said, "counts/"+sample+"-1.json") {
			t.Errorf("%s does not ask for the counts of a new recording:\n%s", test, said)
		}
	}
	o.write(t, counts, []byte(`{
  "client": {"exchanges": 4, "successes": 4, "failures": 0, "left_out": 0},
  "sandbox": {"exchanges": 4, "observations": 0}
}`))
	expect("internal/api/kuscia", "PASS", "TestSkeletonWidgetIsRecorded", "TestEveryRecordedResponseOfObjects", "TestNoSecretOfObjectsIsShown")
	expect("internal/sandbox", "PASS", "TestObjectConformance")

	expect("internal/provider", "FAIL", "TestRegistered")
	_, said := o.run(t, "internal/testing/compat", "^TestSchemaIsAsRecorded$", "-update") // make schema
	t.Log(said)
	expect("internal/testing/compat", "PASS", "TestSchemaIsAsRecorded", "TestSchemaBreaksNothingUnannounced")
	expect("internal/provider", "PASS", "TestRegistered")

	expect("internal/testing/faulttest", "PASS", "TestObjectTargets", "TestEveryObjectHasAKind", "TestRandomConfigurations")
	expect("internal", "PASS", "TestLayering", "TestFolderSize", "TestAcceptanceTestsAreNamed", "TestAcceptanceFilesAreNamed", "TestPlanHasNoCycle")
}

// sampleRecording is a recording of every operation of the sample.
func sampleRecording(t *testing.T) []byte {
	t.Helper()
	type object = map[string]any
	item := func(operation string, request, data object) object {
		response := object{"status": object{"code": 0, "message": "success", "details": []any{}}}
		if data != nil {
			response["data"] = data
		}
		return object{
			"note": operation, "http_status": 200, "content_type": "application/json; charset=utf-8", "response": response,
			"request": object{"method": "POST", "url": "http://127.0.0.1:18082/api/v1/skeletonwidget/" + operation, "body": request},
		}
	}
	id := object{"skeleton_widget_id": "a"}
	first, second := object{"skeleton_widget_id": "a", "description": "first"}, object{"skeleton_widget_id": "a", "description": "second"}
	text, err := json.MarshalIndent(object{"title": "widgets", "items": []object{
		item("create", first, nil), item("query", id, first), item("update", second, nil), item("delete", id, nil),
	}}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// skipReason is why an acceptance test of the sample cannot run here, "" if it
// can: without a CLI, or with one that has no resource identity.
func skipReason(name, said string) string {
	switch {
	case os.Getenv("TF_ACC") == "":
		return "no CLI"
	case strings.HasSuffix(name, "_identity") && strings.Contains(said, "is below minimum version"):
		return "the CLI has no resource identity"
	}
	return ""
}

func expectOutcomes(t *testing.T, outcomes, want map[string]string, said string) {
	t.Helper()
	for name, outcome := range want {
		if outcomes[name] != outcome {
			t.Errorf("%s: %q, want %s:\n%s", name, outcomes[name], outcome, said)
		}
	}
	for name, outcome := range outcomes {
		if want[name] == "" {
			t.Errorf("%s (%s) is not expected", name, outcome)
		}
	}
}

// TestUnregisteredIsNotGreen: without the four lines the tests fail and name
// them.
func TestUnregisteredIsNotGreen(t *testing.T) {
	t.Parallel()
	o := newOverlay(t, false)
	outcomes, said := o.run(t, "internal/resource/skeletonwidget", "^(TestIsRegistered|TestLifecycle)$")
	expectOutcomes(t, outcomes, map[string]string{"TestIsRegistered": "FAIL", "TestLifecycle": "FAIL"}, said)
	for _, r := range namesOf(sample).Registrations() {
		if !strings.Contains(said, strings.TrimSpace(r.Line)) {
			t.Errorf("the test does not name the line %s:\n%s", r, said)
		}
	}
}

// TestWriteKeepsFiles: no file is overwritten, and then none is written.
func TestWriteKeepsFiles(t *testing.T) {
	t.Parallel()
	files, err := generate(sample)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const taken = "internal/api/kuscia/skeleton_widget.go"
	if err := write(dir, map[string][]byte{taken: []byte("mine")}); err != nil {
		t.Fatal(err)
	}
	if err := write(dir, files); err == nil || !strings.Contains(err.Error(), taken) {
		t.Errorf("the second write: %v", err)
	}
	if content, _ := os.ReadFile(filepath.Join(dir, taken)); string(content) != "mine" {
		t.Errorf("overwritten with %s", content)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("written: %v", entries)
	}
}

// TestReport: the command prints the lines and their number.
func TestReport(t *testing.T) {
	t.Parallel()
	n := namesOf(sample)
	said := report(n, 20)
	for _, want := range []string{"20 new files for kuscia_skeleton_widget. Insert 4 lines", "./internal/resource/skeletonwidget"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	for _, r := range n.Registrations() {
		if !strings.Contains(said, r.String()) {
			t.Errorf("%s is not in\n%s", r, said)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	if got, want := namesOf("domain_data_source"), (names{"domain_data_source", "domaindatasource", "domain data source", "domainDataSource", "DomainDataSource"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, name := range []string{"", "Widget", "a__b", "kuscia-x", "1a", "_a"} {
		if _, err := generate(name); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}
