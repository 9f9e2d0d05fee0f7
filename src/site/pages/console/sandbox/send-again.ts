import { randomUUID } from "node:crypto"
import { api } from "../../../../domain/api.ts"
import type { RecordedRequest } from "../../../../domain/sandbox/requests/contract.ts"
import type { Endpoint } from "../../../../kernel/endpoint/endpoint.ts"
import { problem } from "../../../../kernel/problem.ts"
import { html, type Markup } from "../../html.ts"
import { actionButton } from "../../parts/action-button.ts"
import type { Question } from "../../parts/question-main.ts"
import type { Action, Visit } from "../page.ts"
import { findRequest, isSafe, repeatedHeaders } from "./recorded.ts"

/** Why a request cannot be sent again; undefined when it can. */
function obstacleOf({ webhook, operation, request }: RecordedRequest): string | undefined {
  if (webhook !== undefined) return "This message was sent by the service; its delivery can be retried."
  if (operation !== undefined && streams.has(operation)) return "A stream has no end, so it cannot be sent again."
  if (request.isTruncated) return "Only the first 16 KiB of its body are recorded, so it cannot be sent again."
  return isRecordedWhole(request) ? undefined : "Its body is not recorded as it was sent, so it cannot be sent again."
}

const streams: ReadonlySet<string> = new Set(
  Object.entries<Endpoint>(api).flatMap(([name, endpoint]) => (endpoint.streams ? [name] : [])),
)

/** Files and compressed bodies are left out, and what is not UTF-8 is replaced. */
function isRecordedWhole({ headers, body }: RecordedRequest["request"]): boolean {
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined
  return body === undefined ? !hasBody : !body.includes("\ufffd")
}

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
  const { method, path } = await findRequest(visit)
  return {
    title: `Send ${method} ${path} again?`,
    detail: "It is carried out once more, with your credential. Secrets in its body are recorded as ***, and sent so.",
    button: "Send again",
  }
}

/** Sends the request with a credential of the visitor, and shows what was recorded of it. */
export const sendAgain: Action = async (visit) => {
  const one = await findRequest(visit)
  const obstacle = obstacleOf(one)
  if (obstacle !== undefined) throw problem("invalid-parameter", obstacle)
  const mark = `again-${randomUUID()}`
  const headers = { ...Object.fromEntries(repeatedHeaders(one.request.headers)), "x-request-id": mark }
  const { method, path, request } = one
  await visit.send({ method, path, headers, body: request.body }, visit.params.name)
  const { listRequests } = await visit.sandbox(visit.params.name)
  const { value } = await listRequests({ query: { header: `x-request-id: ${mark}`, limit: 1 } })
  const list = visit.path.replace(/\/\d+$/, "") as `/${string}`
  return value[0] === undefined
    ? { to: list, notice: "The request was sent, and no longer recorded" }
    : { to: `${list}/${value[0].id}`, notice: "This is the request that was sent again" }
}
