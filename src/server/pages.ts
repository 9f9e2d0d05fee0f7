import scalar from "@scalar/fastify-api-reference"
import type { FastifyInstance, FastifyReply } from "fastify"
import { type ProblemCode, problems } from "../domain/problems.ts"
import type { Scope } from "../domain/scopes.ts"
import type { Endpoint } from "../kernel/endpoint.ts"
import { basePath } from "../kernel/path.ts"
import { Problem } from "../kernel/problem.ts"
import { openapi } from "./openapi/document.ts"

const pageMaxAge = 300

type Site = { api: Record<string, Endpoint<Scope, ProblemCode>>; version: string; sandbox: boolean }

/** What a person sees: the first page, the reference, and a page behind every problem's `type`. */
export async function servePages(app: FastifyInstance, site: Site): Promise<void> {
  const document = JSON.stringify(openapi(site.api, site.version))
  app.get(`${basePath}/openapi.json`, (_request, reply) =>
    reply
      .header("cache-control", `public, max-age=${pageMaxAge}`)
      .type("application/json; charset=utf-8")
      .send(document),
  )
  await app.register(
    scalar as never,
    {
      routePrefix: "/docs",
      configuration: { url: `${basePath}/openapi.json`, withDefaultFonts: false, telemetry: false },
    } as never,
  )
  app.get("/", (_request, reply) => sendPage(reply, "Petstore", firstPage(site)))
  app.get<{ Params: { code: string } }>("/problems/:code", (request, reply) => {
    const code = request.params.code as ProblemCode
    if (!Object.hasOwn(problems, code)) throw new Problem("not-found", "There is no such problem; see /docs")
    return sendPage(reply, problems[code].title, problemPage(code))
  })
}

const sendPage = (reply: FastifyReply, title: string, main: string): FastifyReply =>
  reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": `public, max-age=${pageMaxAge}`,
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    })
    .send(page(title, main))

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<main>${main}</main>
</html>
`

const problemPage = (code: ProblemCode): string => `<h1>${problems[code].title}</h1><p>${problems[code].meaning}</p>`

const firstPage = (_site: Site): string => "<h1>Petstore</h1>"
