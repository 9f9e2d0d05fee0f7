import type { Role, Scope } from "../../domain/scopes.ts"
import type { Upload, UploadShape } from "../../kernel/endpoint.ts"
import type { Sample, TrafficSlot } from "../../kernel/measure.ts"
import type { Problem } from "../../kernel/problem.ts"
import type { Markup } from "../html.ts"
import type { Call } from "./call.ts"

/** A page of the console: one file each, and one line in `pages.ts`. */
export type ConsolePage = {
  /** Below /console; `:name` stands for a parameter. */
  path: `/${string}`
  title: string
  /** What one must be allowed to do to see that there is such a page; `any` is content with every person. */
  scope: Scope | "any"
  /** For staff and admins alone: customers have the scope too, for what is their own. */
  forStaff?: true
  /** Its form may be `multipart/form-data`, whose file goes to the operation that takes one. */
  takesFile?: true
  show(visit: Visit): Promise<Markup>
  /** A file in place of the page, where the address asks for one. */
  download?(visit: Visit): Promise<Download | undefined>
  /** What its forms do, by the value of their field `action`. */
  actions?: Readonly<Record<string, Action>>
  /** Those of its actions that ask for the password first, unless it was given in the last minutes. */
  asksPassword?: readonly string[]
}

/** What a form does; a Problem it throws is shown on the page again, in `failure`. */
export type Action = (visit: Visit, form: URLSearchParams) => Promise<Done>

/** Where to go on, below /console, with a word about what was done; or what to show this once, such as a secret. */
type Done = { to: `/${string}`; notice: string } | { show: Markup } | PageStream

/** What takes long, shown piece by piece as it happens; `release` is called when it has ended, however. */
export type PageStream = { pieces: AsyncIterable<Markup>; release(): Promise<void> }

/** A file to keep, written as it is read. */
export type Download = { name: string; type: string; text: AsyncIterable<string> }

/** What a page knows of the request for it. */
export type Visit = {
  person: { id: number; username: string; role: Role }
  scopes: ReadonlySet<Scope>
  params: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  call: Call
  /** Where the console is: every link of a page begins with it. */
  root: string
  /** The path of the page below `root`. */
  path: string
  /** Whether a page responds at this path below `root`, and whoever looks may see it. */
  mayGo(path: string): boolean
  /** What every form brings along. */
  token: string
  /** Takes in the file that was sent, for a page that reads it itself. */
  receive(shape: UploadShape): Upload<object> & AsyncDisposable
  /**
   * Counts the first page of a download against the plan, and takes a place for it until the response has ended. Throws the 429 or
   * the 503 when there is no room.
   */
  startDownload(): Promise<void>
  /** Counts a further page of a download or an import; waits while the plan's minute is used up, throws the 429 when its day is. */
  countPage(): Promise<void>
  /** What went wrong with the form that was sent, and the form, so that nothing has to be typed again. */
  failure?: Failure
  service: ServiceInfo
}

export type Failure = { problem: Problem; form: URLSearchParams }

/** What pages say of the service itself. */
export type ServiceInfo = {
  version: string
  publicUrl(): string
  /** What it runs on, by name, with the versions. */
  runsOn: Readonly<Record<string, string>>
  /** The origin that images are redirected to; undefined when the service sends them itself. */
  imageOrigin: string | undefined
  /** Milliseconds since the epoch. */
  now(): number
  /** What this process was asked lately, oldest first. */
  traffic(): readonly TrafficSlot[]
  /** What it does its work without, or why it cannot do it. */
  readiness(): Promise<{ without: readonly string[] } | { reason: string }>
  /** The values of a gauge of this process; none when it has no such gauge, or cannot tell. */
  measure(gauge: string): Promise<readonly Sample[]>
  /** When the last backup was made (RFC 3339), as far as the data directory says. */
  lastBackup(): string | undefined
}

/** Whether the page responds at a path below the console. */
export const isAt = ({ path: pattern }: Pick<ConsolePage, "path">, path: string): boolean => {
  const [wanted, given] = [pattern.split("/"), path.split("/")]
  return wanted.length === given.length && wanted.every((part, n) => part.startsWith(":") || part === given[n])
}

type Viewer = { person: { role: Role }; scopes: ReadonlySet<Scope> }

export const isByStaff = ({ person }: Pick<Viewer, "person">): boolean => person.role !== "customer"

/** Whether the page is there for whoever looks. */
export const maySeePage = ({ scope, forStaff }: Pick<ConsolePage, "scope" | "forStaff">, viewer: Viewer): boolean =>
  (scope === "any" || viewer.scopes.has(scope)) && (!forStaff || isByStaff(viewer))
