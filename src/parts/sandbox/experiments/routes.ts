import { randomBytes } from "node:crypto"
import type { ServedStore } from "../../../core/assembly/part.ts"
import { slots } from "../../../core/kernel/flow/slots.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { createRouter, type Router } from "../../../core/server/exchange/router.ts"
import { readRequestBody } from "../../../core/server/reading/body.ts"
import { cookieOf, setCookie } from "../../../core/server/reading/cookies.ts"
import { privatePage } from "../../../core/server/writing/page-response.ts"
import { storeScript } from "../../site/pages/assets.ts"
import { renderPage } from "../../site/pages/frame.ts"
import { siteOf } from "../../site/part.ts"
import { sitePath } from "../../site/serving/cookies.ts"
import { failureOf } from "../../site/serving/failure.ts"
import { requireOwnPage } from "../../site/serving/forms.ts"
import { surround } from "../../site/site.ts"
import type { VisibleSandboxes } from "../model.ts"
import { unplanned } from "../named/sandbox-entry.ts"
import { experimentsAt } from "./experiments.ts"
import { tryPath } from "./path.ts"
import { runExperiment } from "./run-experiment.ts"
import { type TryView, tryMain } from "./try-page.ts"

const formBytesMax = 1024
const cookieName = "petstore_try"
const sandboxSeconds = 3600

/** The page of experiments. `visible` has the named sandboxes; undefined where there are none. */
export function experimentRoutes(served: ServedStore, visible: () => VisibleSandboxes | undefined): Router {
  const router = createRouter()
  const { publicUrl, plans } = served.opened.ports
  const experiments = experimentsAt(plans.free)
  const site = siteOf(served)

  // Two experiments in one sandbox would see the requests of each other.
  const inTurn = createQueues({ perKey: 4, total: 100 })

  async function show(exchange: Exchange, view: Omit<TryView, "experiments" | "publicUrl">): Promise<HttpResponse> {
    const page = renderPage({
      ...surround(site, ".", await site.findVisitor(exchange)),
      title: "See it fail · Petstore",
      status: view.refused?.status ?? 200,
      cacheControl: "no-store",
      scripts: [storeScript.name],
      main: tryMain({ ...view, experiments, publicUrl: publicUrl() }),
    })
    return privatePage(exchange, page)
  }

  async function run(exchange: Exchange): Promise<HttpResponse> {
    requireOwnPage(exchange, publicUrl())
    const form = new URLSearchParams(String(await readRequestBody(exchange.request, formBytesMax)))
    const experiment = experiments.find(({ id }) => id === form.get("experiment"))
    const { create } = visible() ?? {}
    if (!create || !experiment) return served.http.respondNotFound(exchange)
    const sandbox = keptName(exchange) ?? `try-${randomBytes(6).toString("hex")}`
    try {
      await create(unplanned(sandbox), exchange.address)
      keepName(exchange, sandbox, publicUrl())
      const done = await inTurn(sandbox, () => runExperiment(exchange, experiment, sandbox))
      return await show(exchange, { sandbox, run: done })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return show(exchange, { sandbox: keptName(exchange), refused: { experiment, ...failureOf(exchange, error) } })
    }
  }

  router.add(["GET"], tryPath, {
    admission: "files",
    isPage: true,
    handle: (exchange) =>
      visible() ? show(exchange, { sandbox: keptName(exchange) }) : served.http.respondNotFound(exchange),
  })
  router.add(["POST"], tryPath, { admission: "anonymous", isPage: true, isAdministrative: true, handle: run })
  return router
}

/** The sandbox that this browser has used. */
function keptName({ request }: Exchange): string | undefined {
  const name = cookieOf(request.headers.cookie, cookieName)
  return name !== undefined && /^try-[0-9a-f]{12}$/.test(name) ? name : undefined
}

function keepName(exchange: Exchange, value: string, publicUrl: string): void {
  const path = sitePath(publicUrl) + tryPath
  const secure = publicUrl.startsWith("https:")
  exchange.header("set-cookie", setCookie({ name: cookieName, value, path, maxAgeSeconds: sandboxSeconds, secure }))
}

/** Runs work with the same key one after the other. Throws the 503 when too much waits. */
function createQueues(max: { perKey: number; total: number }) {
  const waiting = slots<string>(max)
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const leave = waiting.take(key)
    if (typeof leave === "string") throw new Problem("unavailable", "Other experiments are running", { retryAfter: 5 })
    const result = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, result)
    try {
      return await result
    } finally {
      leave()
      if (last.get(key) === result) last.delete(key)
    }
  }
}
