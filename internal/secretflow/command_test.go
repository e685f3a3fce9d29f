package secretflow_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow/secretflowtest"
)

// startedBy makes the parties of a serving start the application so.
func startedBy(o secretflowtest.Command, s secretflow.Serving) secretflow.Serving {
	image := *s.Parties[0].Image
	image.Name = o.Image
	if o.Tag != "" {
		image.Tag = o.Tag
	}
	container := image.Containers[0]
	container.Command, container.Args = o.Command, o.Args
	image.Containers = []secretflow.Container{container}
	for i := range s.Parties {
		s.Parties[i].Image = &image
	}
	return s
}

// TestOtherCommands shows that the flags of a command are judged only where they are certain, and
// the text wherever the application reads it.
func TestOtherCommands(t *testing.T) {
	for _, o := range secretflowtest.Commands(t) {
		t.Run(o.Name, func(t *testing.T) {
			s := startedBy(o, documented(t, ""))
			found := secretflow.Check(s)
			if runs := len(found) == 0; runs != o.Runs || len(found) > 1 {
				t.Errorf("%+v", found)
			}
			if end, ended := secretflow.Start(s, 0); ended == o.Runs {
				t.Errorf("it ends: %t, %+v", ended, end)
			}
			if found := secretflow.Check(startedBy(o, documented(t, both(`,"x":1`, "", "")))); len(found) == 0 {
				t.Error("the text is not judged")
			}
		})
	}
}

// TestReferencesOfUnknownContainers shows that references to variables in a text are not judged
// where the variables are not known.
func TestReferencesOfUnknownContainers(t *testing.T) {
	text := both("", `,"serverConfig":{"servicePort":$(PORT)}`, "")
	s := documented(t, text)
	s.Parties[1].Image = nil
	if found := of(secretflow.Check(s), "bob"); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	known := *s.Parties[0].Image
	known.Containers = []secretflow.Container{{Command: []string{"sh", "-c", "sleep 1; ./secretflow_serving"}, Env: map[string]string{"PORT": "80"}}}
	s.Parties[0].Image = &known
	if found := secretflow.Check(s); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}
