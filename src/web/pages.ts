import type { FastifyInstance, FastifyRequest } from "fastify"
import { sendResponse } from "../http/messages/send-response.ts"
import { basePath } from "../kernel/path.ts"
import { favicon } from "./animals.ts"
import { openDescription } from "./description.ts"
import { firstPage } from "./first-page.ts"
import { problemIndex, problemPage } from "./problem-pages.ts"
import { openReference } from "./reference.ts"
import type { Site } from "./site.ts"

/** What a person sees: the first page, the reference, and a page behind every problem's `type`. */
export function servePages(app: FastifyInstance, site: Site): void {
  const describe = openDescription(site)
  const { referencePage, referenceScript } = openReference(site)

  app.get(`${basePath}/openapi.json`, async (request, reply) =>
    sendResponse(reply, await describe(acceptsGzip(request))),
  )
  app.get("/", async (_request, reply) => sendResponse(reply, await firstPage(site)))
  app.get("/problems", (_request, reply) => sendResponse(reply, problemIndex()))
  app.get<{ Params: { code: string } }>("/problems/:code", (request, reply) => {
    const page = problemPage(request.params.code, site)
    return page ? sendResponse(reply, page) : reply.callNotFound()
  })
  app.get("/docs", async (_request, reply) => sendResponse(reply, await referencePage()))
  app.get<{ Params: { name: string } }>("/docs/:name", async (request, reply) => {
    const script = await referenceScript(request.params.name, acceptsGzip(request))
    return script ? sendResponse(reply, script) : reply.callNotFound()
  })
  for (const path of ["/favicon.svg", "/favicon.ico"]) app.get(path, (_request, reply) => sendResponse(reply, favicon))
  for (const path of ["/docs", "/problems"]) app.get(`${path}/`, (_request, reply) => reply.redirect(`..${path}`, 308))
}

const acceptsGzip = ({ headers }: FastifyRequest): boolean => /\bgzip\b/.test(String(headers["accept-encoding"]))
