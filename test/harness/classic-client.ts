type Headers = Record<string, string>

/** Sends requests like a client of the classic petstore, by default with the sandbox's key; `base` is `/api/v3` or `/v2`. */
export const classicClient =
  (petstore: { url: string }, base: string) =>
  async (method: string, path: string, body?: unknown, headers: Headers = { api_key: "special-key" }) => {
    const response = await fetch(petstore.url + base + path, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const value = text.startsWith("<") ? undefined : JSON.parse(text)
    return { status: response.status, text, value, headers: response.headers }
  }
