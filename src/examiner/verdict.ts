/** Something that is examined, what is expected of it, and who expects it. */
type Examined = { name: string; expects: string; source?: string }

export type ChapterOf<Task extends Examined> = { name: string; tasks: readonly Task[] }

export type TaskVerdict = Examined & {
  chapter: string
  outcome: "passed" | "missed" | "unclaimed" | "unmeasured"
  /** What was observed instead, or why it is not claimed or could not be measured. */
  observed?: string
  /** The requests that led to it, of a task that was missed. */
  requests?: string[]
}

export type TaskOutcome = Pick<TaskVerdict, "outcome" | "observed" | "requests">

/** Resolves with the outcome of an examination; rejects when it could not be carried out. `requests` are the evidence. */
export async function giveVerdict(examine: () => Promise<void>, requests: () => string[]): Promise<TaskOutcome> {
  try {
    await examine()
    return { outcome: "passed" }
  } catch (error) {
    if (error instanceof Unclaimed) return { outcome: "unclaimed", observed: error.message }
    if (error instanceof Unmeasured) return { outcome: "unmeasured", observed: inOneLine(error.message) }
    // An examination reads what it expects, and what is examined may say anything.
    if (!(error instanceof Missed || error instanceof TypeError)) throw error
    const sent = requests()
    const observed = error instanceof Missed ? error.message : `something of another form: ${error.message}`
    return { outcome: "missed", observed, ...(sent.length > 0 && { requests: sent }) }
  }
}

/** A longer observation is cut, such as an error with a whole response. */
const observationMax = 400

/** Something else than what was expected; the message is what was observed instead, in one line. */
export class Missed extends Error {
  override readonly name = "Missed"

  constructor(observed: string) {
    super(inOneLine(observed))
  }
}

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > observationMax ? `${line.slice(0, observationMax)}…` : line
}

/** What is examined does not claim to do this; the message says why. */
export class Unclaimed extends Error {
  override readonly name = "Unclaimed"
}

/** The examination says nothing of what is examined; the message says why. */
export class Unmeasured extends Error {
  override readonly name = "Unmeasured"
}

/** Rejects what was observed unless it is as expected. */
export function expect(isFine: boolean, observed: string): asserts isFine {
  if (!isFine) throw new Missed(observed)
}
