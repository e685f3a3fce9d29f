package main

// release shows the steps of a release and its states.
func release() *canvas {
	c := newCanvas("A release in three steps, and its states",
		"Four pods of the old version. With the new image, step 1 replaces one pod; its approval starts step 2, with two new pods; the approval of step 2 starts step 3, with all. The states: healthy, then step in progress and, in turns with it, awaiting approval or a timed pause, then completing and healthy with last_release completed. The previous image, in any state of the release, leads to cancelling and to healthy with last_release cancelled.", 452)
	for i, stage := range []struct {
		name     string
		replaced int
		arrow    string
	}{{"before", 0, "new image"}, {"step 1: 1 pod", 1, "approve 1"}, {"step 2: 50%", 2, "approve 2"}, {"step 3: 100%", 4, ""}} {
		x := 20 + 213*i
		c.label("middle", point{x + 60, 34}, stage.name)
		c.dots(point{x + 27, 54}, 4, stage.replaced)
		if stage.arrow != "" {
			c.arrow(point{x + 126, 54}, point{x + 208, 54})
			c.label("middle", point{x + 167, 44}, stage.arrow)
		}
	}

	c.frame(area{20, 84, 760, 348}, "state of the data source kuscia_rollout")
	during := c.frame(area{294, 110, 474, 208}, "a release")
	healthy := c.box(area{36, 156, 168, 60}, good, "healthy", "all pods alike")
	progress := c.box(area{310, 156, 180, 60}, plain, "step in progress", "pods are replaced")
	approval := c.box(area{580, 156, 164, 60}, warning, "awaiting approval", "kuscia_rollout_approval")
	timed := c.box(area{580, 246, 164, 60}, plain, "timed pause", "of the step")
	completing := c.box(area{310, 246, 180, 60}, plain, "completing", "the last step is done")
	cancelling := c.box(area{310, 354, 180, 60}, bad, "cancelling", "the old pods come back")
	ended := c.box(area{36, 246, 168, 60}, good, "healthy", "last_release: completed")
	rolledBack := c.box(area{36, 354, 168, 60}, good, "healthy", "last_release: cancelled")

	c.arrow(healthy.right(), progress.left())
	c.label("middle", point{249, 178}, "new image")
	c.arrow(progress.right(), approval.left())
	c.label("middle", point{535, 178}, "step done")
	c.arrow(timed.right(), point{756, 276}, point{756, 132}, point{400, 132}, progress.topAt(400))
	c.line("", []point{approval.topAt(662), {662, 132}})
	c.label("middle", point{531, 126}, "approved, or pause over: next step")
	c.arrow(point{490, 206}, point{535, 206}, point{535, 276}, timed.left())
	c.label("start", point{543, 236}, "or")
	c.arrow(progress.bottomAt(400), completing.topAt(400))
	c.label("end", point{392, 235}, "last step")
	c.arrow(completing.left(), ended.right())
	c.arrow(during.bottomAt(662), point{662, 384}, cancelling.right())
	c.label("middle", point{576, 376}, "the previous image")
	c.arrow(cancelling.left(), rolledBack.right())
	return c
}
