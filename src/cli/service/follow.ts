import { Refused } from "../../client/client.ts"
import { followStream, type Start, type Told } from "../../client/follow.ts"
import { readProblem } from "../../client/problem-document.ts"
import { eventStreamType } from "../../kernel/network/media-types.ts"
import { basePath } from "../../kernel/network/path.ts"
import type { World } from "../command.ts"

/** Follows the events of the service until `signal` aborts, and says how the connection is. */
export function followEvents(world: World, start: Start, signal: AbortSignal): AsyncGenerator<Told, void> {
  const { service, terminal, pause } = world
  const words = {
    connected: `Listening to ${service.url}. Press Ctrl-C to stop.`,
    "connected again": "Connected again.",
    ended: "The connection ended; connecting again.",
    lost: "The service cannot be reached; trying again.",
  }
  const connect = (place: string | undefined, from: Start) =>
    openStream(world, place === undefined ? from : { after: place }, signal)
  return followStream(start, { connect, pause, signal, tell: (what) => terminal.err(`${words[what]}\n`) })
}

async function openStream({ service }: World, start: Start, signal: AbortSignal) {
  const url = `${service.url}${basePath}/events/stream?${new URLSearchParams(start)}`
  const response = await service.stream(url, { accept: eventStreamType }, signal)
  if (response.status === 200) return response
  const text = Buffer.concat(await Array.fromAsync(response.body)).toString()
  throw new Refused(readProblem(url, { ...response, statusText: "" }, text), response.headers)
}
