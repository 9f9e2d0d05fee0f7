import type { Caller } from "../../core/domain/accounts/model.ts"
import type { MessageFacts } from "../../core/domain/webhooks/deliveries/model.ts"
import type { ResponseOf } from "../../core/kernel/endpoint/endpoint.ts"
import type { Json } from "../../core/kernel/json/json.ts"
import type { sandbox } from "./contract.ts"
import type { DefectId } from "./defects/contract.ts"
import type { SandboxDiff } from "./diff/contract.ts"
import type { Breakage, FaultRule, HoldFault, WebhookFaultKind } from "./faults/contract.ts"
import type { SandboxData, SandboxStream } from "./files/contract.ts"
import type { RecordedRequest } from "./journal/contract.ts"
import type { Sandbox } from "./named/contract.ts"
import type { Seed } from "./seeds/contract.ts"

/** When the time of a sandbox starts, in milliseconds, and whether it is frozen then; undefined for the real time. */
export type ClockStart = { at: number | undefined; isFrozen: boolean }

/** The time of a named sandbox, which can be ahead of real time, behind it, or frozen. */
export type SandboxTime = {
  read(): ResponseOf<typeof sandbox.getClock>
  /**
   * Advances to a time (ms) and does everything that becomes due on the way. Several advances take place one after the other;
   * `targetFrom` gets the time in the sandbox when the advance starts, and what it throws refuses the advance. Undefined, and does
   * nothing, while another advance waits for a receiver, which may have requested this one. `freeze` freezes the time before, or
   * lets it run afterwards.
   */
  advance(
    targetFrom: (now: number) => number,
    freeze?: boolean,
  ): Promise<ResponseOf<typeof sandbox.advanceClock> | undefined>
  /** Ends the advances that run or wait: the time stays as far as they came. */
  endAdvances(): void
  /** Returns to the time at which the sandbox started, unless the work fails. */
  fromStart<T>(work: () => Promise<T>): Promise<T>
}

/** Copies of a named sandbox. */
export type Forks = {
  /** Makes a new sandbox as a copy of this one, for a client at this address. Undefined when the name is taken. */
  make(name: string, address: string): Promise<Sandbox | undefined>
  /** Replaces this sandbox by a copy of another one; false when there is none with this name. */
  replaceBy(name: string): Promise<boolean>
}

/** What a new sandbox starts with; a source replaces the seed. */
export type SandboxPlan = {
  name: string
  seed: Seed | undefined
  from: string | undefined
  start: ClockStart
  /** The sandbox file of which it is made, instead of seed and source. */
  file: SandboxFile | undefined
  /** It is deleted after so long without a request; undefined for the default, or what its source has. */
  idleMs: number | undefined
}

/** What a sandbox file was restored to: a directory with so many bytes of images; and what the file says besides. */
export type SandboxFile = Pick<SandboxData, "clock" | "sealingKey"> & RestoredFile
export type RestoredFile = { directory: string; imageBytes: number }

/**
 * A body without rows and images, and what the sandbox file in it was restored to, if there was one. Disposal removes that, unless a
 * sandbox was made of it.
 */
export type RestoredBody = AsyncDisposable & { rest: Buffer; file: RestoredFile | undefined }

/** A difference; `absent` is a sandbox that there is not, and undefined that what it started from is not known. */
export type Comparison = SandboxDiff | { absent: string } | undefined

/** The named sandboxes that callers of a store may see: all in the service's own, and itself in a named one. */
export type VisibleSandboxes = {
  /** In the order in which they were made. */
  list(): Sandbox[]
  /** The text of its file, to be read or destroyed; undefined when there is none with this name. */
  save(name: string): Promise<SandboxStream | undefined>
  /** Compares it with another one, or with what it started from; says with which one there is none. */
  compare(name: string, wanted: { with?: string; limit: number }): Promise<Comparison>
  /** Deletes it once its requests have their responses; false when there is none with this name. */
  remove(name: string): boolean
  /** Makes one for a client at this address, or says why not. Absent in a named sandbox. */
  create?(plan: SandboxPlan, address: string): Promise<Sandbox | "exists" | "no source">
  /** Restores the sandbox file in a body, if there is one, while that arrives. Absent in a named sandbox. */
  restore?(body: AsyncIterable<Uint8Array>, restBytesMax: number): Promise<RestoredBody>
}

/** The defects that a sandbox has on purpose. */
export type DefectSwitch = {
  /** Another set after each change. */
  readonly ids: ReadonlySet<DefectId>
  /** Without a choice it has those again with which it started. */
  replace(chosen?: readonly DefectId[]): void
}

/** The parts of a sandbox that only its own operations use. */
export type SandboxParts = {
  /** Resets its data. No operation may be running. */
  reset(seed: Seed): Promise<void>
  /** Does the slow work of a reset that is done once, while requests run. */
  prepareReset(seed: Seed): Promise<unknown>
  /** Undefined for the service's own sandbox, which has the real time. */
  time: SandboxTime | undefined
  /** Undefined for the service's own sandbox. */
  forks: Forks | undefined
  /** Undefined where there are no named sandboxes. */
  visible: VisibleSandboxes | undefined
  journal: RequestJournal
  faults: FaultRules
  defects: DefectSwitch
}

