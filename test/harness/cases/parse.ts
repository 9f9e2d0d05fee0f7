/** A line of a file and its number. */
type Line = { text: string; at: number }
type Headers = [name: string, value: string][]
export type Expected = { at: number; status: number; isExact: boolean; headers: Headers; body: string }
export type Request = { at: number; method: string; target: string; headers: Headers; body: string; expected: Expected }
/** Moves the service's clock, by an ISO 8601 duration. */
type Advance = { at: number; advance: string }
export type Step = Request | Advance
/** A title with its steps, once for each row of its table. */
type Case = { title: string; at: number; runs: Step[][] }
export type CaseFile = { env: Record<string, string>; base: string; setup: Step[]; cases: Case[] }

const placeholder = /\{\{(.+?)\}\}/g
const isRepeated = (inner: string): boolean => /^.+\*\d+$/s.test(inner)

/** Parses a file of cases, whose format CONTRIBUTING describes; throws an error that starts with the number of a line. */
export function parseCases(text: string): CaseFile {
  const lines = text.split("\n").map((text, index) => ({ text: text.trimEnd(), at: index + 1 }))
  const starts = lines.flatMap(({ text }, index) => (text.startsWith("###") ? [index] : []))
  const [first = lines.length] = starts
  const known = new Map<string, Line>()
  const file: CaseFile = { env: {}, base: "/api/v3", setup: [], cases: [] }
  file.setup = stepsOf(readHead(lines.slice(0, first), file), known)
  const used = new Set<string>()
  const titles = new Set<string>()
  for (const [n, start] of starts.entries()) {
    const parsed = caseOf(lines.slice(start, starts[n + 1]), known, used)
    if (titles.has(parsed.title)) fail(lines[start], "another case has this title")
    titles.add(parsed.title)
    file.cases.push(parsed)
  }
  if (file.cases.length === 0) fail(lines[0], "there is no case")
  for (const [name, line] of known) if (!used.has(name)) fail(line, `{{${name}}} is not used`)
  return file
}

/** Reads the settings of the file, and returns the lines of its steps. */
function readHead(lines: Line[], file: CaseFile): Line[] {
  const start = lines.findIndex(({ text }) => isRequest(text))
  const head = start < 0 ? lines : lines.slice(0, start)
  for (const line of head) {
    const [, name = "", value = ""] = /^(PETSTORE_\w+|@base) ?= ?(.*)$/.exec(line.text) ?? []
    if (name === "@base") file.base = value
    else if (name !== "") file.env[name] = value
    else if (!isComment(line.text)) fail(line, "is no comment, no setting and no request")
  }
  return start < 0 ? [] : lines.slice(start)
}

function caseOf([head, ...lines]: Line[], setup: ReadonlyMap<string, Line>, used: Set<string>): Case {
  const title = head?.text.replace(/^### */, "") ?? ""
  if (title === "" || title.startsWith("#")) fail(head, "a case has a title after ###")
  const start = lines.findIndex(({ text }) => isRequest(text))
  if (start < 0) fail(head, "a case has a request")
  const above = lines.slice(0, start).filter(({ text }) => !isComment(text))
  const rows = rowsOf(above)
  const runs = rows.map((row) => {
    const known = new Map(setup)
    const steps = stepsOf(
      lines.slice(start).map((line) => replaceCells(line, row)),
      known,
      used,
    )
    for (const [name, line] of known) if (!setup.has(name) && !used.has(name)) fail(line, `{{${name}}} is not used`)
    for (const name of known.keys()) if (!setup.has(name)) used.delete(name)
    return steps
  })
  for (const name of rows[0]?.keys() ?? [])
    if (!lines.some(({ text }) => text.includes(`{{${name}}}`))) fail(above[0], `no line has {{${name}}}`)
  return { title, at: head?.at ?? 0, runs }
}

/** The rows of a table, each as cells by the name of their column; one row without cells if there is no table. */
function rowsOf([head, ...lines]: Line[]): Map<string, string>[] {
  if (head === undefined) return [new Map()]
  const names = cellsOf(head)
  if (lines.length === 0) fail(head, "a table has rows")
  return lines.map((line) => {
    const cells = cellsOf(line)
    if (cells.length !== names.length) fail(line, `has ${cells.length} cells, its table ${names.length}`)
    return new Map(names.map((name, n) => [name, cells[n] ?? ""]))
  })
}

function cellsOf(line: Line): string[] {
  if (!/^\|.*\|$/.test(line.text)) fail(line, "is no comment, no row of a table and no request")
  return line.text
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))
}

/** A cell may name another column. */
function replaceCells({ text, at }: Line, row: Map<string, string>): Line {
  const replace = (given: string) => given.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => row.get(name) ?? whole)
  return { text: replace(replace(text)), at }
}

