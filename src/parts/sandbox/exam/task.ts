// Decision: docs/decisions/examiner.md#the-exam-asks-for-actions-and-does-not-say-what-will-fail
import type { PetstoreClient } from "../../../client/petstore-client.ts"
import { type ChapterOf, Missed } from "../../../examiner/verdict.ts"
import type { SandboxClient } from "../client/sandbox-client.ts"
import type { RecordedRequest } from "../journal/contract.ts"

/** What an adapter can be asked to do; docs/exam.md describes the input and the result of each. */
export type AdapterAction =
  | "readPet"
  | "addPet"
  | "listPets"
  | "renamePet"
  | "readPets"
  | "receiveEvents"
  | "receivedEvents"

/** What an adapter says of an action: its result, or the error that its client reported. */
export type Said = { result: unknown } | { error: string }

/** An action of an adapter, with the requests that its client sent meanwhile, oldest first. */
export type Acted = { said: Said; requests: readonly RecordedRequest[] }

/** Where a task is examined: a sandbox of its own, and an adapter. */
export type Bench = {
  sandbox: SandboxClient
  petstore: PetstoreClient
  /** Rejects with Missed when the adapter says nothing in time, or ends; with Unclaimed when it does not do this. */
  ask(action: AdapterAction, input?: object): Promise<Acted>
}

export type Task = {
  name: string
  /** What a client does that passes. */
  expects: string
  /** The data of the sandbox; the classic pets by default. */
  seed?: "empty"
  /** It measures small differences of time, so it is examined alone. */
  isTimed?: true
  /** Rejects with Missed when the client does something else. */
  examine(bench: Bench): Promise<void>
}

export type Chapter = ChapterOf<Task>

/** The result of an action that must succeed. */
export function resultOf({ said }: Acted): unknown {
  if ("error" in said) throw new Missed(`the client reported an error: ${said.error}`)
  return said.result
}

/** Rejects an action that should have ended with an error. */
export function expectError({ said }: Acted, instead: string): void {
  if ("result" in said) throw new Missed(`${instead}: ${JSON.stringify(said.result)}`)
}

/** The requests of one kind. */
export const requestsFor = ({ requests }: Acted, operation: string): RecordedRequest[] =>
  requests.filter((request) => request.operation === operation)

/** Makes requests for an operation fail: each of them, or so many. */
export async function failing({ sandbox }: Bench, operation: string, fault: string, times?: number): Promise<void> {
  const match = { operation, ...(times !== undefined && { times }) }
  await sandbox.setFaults({ body: { rules: [{ match, fault }] } })
}

const startOf = ({ time }: RecordedRequest): number => Date.parse(time)

/** The milliseconds between the end of each request and the start of the next. */
export const pausesBetween = (requests: readonly RecordedRequest[]): number[] =>
  requests
    .slice(1)
    .map((request, n) => startOf(request) - startOf(requests[n] as RecordedRequest) - (requests[n]?.durationMs ?? 0))

/** How often something was done, in words. */
export const times = (count: number): string => (count === 1 ? "once" : `${count} times`)
