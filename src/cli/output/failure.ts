import { Refused } from "../../client/client.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import type { Violation } from "../../kernel/problem.ts"
import { visible } from "../../kernel/visible.ts"
import { Interrupted, RetriesExhausted, type Service, UsageError } from "../command.ts"

/** The message for a failure, and its exit code. */
export function explainFailure(
  error: unknown,
  service: Service | undefined,
  json: boolean,
): { text: string; code: number } {
  if (error instanceof Interrupted) return { text: "", code: error.exitCode }
  if (error instanceof UsageError) return { text: `petstore: ${error.message}\n`, code: 2 }
  if (error instanceof Refused && json) return { text: `${JSON.stringify(error.problem)}\n`, code: 1 }
  if (error instanceof Refused) return { text: formatProblem(error, service), code: 1 }
  if (error instanceof RetriesExhausted || error instanceof CannotStart)
    return { text: `petstore: ${error.message}\n`, code: 1 }
  const unreachable = service && explainConnection(error, service)
  if (unreachable) return { text: `petstore: ${unreachable}\n`, code: 1 }
  if ((error as NodeJS.ErrnoException).syscall) return { text: `petstore: ${(error as Error).message}\n`, code: 1 }
  return { text: `petstore: ${(error as Error)?.stack ?? error}\n`, code: 1 }
}

function formatProblem({ problem, headers }: Refused, service: Service | undefined): string {
  const retryAfter = headers.get("retry-after")
  const lines = [
    `petstore: ${visible(problem.detail)}`,
    ...(problem.errors ?? []).map((violation) => `  ${formatPlace(violation)} ${violation.detail} (${violation.code})`),
    `  code       ${problem.code} (${problem.status})`,
    ...(problem.requestId ? [`  requestId  ${problem.requestId}`] : []),
    ...(retryAfter === null ? [] : [`  Try again in ${retryAfter} s.`]),
    ...(problem.status === 401 && service ? hints[service.credential.kind] : []),
  ]
  return `${lines.join("\n")}\n`
}

const hints = {
  given: [],
  login: ["  The token of your login was refused; it may have expired. Run petstore login again."],
  none: ["  No credential was sent. Set PETSTORE_API_KEY, or run petstore login."],
  sandbox: ["  Without a credential, the sandbox's key was sent. Set PETSTORE_API_KEY, or run petstore login."],
}

const formatPlace = (violation: Violation): string =>
  visible("pointer" in violation ? violation.pointer || "the body" : violation.parameter)

/** Explains why the service is unreachable; undefined for other errors. */
export function explainConnection(
  error: unknown,
  { url, isLocal }: Pick<Service, "url" | "isLocal">,
): string | undefined {
  if (!(error instanceof TypeError) && !(error instanceof DOMException)) return undefined
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  if (error instanceof DOMException) return `${url} did not respond in time`
  if (!cause) return undefined
  if (cause.code === "ECONNREFUSED")
    return `nothing is listening at ${url}. ${isLocal ? "Start the service with: petstore serve" : "Check the address."}`
  if (cause.code === "ENOTFOUND") return `unknown host ${new URL(url).hostname}. Check the address.`
  return `the connection to ${url} failed: ${cause.message || cause.code}`
}
