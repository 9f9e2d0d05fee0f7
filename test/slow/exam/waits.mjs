// An adapter whose client waits otherwise than Retry-After says: `node waits.mjs early`, or after as many milliseconds: `node waits.mjs 2000`.
import { setTimeout as after } from "node:timers/promises"
import { runAdapter } from "../../../examples/exam/adapter.mjs"

const [, , way] = process.argv

/** The pause that the header asks for, in milliseconds. */
const pauseOf = (said) => (/^\d+$/.test(said) ? said * 1000 : Date.parse(said) - Date.now())

async function read({ url, key }, id) {
  const response = await fetch(`${url}/pet/${id}`, { headers: { api_key: key } })
  if (response.ok) return response.json()
  await after(way === "early" ? Math.max(0, pauseOf(response.headers.get("retry-after")) - 300) : Number(way))
  return read({ url, key }, id)
}

await runAdapter({ readPet: (line, { id }) => read(line, id) })
