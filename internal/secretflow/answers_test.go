package secretflow_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow/secretflowtest"
)

// servingOf is what the check is told of the serving of an answer, with a tag of the image.
func servingOf(r *secretflowtest.Answer, tag string) secretflow.Serving {
	image := imageOf(&r.AppImage, tag)
	s := secretflow.Serving{ID: r.Serving.ServingID, Text: &r.Serving.ServingInputConfig, Runtime: r.Runtime}
	if s.Runtime == secretflow.UnknownRuntime {
		s.Runtime = secretflow.RunC
	}
	for _, p := range r.Serving.Parties {
		s.Parties = append(s.Parties, secretflow.Party{Domain: p.DomainID, Role: p.Role, Image: image, Store: func(key string) (string, bool) { return r.Config[key], true }})
	}
	return s
}

// imageOf converts the first template of an app image.
func imageOf(app *kuscia.AppImage, tag string) *secretflow.Image {
	image := &secretflow.Image{AppImage: app.Name, Name: app.Image.Name, Tag: tag, Templates: app.ConfigTemplates, At: "deploy_templates[0]"}
	for _, c := range app.DeployTemplates[0].Containers {
		container := secretflow.Container{Name: c.Name, Command: c.Command, Args: c.Args}
		for _, m := range c.ConfigVolumeMounts {
			container.Mounts = append(container.Mounts, secretflow.Mount{Path: m.MountPath, Template: m.SubPath})
		}
		for _, p := range c.Ports {
			container.Ports = append(container.Ports, secretflow.Port{Name: p.Name, Scope: p.Scope})
		}
		image.Containers = append(image.Containers, container)
	}
	return image
}

// of returns the problems of a party.
func of(problems []secretflow.Problem, domain string) []secretflow.Problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p secretflow.Problem) bool { return !slices.Contains(p.Parties, domain) })
}

// stages are the names of the stages in the recording.
var stages = map[string]secretflow.Stage{
	"exec": secretflow.StageExec, "agent": secretflow.StageRender, "command": secretflow.StageCommand, "flags": secretflow.StageFlags, "logging": secretflow.StageFlags,
	"parse": secretflow.StageParse, "channels": secretflow.StageChannels, "model source": secretflow.StageModel, "features": secretflow.StageFeatures,
}

// TestRecordedAnswers compares the check with every recorded answer: taken or refused, and for a
// refusal the stage, the code and the message.
func TestRecordedAnswers(t *testing.T) {
	answers := secretflowtest.Answers(t)
	if len(answers) != 225 {
		t.Errorf("%d recorded answers", len(answers))
	}
	compared := 0
	for _, r := range answers {
		for _, result := range r.Results {
			for _, tag := range result.Tags {
				compared++
				if tag == "HEAD" {
					tag = "0.10.0b0"
				}
				s := servingOf(&r, tag)
				problems := of(secretflow.Check(s), r.Party)
				said, refused := secretflow.Says(problems, s.Parties[0].Image)
				if refused == result.Accepted {
					t.Errorf("%d %s, %s: accepted %t, %s; found %+v", r.ID, r.Name, tag, result.Accepted, result.Error, problems)
					continue
				}
				if result.Accepted {
					continue
				}
				_, message, _ := strings.Cut(result.Error, "] ")
				if message == "" || strings.HasPrefix(result.Error, "no creator") || !strings.HasPrefix(result.Error, "[") {
					message = result.Error
				}
				sameText := strings.Contains(message, said.Text)
				if tag == "0.10.0b0" { // its parser says the same in other words
					sameText = sameText || strings.HasPrefix(said.Text, "json to pb failed") && strings.HasPrefix(message, "json to pb failed")
				}
				if said.Stage != stages[result.Stage] || said.Code != result.Code || !sameText {
					t.Errorf("%d %s, %s: %s %d %q; found %d %d %q", r.ID, r.Name, tag, result.Stage, result.Code, result.Error, said.Stage, said.Code, said.Text)
				}
			}
		}
	}
	t.Logf("%d answers compared", compared)
}

// TestCertain shows that an unknown version is refused only what all newer than 0.7 refuse, that
// a problem of every version is refused by every recorded one, and that what is not known is not
// judged.
func TestCertain(t *testing.T) {
	for _, r := range secretflowtest.Answers(t) {
		var acceptedBy, newer []string
		for _, result := range r.Results {
			for _, tag := range result.Tags {
				if result.Accepted {
					acceptedBy = append(acceptedBy, tag)
				}
				if tag == "HEAD" || tag >= "0.8" {
					newer = append(newer, tag)
				}
			}
		}
		accepts := func(tag string) bool { return slices.Contains(acceptedBy, tag) }
		unknown := of(secretflow.Check(servingOf(&r, "latest")), r.Party)
		if refused := len(unknown) > 0; len(newer) > 0 && refused != !slices.ContainsFunc(newer, accepts) {
			t.Errorf("%d %s: %v accept, an unknown version: %+v", r.ID, r.Name, acceptedBy, unknown)
		}
		for _, p := range unknown {
			if p.Versions().IsAll() && len(acceptedBy) > 0 {
				t.Errorf("%d %s: %v accept; for every version: %+v", r.ID, r.Name, acceptedBy, p)
			}
		}
		for name, less := range map[string]func(*secretflow.Serving){
			"no configuration": func(s *secretflow.Serving) {
				for i := range s.Parties {
					s.Parties[i].Store = nil
				}
			},
			"no text":       func(s *secretflow.Serving) { s.Text = nil },
			"no runtime":    func(s *secretflow.Serving) { s.Runtime = secretflow.UnknownRuntime },
			"other parties": func(s *secretflow.Serving) { s.Incomplete = true },
			"a partner's image": func(s *secretflow.Serving) {
				for i := range s.Parties {
					if s.Parties[i].Domain != r.Party {
						s.Parties[i].Image = nil
					}
				}
			},
		} {
			for _, tag := range acceptedBy {
				if tag == "HEAD" {
					tag = "0.10.0"
				}
				s := servingOf(&r, tag)
				less(&s)
				if found := of(secretflow.Check(s), r.Party); len(found) > 0 {
					t.Errorf("%d %s, %s, %s: %+v", r.ID, r.Name, tag, name, found)
				}
			}
		}
	}
}
