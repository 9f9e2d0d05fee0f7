import { Refused } from "../client/client.ts"
import type { Violation } from "../kernel/problem.ts"
import { GivenUp, type Service, UsageError } from "./command.ts"
import { visible } from "./table.ts"

/** What a person is told about a failure, and the exit code it ends with. */
export function explainFailure(
  error: unknown,
  service: Service | undefined,
  json: boolean,
): { text: string; code: 1 | 2 } {
  if (error instanceof UsageError) return { text: `petstore: ${error.message}\n`, code: 2 }
  if (error instanceof Refused && json) return { text: `${JSON.stringify(error.problem)}\n`, code: 1 }
  if (error instanceof Refused) return { text: problem(error, service), code: 1 }
  if (error instanceof GivenUp) return { text: `petstore: ${error.message}\n`, code: 1 }
  const unreachable = service && connectionFailure(error, service)
  if (unreachable) return { text: `petstore: ${unreachable}\n`, code: 1 }
  if ((error as NodeJS.ErrnoException).syscall) return { text: `petstore: ${(error as Error).message}\n`, code: 1 }
  return { text: `petstore: ${(error as Error)?.stack ?? error}\n`, code: 1 }
}

function problem({ problem, headers }: Refused, service: Service | undefined): string {
  const retryAfter = headers.get("retry-after")
  const lines = [
    `petstore: ${visible(problem.detail)}`,
    ...(problem.errors ?? []).map((violation) => `  ${placeOf(violation)} ${violation.detail} (${violation.code})`),
    `  code       ${problem.code} (${problem.status})`,
    ...(problem.requestId ? [`  requestId  ${problem.requestId}`] : []),
    ...(retryAfter === null ? [] : [`  Try again in ${retryAfter} s.`]),
    ...(problem.status === 401 && service ? hints[service.credential] : []),
  ]
  return `${lines.join("\n")}\n`
}

const hints = {
  given: [],
  none: ["  No key was sent. Give one with --api-key or PETSTORE_API_KEY."],
  sandbox: ["  No key was given, so the sandbox's was tried. Give one with --api-key or PETSTORE_API_KEY."],
}

const placeOf = (violation: Violation): string =>
  visible("pointer" in violation ? violation.pointer || "the body" : violation.parameter)

/** A sentence about why the service could not be reached, or undefined when the error is about something else. */
export function connectionFailure(error: unknown, { url, isLocal }: Service): string | undefined {
  if (!(error instanceof TypeError) && !(error instanceof DOMException)) return undefined
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  if (error instanceof DOMException) return `${url} did not answer in time`
  if (!cause) return undefined
  if (cause.code === "ECONNREFUSED")
    return `nothing answers at ${url}. ${isLocal ? "Start the service with: petstore serve" : "Is the address right?"}`
  if (cause.code === "ENOTFOUND") return `there is no host ${new URL(url).hostname}. Is the address right?`
  return `the connection to ${url} failed: ${cause.message || cause.code}`
}
