import { Refused } from "../../client/client.ts"
import { CannotStart } from "../../core/kernel/cannot-start.ts"
import type { Violation } from "../../core/kernel/problem.ts"
import { visible } from "../../core/kernel/visible.ts"
import { command } from "../../program.ts"
import { Interrupted, type Paint, RetriesExhausted, type Service, UsageError } from "../command/command.ts"

/** What a message says of the service. */
type FailedService = Pick<Service, "url" | "isLocal" | "credential">

/** The message for a failure, and its exit code. */
export function explainFailure(
  error: unknown,
  service: FailedService | undefined,
  { json, paint }: { json: boolean; paint: Paint },
): { text: string; code: number } {
  const failed = (text: string, code = 1) => ({ text: `${paint("red", "petstore:")} ${text}\n`, code })
  if (error instanceof Interrupted) return { text: "", code: error.exitCode }
  if (error instanceof UsageError) return failed(error.message, 2)
  if (error instanceof Refused && json) return { text: `${JSON.stringify(error.problem)}\n`, code: 1 }
  if (error instanceof Refused) return failed(formatProblem(error, service))
  if (error instanceof RetriesExhausted || error instanceof CannotStart) return failed(error.message)
  const unreachable = service && explainConnection(error, service)
  if (unreachable) return failed(unreachable)
  if ((error as NodeJS.ErrnoException).syscall) return failed((error as Error).message)
  return failed(String((error as Error).stack ?? error))
}

function formatProblem({ problem, headers }: Refused, service: FailedService | undefined): string {
  const retryAfter = headers.get("retry-after")
  const lines = [
    // The detail of a list of violations repeats them.
    visible(problem.errors?.length ? problem.title : problem.detail),
    ...(problem.errors ?? []).map(
      (violation) => `  ${formatLocation(violation)} ${violation.detail} (${violation.code})`,
    ),
    `  code       ${problem.code} (${problem.status})`,
    ...(problem.requestId ? [`  requestId  ${problem.requestId}`] : []),
    ...(retryAfter === null ? [] : [`  Try again in ${retryAfter} s.`]),
    ...(problem.code === "named-sandbox-required" ? [`  On the command line: ${command} --sandbox NAME …`] : []),
    ...(problem.status === 401 && service ? hints[service.credential.kind] : []),
  ]
  return lines.join("\n")
}

const hints = {
  given: [],
  login: [`  The token of your login was refused; it may have expired. Run ${command} login again.`],
  none: [`  No credential was sent. Set PETSTORE_API_KEY, or run ${command} login.`],
  public: [`  Without a credential, the sandbox's key was sent. Set PETSTORE_API_KEY, or run ${command} login.`],
}

const formatLocation = (violation: Violation): string =>
  visible("pointer" in violation ? violation.pointer || "the body" : violation.parameter)

/** Explains why the service is unreachable; undefined for other errors. */
export function explainConnection(
  error: unknown,
  { url, isLocal }: Pick<FailedService, "url" | "isLocal">,
): string | undefined {
  if (!(error instanceof TypeError) && !(error instanceof DOMException)) return undefined
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  if (error instanceof DOMException) return `${url} did not respond in time`
  if (!cause) return undefined
  if (cause.code === "ECONNREFUSED")
    return `nothing is listening at ${url}. ${isLocal ? `Start the service with: ${command} serve` : "Check the address."}`
  if (cause.code === "ENOTFOUND") return `unknown host ${new URL(url).hostname}. Check the address.`
  return `the connection to ${url} failed: ${cause.message || cause.code}`
}
