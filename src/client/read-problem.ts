import type { ProblemDocument } from "../core/kernel/schema/problem-document.ts"

/** The part of a response that the client reads. */
export type FetchResponse = Pick<Response, "ok" | "status" | "statusText" | "headers" | "text">

/** The problem of a response; generated when the response is not from the service, for example from a proxy. */
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

/** The problem for an unexpected response. */
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