const isComment = (text: string): boolean => text === "" || /^#(?!##)/.test(text)
const isRequest = (text: string): boolean => /^(([A-Z]+|\{\{\w+\}\}) (\/|\{\{)|ADVANCE )/.test(text)
const isResponse = (text: string): boolean => /^HTTP /.test(text)

/** The steps in these lines; adds what their responses name to `known`. */
function stepsOf(lines: Line[], known: Map<string, Line>, used = new Set<string>()): Step[] {
  const starts = lines.flatMap(({ text }, index) => (isRequest(text) ? [index] : []))
  return starts.map((start, n) => {
    const [head, ...rest] = lines.slice(start, starts[n + 1]) as [Line, ...Line[]]
    if (head.text.startsWith("ADVANCE ")) {
      const [unknown] = rest.filter(({ text }) => !isComment(text))
      if (unknown) fail(unknown, "is no request")
      return { at: head.at, advance: head.text.slice("ADVANCE ".length) }
    }
    const found = rest.findIndex(({ text }) => isResponse(text))
    if (found < 0) fail(head, "the request has no expected response: HTTP and its status")
    const asked = [head, ...rest.slice(0, found)]
    for (const line of asked) requireKnown(line, known, used)
    const answered = rest.slice(found)
    for (const line of answered) learn(line, known, used)
    return requestOf(head, asked.slice(1), expectedOf(answered as [Line, ...Line[]]))
  })
}

function requestOf({ text, at }: Line, lines: Line[], expected: Expected): Request {
  const [method = "", target = "", ...more] = text.split(" ")
  if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) || more.length > 0)
    fail({ text, at }, "a request is a method and a path, without spaces")
  return { at, method, target, ...messageOf(lines), expected }
}

function expectedOf([head, ...lines]: [Line, ...Line[]]): Expected {
  const [, status, exactly] = /^HTTP (\d{3})( exactly)?$/.exec(head.text) ?? fail(head, "expects HTTP and a status")
  const { headers, body } = messageOf(lines)
  const second = lines.find(({ text }) => isResponse(text))
  if (second) fail(second, "a request has one response")
  if (isJson(body)) requireJson(body, lines[0] ?? head)
  return { at: head.at, status: Number(status), isExact: exactly !== undefined, headers, body }
}

/** The headers at the start and the body after them, without empty lines around it. */
function messageOf(lines: Line[]): { headers: Headers; body: string } {
  const headers: Headers = []
  for (const { text } of lines) {
    const [, name, value] = /^([A-Za-z][\w-]*): ?(.*)$/.exec(text) ?? []
    if (name === undefined || value === undefined) break
    headers.push([name, value])
  }
  const body = lines.slice(headers.length).map(({ text }) => text)
  return { headers, body: body.join("\n").replace(/^\n+|\n+$/g, "") }
}

const requestWords = /^(url|absent|bytes( [\da-f]{2})+)$/

function requireKnown(line: Line, known: Map<string, Line>, used: Set<string>): void {
  for (const [whole, inner = ""] of line.text.matchAll(placeholder)) {
    if (inner === "absent" && !/^[\w-]+: \{\{absent\}\}$/.test(line.text)) fail(line, "only a header can be absent")
    if (known.has(inner)) used.add(inner)
    else if (!requestWords.test(inner) && !isRepeated(inner)) fail(line, `no earlier response has ${whole}`)
  }
}

const responseWords = /^(url|absent|\*|\.\.\.|\/.*\/)$/

/** A name that no earlier response has takes the value here. */
function learn(line: Line, known: Map<string, Line>, used: Set<string>): void {
  for (const [whole, inner = ""] of line.text.matchAll(placeholder)) {
    if (responseWords.test(inner) || isRepeated(inner)) continue
    if (!/^[a-z]\w*$/i.test(inner)) fail(line, `${whole} has no meaning in a response`)
    if (known.has(inner)) used.add(inner)
    else known.set(inner, line)
  }
}

function requireJson(body: string, line: Line): void {
  try {
    parsePattern(body)
  } catch (error) {
    fail(line, `the expected body is no JSON: ${(error as Error).message}`)
  }
}

/** What a placeholder outside of a text becomes in an expected JSON body. */
export type Placeholder = { "{{}}": string }

/** Whether an expected body is compared as JSON; a placeholder alone is text. */
export const isJson = (body: string): boolean => /^(\{(?!\{)|[["])/.test(body)

/** Parses an expected JSON body. */
export const parsePattern = (body: string): unknown =>
  JSON.parse(
    body.replace(/"(?:[^"\\]|\\.)*"|\{\{(.+?)\}\}/gs, (whole, inner?: string) =>
      inner === undefined ? whole : JSON.stringify({ "{{}}": inner } satisfies Placeholder),
    ),
  )

function fail(line: Line | undefined, problem: string): never {
  throw new Error(`${line?.at ?? 1}: ${problem}`)
}
