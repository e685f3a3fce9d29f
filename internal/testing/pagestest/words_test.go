package pagestest_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// british are the spellings of which pages have the American one, as the CLI, Go and
// Kubernetes do.
var british = regexp.MustCompile(`(?i)\b\w*(organis(e|ation)|centralis|behaviour|artefact|recognis|authoris|serialis|normalise|initialis|minimis(e|ing)|optimis(e|ing|ation)|summaris|synchronis|colour|favourite|cancell(ed|ing)|labell(ed|ing)|modell(ed|ing)|licence|catalogue|misspelt|neighbour)\w*`)

// house are words that only this project used, each with those that a reader knows.
var house = map[string]string{
	`\b(state|plan|text|file)s? (nor (a )?(state|plan|plan file) )?has (it|them)\b`: "contains",
	`\bis no difference\b`:                    "the plan shows no change",
	`\b(plan|it) (must|has to) be empty\b`:    "must show no changes",
	`\b(destroy|apply) (goes|runs) backwards`: "in reverse order",
	`\btakes its grants with it\b`:            "also removes its grants",
	`\b(serving|party) (really )?runs by now`: "has come up in the meantime",
	`\brarely heals\b`:                        "rarely goes away by itself",
	`\bother objects? of this\b`:              "resource",
	`\bthe counts decide\b`:                   "the provider relies on the counts",
	`\bmended\b`:                              "recovered, repaired",
	`\bwhat others have changed\b`:            "changes made outside of Terraform",
	`\bmay make no progress\b`:                "may stall",
	`\bobserved to complete\b`:                "saw complete",
	`\bceases to exist\b`:                     "is destroyed",
}

// terms are words in Chinese beside which the pages and the reviews have another one, that of
// Kuscia's and Terraform's documents.
var terms = map[string]string{
	`(^|[^领区跨])域([^名]|$)`: "节点, or Domain for the object",
	`读者|读取方`:              "使用方",
	`重建`:                  "替换; Kuscia's 重建 is Recreate",
	`文件夹`:                 "目录",
	`域数据`:                 "数据对象",
	`逐步发布|分步`:             "分批发布, 分批",
}

var (
	fenced   = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
	codeSpan = regexp.MustCompile("`[^`\n]+`")
	target   = regexp.MustCompile(`\]\([^)]*\)`)
)

// prose is a page without code and without the targets of links.
func prose(text string) string {
	return target.ReplaceAllString(codeSpan.ReplaceAllString(fenced.ReplaceAllString(text, ""), "``"), "]")
}

// wrongWords returns what a page spells or says otherwise than the other pages.
func wrongWords(text string) (found []string) {
	text = prose(text)
	found = british.FindAllString(text, -1)
	for _, list := range []map[string]string{house, terms} {
		for words, better := range list {
			for _, one := range regexp.MustCompile(`(?i)`+words).FindAllString(text, -1) {
				found = append(found, one+" (better: "+better+")")
			}
		}
	}
	return found
}

// TestWords: pages have one spelling of English, and the usual words of the field.
func TestWords(t *testing.T) {
	t.Parallel()
	for name, text := range pages(t) {
		for _, one := range wrongWords(text) {
			t.Errorf("%s: %s", name, one)
		}
	}
}

// TestWordsOfReviews: reviews in Chinese have the words of the pages.
func TestWordsOfReviews(t *testing.T) {
	t.Parallel()
	for _, text := range phrase.Chinese.Translations() {
		translated, _ := phrase.Chinese.Of(text)
		for _, one := range wrongWords(string(translated)) {
			t.Errorf("%q: %s", translated, one)
		}
	}
}

// TestWrongWords shows what TestWords finds.
func TestWrongWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"The behaviour of organisations.": 2, "`last_release = \"cancelled\"`": 0, "It was cancelled.": 1,
		"```text\nbehaviour\n```\n\nThe behavior.": 0, "[the color](colour.md)": 0, "The plan has to be empty.": 1, "域 `alice` 和跨域路由，见读者。": 2, "The state has it in clear text.": 1,
	} {
		if got := wrongWords(text); len(got) != want {
			t.Errorf("%q: %s", text, strings.Join(got, "; "))
		}
	}
}
