// Decision: docs/decisions/examiner.md#the-exam-asks-for-actions-and-does-not-say-what-will-fail
// Decision: docs/decisions/examiner.md#what-the-adapter-does-is-not-what-the-client-does
import type { PetstoreClient } from "../../../client/petstore-client.ts"
import type { Pet } from "../../../core/domain/pets/contract.ts"
import { type ChapterOf, expect, Missed } from "../../../examiner/verdict.ts"
import type { SandboxClient } from "../client/sandbox-client.ts"
import type { FaultRule } from "../faults/contract.ts"
import type { RecordedRequest } from "../journal/contract.ts"

/** What an adapter can be asked to do; docs/exam.md describes the input and the result of each. */
export type AdapterAction =
  | "describe"
  | "readPet"
  | "addPet"
  | "listPets"
  | "renamePet"
  | "readPets"
  | "receiveEvents"
  | "receivedEvents"

/** What an adapter says of an action: its result, or the error that its client reported. */
export type Said = { result: unknown } | { error: string }

/** What not every client does by itself; an adapter says which its client lacks, and the tasks that need it are not claimed. */
type Feature = "retries" | "reconnects" | "keys" | "duplicates"

/** An action of an adapter, with the requests that its client sent meanwhile, oldest first. */
export type Acted = { said: Said; requests: readonly RecordedRequest[] }

/** Where a task is examined: a sandbox of its own, and an adapter. */
export type Bench = {
  sandbox: SandboxClient
  petstore: PetstoreClient
  /**
   * Rejects with Missed when the adapter says nothing in time or its client sends nothing, with Unmeasured when the adapter
   * fails, and with Unclaimed when it does not do this.
   */
  ask(action: AdapterAction, input?: object): Promise<Acted>
}

/** The source of a task that no RFC demands. */
export const practice = "practice"

type Described = {
  name: string
  /** What a client does that passes. */
  expects: string
  /** The section of an RFC that demands it, or `practice`. */
  source: string
  needs?: Feature
  /** The data of the sandbox; the classic pets by default. */
  seed?: "empty"
  /** It measures small differences of time, so it is examined alone. */
  isTimed?: true
}

/** What is changed in a sandbox before an action: its fault rules, and by how much its clock advances. */
export type Preparation = { faults?: readonly FaultRule[]; advance?: string }

/** What the client does, and what is prepared before. */
export type ExamStep = {
  before?: Preparation
  action: AdapterAction
  input: object
}

/** What the sandbox knows: the requests since the last preparation, oldest first, and its pets. */
export type Evidence = { requests: readonly RecordedRequest[]; pets: readonly Pet[] }

/** A task whose verdict follows from what the client sent; an adapter also says what the client made of it. */
export type ObservedTask = Described & {
  steps: readonly ExamStep[]
  /** Steps that follow, one after the other, while the judge throws Undecided. */
  furtherSteps?: readonly ExamStep[]
  /** The client must do no more than this, which is known when it has done nothing for a while. */
  isOverWhenQuiet?: true
  /** Throws Missed when the client did something else, and Awaited while it may still do it. */
  judge(evidence: Evidence): void
  /** Throws Missed when the client made something else of a step. */
  judgeSaid?(acted: Acted, step: ExamStep): void
}

/** A task that needs an adapter: for its verdict, or because the next step depends on what it said. */
type AdapterTask = Described & {
  /** Rejects with Missed when the client does something else. */
  examine(bench: Bench): Promise<void>
}

export type Task = ObservedTask | AdapterTask

export type Chapter = ChapterOf<Task>

/** What has not been observed, and may still be: with an adapter, the action is over and the task missed. */
export class Awaited extends Missed {}

/** What was observed says neither; a further step may. */
export class Undecided extends Awaited {}

/** Throws Awaited unless it has happened. */
export function expectEventually(hasHappened: boolean, observed: string): asserts hasHappened {
  if (!hasHappened) throw new Awaited(observed)
}

/** Carries out the steps with an adapter, and judges them. */
export async function examineSteps(task: ObservedTask, bench: Bench): Promise<void> {
  const { steps, furtherSteps = [], judge, judgeSaid } = task
  let requests: readonly RecordedRequest[] = []
  const take = async (step: ExamStep) => {
    const { before, action } = step
    if (before) await prepare(bench, before)
    const acted = await bench.ask(action, inputAt(bench.sandbox.url, step))
    judgeSaid?.(acted, step)
    requests = before ? acted.requests : [...requests, ...acted.requests]
  }
  for (const step of steps) await take(step)
  const further = furtherSteps.values()
  for (;;)
    try {
      return judge({ requests, pets: (await bench.petstore.listPets({ query: { limit: petsMax } })).value })
    } catch (error) {
      const step = error instanceof Undecided && further.next().value
      if (!step) throw error
      await take(step)
    }
}

/** Of the application that every sandbox has. */
const application = { clientId: "sample-client-id", clientSecret: "sample-client-secret" }

/** The input of an action in the sandbox at this URL; with a token, it also says where that is requested. */
export const inputAt = (url: string, { action, input }: ExamStep): object =>
  action === "readPets" ? { ...input, token: { url: `${url}/oauth/token`, ...application } } : input

/** More than a task has. */
export const petsMax = 100

async function prepare({ sandbox }: Bench, { faults, advance }: Preparation): Promise<void> {
  if (faults) await sandbox.setFaults({ body: { rules: [...faults] } })
  if (advance !== undefined) await sandbox.advanceClock({ body: { advance } })
}

/** The result of an action that must succeed. */
export function resultOf({ said }: Acted): unknown {
  if ("error" in said) throw new Missed(`the client reported an error: ${said.error}`)
  return said.result
}

type StatedPet = { id: number; name: string }

/** The pet that is the result of an action. */
export function petOf(acted: Acted): StatedPet {
  const pet = resultOf(acted)
  expect(isPet(pet), `the result is not a pet: ${JSON.stringify(pet)}`)
  return pet
}

const isPet = (value: unknown): value is StatedPet =>
  typeof value === "object" && value !== null && "id" in value && "name" in value

/** The list that is the result of an action. */
export function listOf(acted: Acted): unknown[] {
  const list = resultOf(acted)
  expect(Array.isArray(list), `the result is not a list: ${JSON.stringify(list)}`)
  return list
}

/** Rejects an action that should have ended with an error. */
export function expectError({ said }: Acted, instead: string): void {
  if ("result" in said) throw new Missed(`${instead}: ${JSON.stringify(said.result)}`)
}

/** The requests of one kind. */
export const requestsFor = ({ requests }: Pick<Evidence, "requests">, operation: string): RecordedRequest[] =>
  requests.filter((request) => request.operation === operation)

/** Makes requests for an operation fail: each of them, or so many. */
export const failure = (operation: string, fault: string, times?: number): Preparation => ({
  faults: [{ match: { operation, ...(times !== undefined && { times }) }, fault }],
})

/** Makes them fail in a task that needs an adapter. */
export const failing = (bench: Bench, operation: string, fault: string, times?: number): Promise<void> =>
  prepare(bench, failure(operation, fault, times))

const startOf = ({ time }: RecordedRequest): number => Date.parse(time)

/** The milliseconds between the end of each request and the start of the next. */
export const pausesBetween = (requests: readonly RecordedRequest[]): number[] =>
  requests
    .slice(1)
    .map((request, n) => startOf(request) - startOf(requests[n] as RecordedRequest) - (requests[n]?.durationMs ?? 0))

/** How often something was done, in words. */
export const times = (count: number): string => (count === 1 ? "once" : `${count} times`)
