import { SaxesParser } from "saxes"

/** The names of what failed in a report: JUnit XML, HAR (requests that ended with 5xx), or Newman's JSON. Throws SyntaxError for others. */
export function failuresIn(report: string): ReadonlySet<string> {
  const text = report.trimStart()
  return new Set(text.startsWith("<") ? failuresOfJunit(text) : failuresOfJson(JSON.parse(text)))
}

/**
 * `testcase` elements that have a `failure` or an `error`. A message that is a list of failures, as of Schemathesis, is one
 * failure for each.
 */
function failuresOfJunit(text: string): string[] {
  const failed = new Set<string>()
  let [current, message] = ["", ""]
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw new SyntaxError(error.message)
  })
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "testcase") current = [attributes.classname, attributes.name].filter(Boolean).join(" ")
    message = attributes.message ?? ""
  })
  parser.on("text", (more) => {
    message += more
  })
  parser.on("closetag", ({ name }) => {
    if (name !== "failure" && name !== "error") return
    const listed = [...message.matchAll(/^ *- (.+)$/gm)].map(([, failure]) => `${current}: ${failure}`)
    for (const failure of listed.length > 0 ? listed : [current]) failed.add(failure)
  })
  parser.write(text).close()
  return [...failed]
}

type Har = { log: { entries: { request: { method: string; url: string }; response: { status: number } }[] } }
type Newman = { run: { failures: { source?: { name?: string }; error?: { test?: string; message?: string } }[] } }

function failuresOfJson(report: Partial<Har & Newman>): string[] {
  if (report.log?.entries)
    return report.log.entries
      .filter(({ response }) => response.status >= 500)
      .map(({ request, response }) => `${request.method} ${new URL(request.url).pathname} ${response.status}`)
  if (report.run?.failures)
    return report.run.failures.map(
      ({ source, error }) => `${source?.name ?? ""} ${error?.test ?? error?.message ?? ""}`,
    )
  throw new SyntaxError("it is neither JUnit XML, HAR nor Newman's JSON")
}