/** A request to a sandbox and its response, or a message to a webhook, as they were: it holds credentials. */
export type Exchanged = {
  facts: ExchangeFacts
  path: string
  query: string
  /** Names and values in turn. */
  requestHeaders: readonly string[]
  /** In parts, as the response has them; without those that every response has. */
  responseHeaders: readonly (readonly string[])[]
  requestBody: Uint8Array | undefined
  /** Whether that is not the whole of it. */
  isRequestCut?: boolean
  responseBody: string | Uint8Array | undefined
}

/** What an entry keeps of an exchange besides what was sent. */
export type ExchangeFacts = {
  durationMs: number
  operation: string | undefined
  webhookId: number | undefined
  method: string
  /** Undefined when there was no response. */
  status: number | undefined
  problem: string | undefined
  fault: string | undefined
  /** How long a fault held it. */
  heldMs?: number | undefined
  caller: Caller | undefined
  /** Whether it has a body, of which nothing was read. */
  isBodyUnread?: boolean
  /** How it was judged, for a request that asked for it; its texts may hold credentials. */
  explanation?: Json<RecordedRequest["explanation"]> | undefined
}

/** What an entry keeps of what was sent; of a body the beginning. */
export type RecordedMessages = {
  path: string
  query: string
  requestHeaders: readonly string[]
  responseHeaders: readonly string[]
  requestBody: { bytes: Uint8Array; isCut: boolean } | undefined
  responseBody: { bytes: Uint8Array; isCut: boolean } | undefined
}

/**
 * An entry of a journal; ids ascend in the order in which requests arrived, positions in that in which they ended. `at` is in
 * milliseconds, in the time of the sandbox.
 */
export type JournalEntry = {
  readonly id: number
  readonly position: number
  readonly at: number
  readonly facts: ExchangeFacts
  /** The memory that it takes. */
  readonly bytes: number
  /** What was sent, in memory that is used again: valid until something is awaited. Undefined once the entry was removed. */
  read(): RecordedMessages | undefined
}

/** The recent requests of a sandbox, bounded in number and bytes; those with a valid credential keep a share. */
export type RequestJournal = {
  /** The id of the request that arrives now. */
  nextId(): number
  /** Adds an exchange that has just ended; `id` is that of its arrival, by default of now. */
  add(exchanged: Exchanged, id?: number): void
  /** Entries below the id `before`, newest first. */
  newest(before: number | undefined): JournalEntry[]
  /** Up to `limit` entries that ended after the one at this position, in the order in which they ended. */
  after(position: number, limit: number): JournalEntry[]
  /** Where a reader continues who has read up to the entry with this id; by default after the latest one. */
  positionAfter(id?: number): { position: number; id: number }
  /** Removes all entries; ids continue. */
  clear(): void
  /** The time (ms) of the latest entry that made way for others since it was cleared; undefined when none did. */
  removedUntil(): number | undefined
  /** Calls the listener after each addition; returns how to stop. */
  listen(listener: () => void): () => void
}

/**
 * A delay of `seconds`, more or less by up to `jitterSeconds`; or with a log-normal distribution, of which `seconds` are the median and
 * `spread` is the standard deviation of the logarithm.
 */
export type Delay = { seconds: number; jitterSeconds: number } | { seconds: number; spread: number }

/** The value of `Retry-After`, in seconds, or as the date that is so many seconds away (RFC 9110 section 10.2.3). */
export type RetryAfter = { seconds: number; isDate: boolean }

/**
 * The faults of one response; without `retryAfter` it is the usual one of `code`. A response that is broken is not held. `flaw` is of what
 * an issuer issues.
 */
export type RequestFaults = {
  delay?: Delay
  code?: string
  retryAfter?: RetryAfter
  breakage?: Breakage
  hold?: HoldFault
  flaw?: string
}

/** The fault of one message to a webhook; a delay also for the others than `delayed`. */
export type WebhookFault = { kind: WebhookFaultKind; delay: Delay | undefined }

/** A rule, and what it means. */
export type ParsedRule = {
  rule: FaultRule
  /** Its fault for messages to webhooks; undefined for a rule for requests. */
  webhooks: WebhookFault | undefined
  /** Its faults for requests; undefined for any that a correct client can encounter. */
  requests: RequestFaults | undefined
  /** The targets that it can affect; none for a rule for messages. */
  targets: readonly string[]
  /** The path below the base path, decoded; undefined for any. */
  path: string | undefined
}

/** The rule that decides, and a number from 0 to below 1, reproducible with a seed, for what it leaves open. */
export type ChosenRule = ParsedRule & { draw: number }

/** A request to a target; `keyId` is the id of its API key, if it has one. */
export type RequestFacts = { target: string; path: string; keyId: number | undefined }

/** The rules of a sandbox for faults, of which the first that matches decides. */
export type FaultRules = {
  /** The rules, and how many requests or messages each has affected. */
  read(): readonly { rule: FaultRule; count: number }[]
  /** Replaces all rules. */
  replace(rules: readonly ParsedRule[]): void
  /** Whether a rule can affect a request to this target and path. */
  mayAffect(target: string, path: string): boolean
  /** Chooses the rule for a request, and counts it. */
  ofRequest(request: RequestFacts): ChosenRule | undefined
  /** Chooses the rule for a message, and counts it. */
  ofMessage(message: MessageFacts): (ChosenRule & { webhooks: WebhookFault }) | undefined
}
