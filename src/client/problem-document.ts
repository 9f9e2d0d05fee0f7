import type { Violation } from "../kernel/problem.ts"

/** A problem document as it arrives (RFC 9457 and our extension members). */
export type ProblemDocument = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: string
  message: string
  requestId: string
  errors?: Violation[]
}

/** What is read of a response, whoever fetched it. */
export type FetchResponse = Pick<Response, "ok" | "status" | "statusText" | "headers" | "text">

/** The problem of a response; one is made for responses that are not the service's own, such as a proxy's. */
export function readProblem(url: string, response: FetchResponse, text: string): ProblemDocument {
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json")
  return (isProblem && parse(text)) || describeUnexpected(url, response, "without saying why")
}

function parse(text: string): ProblemDocument | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A problem for a response that the service would not give. */
export function describeUnexpected(url: string, { status, statusText }: FetchResponse, how: string): ProblemDocument {
  const { origin, pathname: instance } = new URL(url)
  const detail = `${origin} responded ${[status, statusText].join(" ").trim()} ${how}; is it a Petstore?`
  return {
    type: "about:blank",
    title: statusText,
    status,
    detail,
    instance,
    code: "unknown",
    message: detail,
    requestId: "",
  }
}
