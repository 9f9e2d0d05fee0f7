import { basePath } from "../../../core/kernel/network/path.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { type OwnResponse, sendToSelf } from "../console/send-to-self.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { sandboxPath } from "../named/path.ts"
import { type Experiment, type ExperimentStep, isObserved, petsPath, startAgain } from "./experiments.ts"

/** A request, what its client received, and what the journal has of it. */
export type ObservedStep = { step: ExperimentStep; received: OwnResponse; recorded: RecordedRequest | undefined }

/** An experiment that was carried out. */
export type ExperimentRun = {
  experiment: Experiment
  observed: readonly ObservedStep[]
  /** The last request, with all attempts at it. */
  attempts: RecordedRequest | undefined
  /** The pets that it has added, as JSON. */
  pets: string
}

type Request = Pick<ExperimentStep, "method" | "path" | "key" | "headers" | "body" | "timeoutSeconds">

/**
 * Sends the requests of an experiment to a named sandbox, over the network, because what it shows are failures of the network. Throws a
 * Problem when that cannot be carried out.
 */
export async function runExperiment(exchange: Exchange, experiment: Experiment, name: string): Promise<ExperimentRun> {
  const send = ({ method, path, key = "special-key", headers, body, timeoutSeconds }: Request) => {
    const sent = { api_key: key, ...headers, ...(body && { "content-type": "application/json" }) }
    const request = { method, path: sandboxPath(name) + basePath + path, headers: sent, body: JSON.stringify(body) }
    return sendToSelf(exchange, request, timeoutSeconds && timeoutSeconds * 1000)
  }
  const read = async (path: string) => bodyOf(await send({ method: "GET", path }))

  const received: [ExperimentStep, OwnResponse][] = []
  for (const step of [startAgain, ...experiment.steps]) {
    for (let n = 1; n < (step.times ?? 1); n++) await send(step)
    const last = await send(step)
    if (isObserved(step)) received.push([step, last])
  }
  await send({ method: "POST", path: "/sandbox/requests/verify", body: whenRecorded(received.length) })
  const journal = "/sandbox/requests?operation=addPet"
  const recorded: RecordedRequest[] = JSON.parse(await read(journal))
  const [attempts]: RecordedRequest[] = JSON.parse(await read(`${journal}&group=attempts`))
  return {
    experiment,
    observed: received.map(([step, response], n) => ({ step, received: response, recorded: recorded.at(-1 - n) })),
    attempts,
    pets: await read(petsPath),
  }
}

/** A request is recorded once its response has ended, which may be after its client has given up. */
const whenRecorded = (count: number) => ({ match: { operation: "addPet" }, atLeast: count, within: "PT2S" })

function bodyOf(received: OwnResponse): string {
  if (typeof received === "object" && received.status === 200) return received.body
  throw new Problem("unavailable", "The sandbox of the experiment did not respond: run it again", { retryAfter: 1 })
}
