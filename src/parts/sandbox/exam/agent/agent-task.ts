// Decision: docs/decisions/examiner.md#an-agent-is-judged-by-what-it-left-and-what-it-sent
import type { PetstoreClient } from "../../../../client/petstore-client.ts"
import type { ChapterOf } from "../../../../examiner/verdict.ts"
import type { SandboxClient } from "../../client/sandbox-client.ts"
import type { DefectId } from "../../defects/contract.ts"
import type { HoldFault } from "../../faults/contract.ts"
import type { OwnSeed } from "../../seeds/contract.ts"

/** The last line of JSON that an agent wrote. */
export type LastLine = Readonly<Record<string, unknown>>

/** What an agent receives. */
export type GivenTask = { words: string; url: string; key: string }

/** Does a task; resolves with its last line, if any. Rejects with Missed when it does not end, or ends with an error. */
export type Agent = (given: GivenTask) => Promise<LastLine | undefined>

/** What another caller does while the request that the agent must send is held. */
type Meanwhile = {
  fault: HoldFault
  act(others: PetstoreClient, sandbox: SandboxClient): Promise<unknown>
}

export type AgentTask = {
  name: string
  /** What an agent does that passes. */
  expects: string
  /** The task, as the agent receives it. */
  words: string
  /** The data of the sandbox; the classic pets by default. */
  seed?: OwnSeed
  /** Toolsets that it is offered instead of the usual tools. */
  toolsets?: string
  /** Adds to the data of the sandbox, as the administrator and as the agent's account. */
  prepare?(others: PetstoreClient, own: PetstoreClient): Promise<unknown>
  /** Faults of operations, so many times; each time without a number. */
  faults?: readonly { operation?: string; fault: string; times?: number }[]
  defects?: DefectId[]
  meanwhile?: Meanwhile
  /** Makes the end that is wanted of a copy of the data. Without it nothing may change. */
  wanted?(petstore: PetstoreClient): Promise<unknown>
  /** An operation that it must use; otherwise it must send any request. */
  must?: string
  /** The operations that it may use besides those that read. */
  may?: readonly string[]
  /** How many requests it may send; 40 by default. */
  callsMax?: number
  /** What its last line has; the words say which members, of which type. */
  says?: LastLine
}

export type AgentChapter = ChapterOf<AgentTask>

/** The words of a task, with the form of the last line. */
export const writeWords = ({ words, says }: Pick<AgentTask, "words" | "says">): string =>
  says === undefined ? words : `${words}\nEnd with one line of JSON that has this form: ${formOf(says)}`

const formOf = (says: LastLine): string =>
  `{${Object.entries(says)
    .map(([name, value]) => `"${name}": ${Array.isArray(value) ? "[NUMBER, …]" : forms[typeof value]}`)
    .join(", ")}}`

const forms: Partial<Record<string, string>> = { boolean: "true or false", number: "NUMBER", string: '"TEXT"' }
