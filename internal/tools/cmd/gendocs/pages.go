//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// object is what the pages of an object have in addition to the schema.
type object struct {
	// subcategory is the group of its pages in the menu of a registry.
	subcategory string
	// guides are the names of the guides that its users need.
	guides []string
}

// The subcategories.
const (
	servings = "Servings"
	domains  = "Domains and nodes"
	data     = "Data"
	releases = "Step-by-step releases"
	edge     = "Edge nodes"
)

// objects are all objects, by the name of the resource without that of the provider.
var objects = map[string]object{
	"app_image":          {servings, []string{"rolling-out-a-new-image", "import-in-bulk"}},
	"certificate":        {domains, nil},
	"config":             {domains, []string{"secrets", "several-kuscias"}},
	"deployment":         {servings, []string{"kusciadeployment-or-serving", "access-to-the-cluster", "releasing-step-by-step", "waiting-for-a-rollout"}},
	"domain":             {domains, []string{"federation", "certificates-and-tokens"}},
	"domain_data":        {data, []string{"data-access", "import-in-bulk"}},
	"domain_data_grant":  {data, []string{"data-access"}},
	"domain_data_source": {data, []string{"data-access", "several-kuscias", "secrets"}},
	"domain_route":       {domains, []string{"federation", "certificates-and-tokens"}},
	"edge_deployment":    {edge, []string{"edge-nodes", "secrets"}},
	"rollout":            {releases, []string{"releasing-step-by-step", "releases-in-detail", "access-to-the-cluster"}},
	"rollout_approval":   {releases, []string{"releasing-step-by-step", "access-to-the-cluster"}},
	"serving":            {servings, []string{"first-serving", "rolling-out-a-new-image", "waiting-for-a-rollout", "when-an-apply-fails", "secrets", "import-in-bulk"}},
	"traffic_routing":    {releases, []string{"releasing-step-by-step", "access-to-the-cluster"}},
}

// objectOf finds the object of a page: the one with the longest name with which the name of
// the page begins.
func objectOf(page string) (found object, ok bool) {
	length := -1
	for name, o := range objects {
		// data.kuscia_domain_data_list is about domain data, kuscia_rollout_approve about Rollouts.
		if strings.HasPrefix(page+"_", name+"_") || strings.HasPrefix(page, name+"s") {
			if len(name) > length {
				found, length = o, len(name)
			}
		}
	}
	return found, length >= 0
}

// effect is what a change of some attributes does; no attributes: of all others.
type effect struct {
	Attributes []string `json:"attributes"`
	Result     string   `json:"result"`
}

// The comments in templates/resources.md.tmpl that are replaced.
const (
	changesMark = "<!-- changes -->"
	guidesMark  = "<!-- guides -->"
)

// fillPages adds subcategories to the generated pages, and to those of the resources also
// what changes do and the guides.
func fillPages(root string, effects []byte) error {
	var byType map[string][]effect
	if err := json.Unmarshal(effects, &byType); err != nil {
		return fmt.Errorf("effects of changes: %w", err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		kind, name := filepath.Base(filepath.Dir(page)), strings.TrimSuffix(filepath.Base(page), ".md")
		if kind == "guides" || kind == "functions" {
			continue
		}
		o, ok := objectOf(name)
		if !ok {
			return fmt.Errorf("%s: add the object to objects in internal/tools/cmd/gendocs/pages.go", page)
		}
		content, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		text := strings.Replace(string(content), `subcategory: ""`, fmt.Sprintf("subcategory: %q", o.subcategory), 1)
		if kind == "resources" {
			guides, err := guideLinks(root, o.guides)
			if err != nil {
				return err
			}
			text = strings.Replace(text, changesMark, changeTable(byType[providerName+"_"+name]), 1)
			text = strings.Replace(text, guidesMark, guides, 1)
		}
		if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// fillVersions writes the texts about versions of Kuscia into the guides and the first page: a
// comment in a template is the name of one.
func fillVersions(root string, texts []byte) error {
	var byName map[string]string
	if err := json.Unmarshal(texts, &byName); err != nil {
		return fmt.Errorf("texts about versions: %w", err)
	}
	var pairs []string
	for name, text := range byName {
		pairs = append(pairs, "<!-- "+name+" -->", text)
	}
	filled := strings.NewReplacer(pairs...)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "guides", "*.md"))
	if err != nil {
		return err
	}
	for _, page := range append(pages, filepath.Join(root, "docs", "index.md")) {
		content, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		if err := os.WriteFile(page, []byte(filled.Replace(string(content))), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// changeTable is the table of what changes do.
func changeTable(effects []effect) string {
	rows := []string{"| change of | what an apply does |", "|---|---|"}
	for _, e := range effects {
		changed := "`" + strings.Join(e.Attributes, "`, `") + "`"
		if len(e.Attributes) == 0 {
			changed = "everything else"
		}
		if len(effects) == 1 && len(e.Attributes) == 0 {
			changed = "everything"
		}
		rows = append(rows, "| "+changed+" | "+e.Result+" |")
	}
	return strings.Join(rows, "\n")
}

// guideTitle is the title of a guide.
var guideTitle = regexp.MustCompile(`(?m)^page_title: "(.+)"$`)

// guideLinks are links to guides, with their titles.
func guideLinks(root string, guides []string) (string, error) {
	var links []string
	for _, guide := range guides {
		content, err := os.ReadFile(filepath.Join(root, "templates", "guides", guide+".md.tmpl"))
		if err != nil {
			return "", err
		}
		title := guideTitle.FindSubmatch(content)
		if title == nil {
			return "", fmt.Errorf("guide %s has no page_title", guide)
		}
		links = append(links, fmt.Sprintf("[%s](../guides/%s.md)", title[1], guide))
	}
	return "Guides: " + strings.Join(links, ", ") + ".", nil
}
