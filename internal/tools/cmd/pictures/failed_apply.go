package main

// failedApply shows what the state has after a failed apply, and what the next one does.
func failedApply() *canvas {
	c := newCanvas("Where an apply can fail, what the state then has, and what the next apply does",
		"An apply checks, sends a request, saves the state, and waits until every party runs. A refused check changes nothing. If the process is killed after a create, the object may exist without being in the state: the next apply fails with an import block or, with adopt_existing, adopts it. If the wait after a create fails, the serving is tainted and the next apply replaces it, unless it is untainted. If the wait after an update fails, the new values are kept and the next apply waits again.", 388)
	column := func(i, y int) area { return area{20 + 155*i, y, 140, 76} }
	c.label("start", point{20, 30}, "An apply")
	check := c.box(column(0, 40), provider, "Check", "before anything", "is sent")
	send := c.box(column(1, 40), provider, "Send", "a lost response:", "object is queried")
	save := c.box(column(2, 40), provider, "Save", "rollout_complete", "= false")
	wait := c.box(column(3, 40), provider, "Wait", "until every party", "runs")
	runs := c.box(column(4, 40), good, "Runs", "rollout_complete", "= true")
	c.arrow(check.right(), send.left())
	c.arrow(send.right(), save.left())
	c.arrow(save.right(), wait.left())
	c.arrow(wait.right(), runs.left())

	c.label("end", point{780, 196}, "after a failure,", "the state has")
	refused := c.box(column(0, 172), plain, "Unchanged", "the check or Kuscia", "refused it")
	lost := c.box(column(1, 172), bad, "Nothing", "killed: the object", "may exist")
	tainted := c.box(column(2, 172), warning, "Tainted", "the new serving", "does not run")
	kept := c.box(column(3, 172), warning, "Kept", "the new values, but", "old pods may run")
	c.arrow(check.bottomAt(check.middle()), refused.topAt(check.middle()))
	c.arrow(send.bottomAt(send.middle()), lost.topAt(send.middle()))
	c.arrow(wait.bottomAt(535), point{535, 146}, point{tainted.middle(), 146}, tainted.topAt(tainted.middle()))
	c.label("middle", point{450, 140}, "a create")
	c.arrow(wait.bottomAt(570), kept.topAt(570))
	c.label("start", point{578, 148}, "an update")

	c.label("end", point{780, 322}, "the next apply")
	again := c.box(column(0, 292), plain, "Tries again")
	adopted := c.box(column(1, 292), good, "Adopted", "adopt_existing,", "else import block")
	replaced := c.box(column(2, 292), plain, "Replaced", "or kept with", "terraform untaint")
	waits := c.box(column(3, 292), plain, "Waits again", "nothing is", "rolled back")
	for _, pair := range [][2]area{{refused, again}, {lost, adopted}, {tainted, replaced}, {kept, waits}} {
		c.arrow(pair[0].bottomAt(pair[0].middle()), pair[1].topAt(pair[0].middle()))
	}
	return c
}
