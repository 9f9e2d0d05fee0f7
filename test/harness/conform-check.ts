import type { Check, ConformChapter } from "../../src/examiner/conform/check.ts"
import type { Subject } from "../../src/examiner/conform/subject.ts"
import { giveVerdict } from "../../src/examiner/verdict.ts"

/** A request of a check, such as `GET /pet/1`, and its body, if it has one. */
export type CheckRequest = { request: string; body: unknown }
/** A response to a check, by default 200; `value` is sent as JSON. */
export type CheckResponse = { status?: number; headers?: Record<string, string>; value?: unknown; text?: string }

/** The verdict of a check about a service that responds like this to its n-th request, and the requests. */
export async function judgeCheck(
  { tasks }: ConformChapter,
  name: string,
  respond: (request: CheckRequest, n: number) => CheckResponse | Promise<CheckResponse>,
): Promise<{ verdict: string; requests: string[] }> {
  const { examine } = tasks.find((task) => task.name === name) as Check
  const requests: string[] = []
  const subject: Subject = {
    url: "http://a",
    limitedKey: "limited",
    readerKey: "reader",
    sent: () => [],
    [Symbol.asyncDispose]: async () => undefined,
    async send(method, path, { body } = {}) {
      const request = `${method} ${path}`
      const n = requests.push(request)
      const {
        status = 200,
        headers = {},
        value = {},
        text = JSON.stringify(value),
      } = await respond({ request, body }, n)
      return { status, headers: new Headers(headers), text, request, address: new URL(path, "http://a").href }
    },
  }
  const { outcome, observed } = await giveVerdict(
    () => examine(subject),
    () => [],
  )
  return { verdict: observed === undefined ? outcome : `${outcome}: ${observed}`, requests }
}

/** The verdict of a check about a service with these responses, one after the other, the last one also to later requests. */
export async function verdictOf(chapter: ConformChapter, name: string, ...responses: CheckResponse[]): Promise<string> {
  const { verdict } = await judgeCheck(chapter, name, (_request, n) => responses[n - 1] ?? responses.at(-1) ?? {})
  return verdict
}
