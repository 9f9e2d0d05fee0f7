import type { ServedStore } from "../../../core/assembly/part.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import { html } from "../../site/pages/html.ts"
import { siteOf } from "../../site/part.ts"
import { contains } from "../../site/search/found.ts"
import type { VisibleSandboxes } from "../model.ts"
import { type Experiment, experimentsAt } from "./experiments.ts"
import { tryPath } from "./path.ts"

/** Adds the page of experiments, and links to it where the site begins. `visible` is undefined where there are no named sandboxes. */
export function addExperiments(router: Router, served: ServedStore, visible: () => VisibleSandboxes | undefined): void {
  router.addPart(tryPath, {
    isPage: true,
    async load() {
      const { experimentRoutes } = await import("./routes.ts")
      return experimentRoutes(served, visible)
    },
  })
  const experiments = experimentsAt(served.opened.ports.plans.free)
  const introduction = introductionOf(experiments)
  const site = siteOf(served)
  site.introductions.push(() => visible() && introduction)
  site.finders.push(({ root }, text) => [
    {
      title: "Actions",
      hits: (visible() ? experiments : [])
        .filter(({ name }) => contains(text, `See it fail: ${name}`))
        .map(({ id, name }) => ({ label: `See it fail: ${name}`, note: "", href: `${root}${tryPath}#${id}` })),
    },
  ])
}

const introductionOf = (experiments: readonly Experiment[]) =>
  html`<p>See it fail: ${experiments.map(
    ({ id, name }, n) => html`${n > 0 && " · "}<a href=".${tryPath}#${id}">${name}</a>`,
  )}</p>`
