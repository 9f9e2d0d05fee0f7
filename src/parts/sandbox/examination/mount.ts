import type { ServedStore } from "../../../core/assembly/part.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import { html } from "../../site/pages/html.ts"
import { siteOf } from "../../site/part.ts"
import { contains } from "../../site/search/found.ts"
import type { NamedSandboxes } from "../named/named.ts"
import { examPath } from "./path.ts"

/** Adds the pages of the exam, and a link to them where the site starts. */
export function addExam(router: Router, served: ServedStore, sandboxes: () => NamedSandboxes | undefined): void {
  router.addPart(examPath, {
    isPage: true,
    async load() {
      const { examRoutes } = await import("./routes.ts")
      return examRoutes(served, sandboxes)
    },
  })
  const site = siteOf(served)
  site.introductions.push(() => sandboxes()?.visible() && introduction)
  site.finders.push(({ root }, text) => [
    {
      title: "Actions",
      hits: sandboxes()?.visible() && contains(text, label) ? [{ label, note: "", href: `${root}${examPath}` }] : [],
    },
  ])
}

const label = "Examine a client"
const introduction = html`<p>How good is your client? <a href=".${examPath}">Examine it</a></p>`
