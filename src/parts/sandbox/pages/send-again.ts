import { randomUUID } from "node:crypto"
import { api } from "../../../core/domain/api.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { problem } from "../../../core/kernel/problem.ts"
import type { Action, Visit } from "../../console/pages/page.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { actionButton } from "../../site/pages/parts/action-button.ts"
import type { Question } from "../../site/pages/parts/question-main.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { findRequest, isSafe, missingBody, repeatedHeaders } from "./recorded.ts"
import { inSandbox } from "./sandbox-home.ts"
import { sandboxOf } from "./sandbox-visit.ts"

/** Why a request cannot be sent again; undefined when it can. */
function obstacleOf(one: RecordedRequest): string | undefined {
  const { webhook, operation } = one
  if (webhook !== undefined) return "This message was sent by the service; its delivery can be retried."
  if (operation !== undefined && streams.has(operation)) return "A stream has no end, so it cannot be sent again."
  const missing = missingBody(one)
  return missing && `It cannot be sent again: ${missing}.`
}

const streams: ReadonlySet<string> = new Set(
  Object.entries<Endpoint>(api).flatMap(([name, endpoint]) => (endpoint.streams ? [name] : [])),
)

/** The button; a request that may change something is asked about first. */
export function again(visit: Visit, one: RecordedRequest): Markup {
  const obstacle = obstacleOf(one)
  return obstacle === undefined
    ? actionButton(visit, {
        action: isSafe(one.method) ? "again" : "repeat",
        label: "Send again",
        variant: "quiet small",
      })
    : html`<span class="soft">${obstacle}</span>`
}

export async function questionOf(visit: Visit): Promise<Question> {
  const one = await findRequest(visit)
  const { method, path } = one
  const { name } = visit.params
  const credential = name === undefined ? "your credential" : `the well-known key of the sandbox ${name}`
  return {
    title: `Send ${method} ${path} again?`,
    detail: `${senderOf(one)} It is sent with ${credential}, and may do what the sender was not allowed to do. Secrets in its body are recorded as ***, and sent so.`,
    button: name === undefined ? "Send again as yourself" : "Send again with that key",
  }
}

function senderOf({ caller, status }: RecordedRequest): string {
  const sender = caller === undefined ? "It was sent without a valid credential" : `It was sent with ${caller}`
  return status !== undefined && status >= 400 ? `${sender}, and refused with ${status}.` : `${sender}.`
}

/** Sends a request that changes nothing. Others are sent only after the question, by the action `repeat`. */
export const readAgain: Action = async (visit, form) => {
  const { method } = await findRequest(visit)
  if (!isSafe(method)) throw problem("invalid-parameter", `${method} may change something: it is asked about first`)
  return sendAgain(visit, form)
}

/** Sends the request with a credential of the visitor, and shows what was recorded of it. */
export const sendAgain: Action = async (visit) => {
  const one = await findRequest(visit)
  const obstacle = obstacleOf(one)
  if (obstacle !== undefined) throw problem("invalid-parameter", obstacle)
  const mark = `again-${randomUUID()}`
  const headers = { ...Object.fromEntries(repeatedHeaders(one.request.headers)), "x-request-id": mark }
  const { method, path, request } = one
  await sandboxOf(visit).send({ method, path, headers, body: request.body }, visit.params.name)
  const { listRequests } = await inSandbox(visit)
  const { value } = await listRequests({ query: { header: `x-request-id: ${mark}`, limit: 1 } })
  const list = visit.path.replace(/\/\d+$/, "") as `/${string}`
  return value[0] === undefined
    ? { to: list, notice: "The request was sent, and no longer recorded" }
    : { to: `${list}/${value[0].id}`, notice: "This is the request that was sent again" }
}
