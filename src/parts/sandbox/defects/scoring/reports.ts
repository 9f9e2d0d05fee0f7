import { SaxesParser } from "saxes"

/**
 * What failed in a report, as operation, check and status: JUnit XML, HAR (requests that ended with 5xx), or Newman's
 * JSON. Throws SyntaxError for others.
 */
export function failuresIn(report: string): ReadonlySet<string> {
  const text = report.trimStart()
  return new Set(text.startsWith("<") ? failuresOfJunit(text) : failuresOfJson(JSON.parse(text)))
}

/** `testcase` elements that have a `failure` or an `error`. */
function failuresOfJunit(text: string): string[] {
  const failed: string[] = []
  let [current, message] = ["", ""]
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw new SyntaxError(error.message)
  })
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "testcase") current = [attributes.classname, attributes.name].filter(Boolean).join(" ")
    message = attributes.message ?? ""
  })
  const add = (more: string) => {
    message += more
  }
  parser.on("text", add)
  parser.on("cdata", add)
  parser.on("closetag", ({ name }) => {
    if (name === "failure" || name === "error") failed.push(...checksIn(message).map((check) => current + check))
  })
  parser.write(text).close()
  return failed
}

/**
 * The checks of a list with the status of the response below it, as Schemathesis writes them, or the checks of Dredd's message; without
 * these, one. With the last status that is named.
 */
function checksIn(message: string): string[] {
  const blocks = message.split(/^ *\[(\d{3})\]/m)
  const listed = blocks.flatMap((block, n) =>
    n % 2 === 1 ? [] : [...block.matchAll(/^ *- (.+)$/gm)].map(([, check]) => withStatus(`: ${check}`, blocks[n + 1])),
  )
  if (listed.length > 0) return listed
  const [, status] = [...message.matchAll(/\bstatus(?: ?code)?\b\W*(\d{3})\b/gi)].at(-1) ?? []
  const [, ofDredd = ""] = /^Message:\n(.*?)\n\n/s.exec(message) ?? []
  const checks = [...ofDredd.matchAll(/^(headers|body|statusCode): /gm)].map(([, check]) => `: ${check}`)
  return (checks.length > 0 ? checks : [""]).map((check) => withStatus(check, status))
}

const withStatus = (text: string, status: string | number | undefined): string =>
  status === undefined ? text : `${text} ${status}`

type Har = { log: { entries: { request: { method: string; url: string }; response: { status: number } }[] } }
type Source = { id?: string; name?: string }
type Newman = {
  run: {
    failures: { source?: Source; error?: { test?: string; message?: string } }[]
    executions?: { item?: Source; response?: { code?: number } }[]
  }
}

function failuresOfJson({ log, run }: Partial<Har & Newman>): string[] {
  if (log?.entries)
    return log.entries
      .filter(({ response }) => response.status >= 500)
      .map(({ request, response }) => `${request.method} ${new URL(request.url).pathname} ${response.status}`)
  if (run?.failures)
    return run.failures.map(({ source, error }) => {
      const execution = run.executions?.find(({ item }) => item?.id !== undefined && item.id === source?.id)
      const failed = `${source?.name ?? ""} ${error?.test ?? error?.message ?? ""}`
      return withStatus(failed, execution?.response?.code)
    })
  throw new SyntaxError("it is neither JUnit XML, HAR nor Newman's JSON")
}
