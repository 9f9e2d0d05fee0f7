import type { FastifyInstance } from "fastify"
import { type ProblemCode, problems } from "../domain/problems.ts"
import { openapi } from "../http/openapi/document.ts"
import { basePath } from "../kernel/path.ts"
import { favicon } from "./animals.ts"
import { firstPage } from "./first-page.ts"
import { sendPage } from "./layout.ts"
import { problemIndex, problemPage } from "./problem-pages.ts"
import { serveReference } from "./reference.ts"
import type { Site } from "./site.ts"

const publicFor = "public, max-age=300"

/** What a person sees: the first page, the reference, and a page behind every problem's `type`. */
export function servePages(app: FastifyInstance, site: Site): void {
  const document = JSON.stringify(openapi(site.api, site.version))
  app.get(`${basePath}/openapi.json`, (_request, reply) =>
    reply.header("cache-control", publicFor).type("application/json; charset=utf-8").send(document),
  )
  app.get("/", async (_request, reply) => sendPage(reply, await firstPage(site), "no-cache"))
  app.get("/problems", (_request, reply) => sendPage(reply, problemIndex()))
  app.get<{ Params: { code: string } }>("/problems/:code", (request, reply) => {
    const { code } = request.params
    return Object.hasOwn(problems, code) ? sendPage(reply, problemPage(code as ProblemCode)) : reply.callNotFound()
  })
  for (const path of ["/favicon.svg", "/favicon.ico"])
    app.get(path, (_request, reply) => reply.header("cache-control", publicFor).type("image/svg+xml").send(favicon))
  serveReference(app, site)
  for (const path of ["/docs", "/problems"]) app.get(`${path}/`, (_request, reply) => reply.redirect(`..${path}`, 308))
}
