import { randomBytes } from "node:crypto"
import type { ServedStore } from "../../../core/assembly/part.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { jsonType } from "../../../core/kernel/network/media-types.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { createRouter, type Router } from "../../../core/server/exchange/router.ts"
import { readRequestBody } from "../../../core/server/reading/body.ts"
import { redirect } from "../../../core/server/writing/page-response.ts"
import { validatePage } from "../../../core/server/writing/validate-page.ts"
import { writeJunit } from "../../../examiner/write-junit.ts"
import type { Surrounded } from "../../site/pages/frame.ts"
import { siteOf } from "../../site/part.ts"
import type { Calls } from "../../site/serving/call.ts"
import { callerOf } from "../../site/serving/caller.ts"
import { failureOf } from "../../site/serving/failure.ts"
import { requireOwnPage } from "../../site/serving/forms.ts"
import { surround } from "../../site/site.ts"
import { enterNamed } from "../console/sandbox-access.ts"
import type { NamedSandboxes } from "../named/named.ts"
import { unplanned } from "../named/sandbox-entry.ts"
import type { Exam, examEndpoints } from "./contract.ts"
import { examPage, startPage } from "./exam-page.ts"
import { examPath } from "./path.ts"
import { badgeOf, verdictsOf } from "./verdicts.ts"

const formBytesMax = 1024

/** The results of an exam as files. */
const files: Readonly<Record<string, { type: string; write(exam: Exam): string }>> = {
  "exam.json": { type: jsonType, write: (exam) => JSON.stringify(verdictsOf(exam), undefined, 2) },
  "junit.xml": { type: "application/xml", write: (exam) => writeJunit(verdictsOf(exam)) },
  "badge.svg": { type: "image/svg+xml", write: badgeOf },
}

type Show = (exchange: Exchange) => Promise<HttpResponse>

/**
 * The pages of the exam: each exam is a sandbox, made for a visitor, and its page a view of two operations. `sandboxes` are undefined
 * before the service is served.
 */
export function examRoutes(served: ServedStore, sandboxes: () => NamedSandboxes | undefined): Router {
  const router = createRouter()
  const { publicUrl } = served.opened.ports
  const site = siteOf(served)
  const around: Surround = async (exchange, root) => surround(site, root, await site.findVisitor(exchange))
  const { create, start, show, download } = examPages(served, sandboxes, around)

  /** A problem is shown where an exam starts. */
  const orStart = (root: string, run: Show): Show =>
    async function respond(exchange) {
      try {
        return await run(exchange)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return startPage(await around(exchange, root), failureOf(exchange, error))
      }
    }
  const add = (path: string, root: string, run: Show) =>
    router.add(["GET"], examPath + path, {
      admission: "files",
      isPage: true,
      handle: async (exchange) => validatePage(exchange, await orStart(root, run)(exchange)),
    })
  const post = (path: string, root: string, run: Show) =>
    router.add(["POST"], examPath + path, {
      admission: "anonymous",
      isPage: true,
      isAdministrative: true,
      handle(exchange) {
        requireOwnPage(exchange, publicUrl())
        return orStart(root, run)(exchange)
      },
    })

  add("", ".", async (exchange) => startPage(await around(exchange, ".")))
  add("/:name", "..", show)
  add("/:name/:file", "../..", download)
  post("", ".", create)
  post("/:name", "..", start)
  return router
}

type Surround = (exchange: Exchange, root: string) => Promise<Surrounded>

function examPages({ http }: ServedStore, sandboxes: () => NamedSandboxes | undefined, around: Surround) {
  async function callIn(exchange: Exchange): Promise<Calls<typeof examEndpoints>> {
    const named = sandboxes()
    const name = exchange.params.name ?? ""
    if (!named) throw new Problem("sandbox-not-found", `There is no sandbox ${name}`)
    const { api, ...by } = await enterNamed(named, exchange, name)
    return callerOf<typeof examEndpoints>(api, api.admitKnown)(exchange, by)
  }

  const read = async (exchange: Exchange) => (await (await callIn(exchange)).getExam()).value

  return {
    async create(exchange: Exchange): Promise<HttpResponse> {
      const { create } = sandboxes()?.visible() ?? {}
      if (!create) return http.respondNotFound(exchange)
      const name = `exam-${randomBytes(6).toString("hex")}`
      await create({ ...unplanned(name), seed: "classic" }, exchange.address)
      return redirect(`.${examPath}/${name}`)
    },
    async start(exchange: Exchange): Promise<HttpResponse> {
      const form = new URLSearchParams(String(await readRequestBody(exchange.request, formBytesMax)))
      const [task = "", step = "1"] = (form.get("start") ?? "").split(" ")
      await (await callIn(exchange)).startExamTask({ params: { task }, query: { step: Number(step) } })
      return redirect(`./${exchange.params.name}`)
    },
    show: async (exchange: Exchange): Promise<HttpResponse> =>
      examPage(await around(exchange, ".."), exchange.params.name ?? "", await read(exchange)),
    async download(exchange: Exchange): Promise<HttpResponse> {
      const file = files[exchange.params.file ?? ""]
      if (!file) return http.respondNotFound(exchange)
      const body = file.write(await read(exchange))
      return { status: 200, headers: ["content-type", file.type, "cache-control", "no-cache"], body }
    },
  }
}
