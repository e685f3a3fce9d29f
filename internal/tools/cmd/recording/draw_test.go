//go:build unix

package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDraw: a picture has all scenes, one after the other, within the time that somebody watches; a scene
// that does not fit is an error.
func TestDraw(t *testing.T) {
	t.Parallel()
	picture, err := draw([]string{"before", "\f", "# main.tf", "$ terraform apply", "done", "\f", "$ terraform plan", "Error"})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(picture, "before") {
		t.Error("what is before the first scene is drawn")
	}
	for _, part := range []string{
		"@keyframes p0-0 {0.00%{opacity:1}60.00%{opacity:0}}", "@keyframes p0-1 {0%{opacity:0}10.00%{opacity:1}60.00%{opacity:0}}",
		"@keyframes p1-0 {0%{opacity:0}60.00%{opacity:1}}", `<g class="s last p1-1"`,
	} {
		if !strings.Contains(picture, part) {
			t.Errorf("no %s in\n%s", part, picture)
		}
	}
	if _, err := draw(slices.Concat([]string{"\f"}, slices.Repeat([]string{"line"}, rows+1))); err == nil {
		t.Error("a scene that does not fit is drawn")
	}
}

// TestRecording: the recording in the repository has four scenes and ends within 25 seconds.
func TestRecording(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../../../.github/pictures/demo.svg")
	if err != nil {
		t.Fatal(err)
	}
	scenes := map[string]bool{}
	for _, match := range regexp.MustCompile(`<g class="s[^"]* p(\d+)-\d+"`).FindAllStringSubmatch(string(content), -1) {
		scenes[match[1]] = true
	}
	if len(scenes) != 4 || length.Seconds() > 25 {
		t.Errorf("%d scenes in %s", len(scenes), length)
	}
	for _, part := range []string{"$ terraform apply", "Apply complete!", "1 to change", "has no such field", "ImagePullBackOff"} {
		if !strings.Contains(string(content), part) {
			t.Errorf("it does not show %q", part)
		}
	}
}
