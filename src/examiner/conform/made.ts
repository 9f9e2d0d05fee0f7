/** Where things are made, and the member that names each below the path. */
const names: Readonly<Record<string, "id" | "username">> = {
  "/pet": "id",
  "/store/order": "id",
  "/webhooks": "id",
  "/keys": "id",
  "/user": "username",
  "/user/createWithList": "username",
}

/** The paths of what a request may have made, as its body and that of the response say. */
export function pathsMadeBy(method: string, path: string, bodies: readonly string[]): string[] {
  const name = names[path]
  if (name === undefined || (method !== "POST" && method !== "PUT")) return []
  const parent = path.replace("/createWithList", "")
  return bodies.flatMap((body) => namesIn(body, name)).map((one) => `${parent}/${encodeURIComponent(one)}`)
}

function namesIn(body: string, name: string): string[] {
  const values: unknown[] = parseExactly(body).map((item) => item?.[name])
  return values.filter((value) => typeof value === "string" && value !== "") as string[]
}

type Item = Readonly<Record<string, unknown>> | null

/** The items of a list in JSON, or the one of an object, of an XML element or of a form. Numbers are as they were written. */
function parseExactly(body: string): Item[] {
  const asWritten = (_key: string, value: unknown, written?: { source?: string }) =>
    typeof value === "number" ? written?.source : value
  try {
    return [JSON.parse(body, asWritten)].flat()
  } catch {
    const [, element, field] = /<id>(-?\d+)<|(?:^|&)id=(-?\d+)/.exec(body) ?? []
    return [{ id: element ?? field }]
  }
}
