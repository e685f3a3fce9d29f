//go:build unix

package main

import (
	_ "embed" // the rules
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The files of the index for assistants.
const (
	llmsFile    = "llms.txt"
	llmsExample = "examples/first-serving/main.tf"
	// llmsRoot is where an assistant reads a page as it is.
	llmsRoot = "https://raw.githubusercontent.com/terraform-kuscia/terraform-provider-kuscia/main/"
)

// llmsRules are the first part of the index: what a configuration must have to work.
//
//go:embed llms_rules.md
var llmsRules string

// llmsSections are the folders of pages, in their order, with their headings.
var llmsSections = [][2]string{
	{"guides", "Guides"}, {"resources", "Resources"}, {"data-sources", "Data sources"}, {"ephemeral-resources", "Ephemeral resources"},
	{"actions", "Actions (Terraform 1.14)"}, {"list-resources", "List resources (terraform query, Terraform 1.14)"}, {"functions", "Functions"},
}

var (
	pageTitle       = regexp.MustCompile(`(?m)^page_title: "?(.+?)"?$`)
	pageDescription = regexp.MustCompile(`(?m)^description: \|-\n((?:  .*\n|\n)+)`)
	pageRequired    = regexp.MustCompile(`(?ms)^### Required\n(.*?)^###? `)
	attributeName   = regexp.MustCompile("(?m)^- `([^`]+)` ")
)

// writeLLMs writes the index of the pages for assistants: rules, an example, and each page with
// what it is about and which attributes it requires.
func writeLLMs(root string) error {
	text, err := llms(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, llmsFile), []byte(text), 0o600)
}

// llms is the text of the index.
func llms(root string) (string, error) {
	var b strings.Builder
	example, err := os.ReadFile(filepath.Join(root, llmsExample))
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "%s\n```terraform\n%s```\n", llmsRules, example)
	b.WriteString("\n- [All versions, the provider block and the list of guides](" + llmsRoot + "docs/index.md)\n")
	for _, section := range llmsSections {
		pages, err := filepath.Glob(filepath.Join(root, "docs", section[0], "*.md"))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s\n\n", section[1])
		for _, page := range pages {
			if strings.Contains(page, ".zh-CN.") {
				continue
			}
			content, err := os.ReadFile(page)
			if err != nil {
				return "", err
			}
			line, err := llmsLine(string(content), path.Join("docs", section[0], filepath.Base(page)))
			if err != nil {
				return "", err
			}
			b.WriteString(line)
		}
	}
	return b.String(), nil
}

// llmsLine is the entry of a page.
func llmsLine(content, name string) (string, error) {
	title, description := pageTitle.FindStringSubmatch(content), pageDescription.FindStringSubmatch(content)
	if title == nil || description == nil {
		return "", fmt.Errorf("%s has no title or description", name)
	}
	about, _, _ := strings.Cut(strings.TrimSpace(description[1]), "\n")
	short, _, _ := strings.Cut(title[1], " - ")
	line := fmt.Sprintf("- [%s](%s%s): %s", plainTitle(short), llmsRoot, name, about)
	if required := requiredAttributes(content); len(required) > 0 {
		line += " Required: `" + strings.Join(required, "`, `") + "`."
	}
	return line + "\n", nil
}

// plainTitle is a title without the kind of the object, which the heading has.
func plainTitle(title string) string {
	for _, kind := range []string{" Ephemeral Resource", " List Resource", " Resource", " Data Source", " Action", " function"} {
		title = strings.TrimSuffix(title, kind)
	}
	return title
}

// requiredAttributes are those at the top of an object.
func requiredAttributes(content string) (names []string) {
	section := pageRequired.FindStringSubmatch(content)
	if section == nil {
		return nil
	}
	for _, name := range attributeName.FindAllStringSubmatch(section[1], -1) {
		names = append(names, name[1])
	}
	slices.Sort(names)
	return names
}
