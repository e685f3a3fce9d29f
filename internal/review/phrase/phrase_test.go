package phrase_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// TestBrackets: in Chinese no blank follows a bracket.
func TestBrackets(t *testing.T) {
	t.Parallel()
	p := phrase.Say("{} of {}", phrase.Show("b"), phrase.Say("{} (data source)", phrase.Show("a")))
	if got := p.Plain(phrase.Chinese); got != `"a"（数据源）的 "b"` {
		t.Error(got)
	}
}

// TestClauses: a sentence in Chinese joins what it says in another way than names, and has a space
// between a letter of Chinese and a value or a number.
func TestClauses(t *testing.T) {
	t.Parallel()
	servings := func(names phrase.Phrase) phrase.Phrase {
		return phrase.Say("interrupts {}", phrase.Say("the servings {}", names))
	}
	names := phrase.And(phrase.Show("a"), phrase.Show("b"), phrase.Show("c"))
	several := phrase.Say("restarts {}", phrase.Count(4, "{} edge deployment", "{} edge deployments"))
	for _, test := range []struct {
		said             []phrase.Phrase
		english, chinese string
	}{
		{nil, `This plan .`, `此计划。`},
		{[]phrase.Phrase{several}, `This plan restarts 4 edge deployments.`, `此计划重启 4 个边缘部署。`},
		{
			[]phrase.Phrase{servings(names), several},
			`This plan interrupts the servings "a", "b" and "c" and restarts 4 edge deployments.`, `此计划中断服务 "a"、"b" 和 "c"，并重启 4 个边缘部署。`,
		},
		{
			[]phrase.Phrase{servings(names), several, phrase.Say("creates {}", phrase.Say("the app image {}", phrase.Show("d")))},
			`This plan interrupts the servings "a", "b" and "c", restarts 4 edge deployments and creates the app image "d".`,
			`此计划中断服务 "a"、"b" 和 "c"，重启 4 个边缘部署，并新建应用镜像 "d"。`,
		},
	} {
		sentence := phrase.Say("This plan {}.", phrase.Clauses(test.said...))
		if got := sentence.Plain(phrase.English); got != test.english {
			t.Errorf("%s, want %s", got, test.english)
		}
		if got := sentence.Plain(phrase.Chinese); got != test.chinese {
			t.Errorf("%s, want %s", got, test.chinese)
		}
	}
}
