import type { Role, Scope } from "../../../core/domain/scopes.ts"
import type { Upload, UploadShape } from "../../../core/kernel/endpoint/endpoint.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import type { Sample, TrafficSlot } from "../../../core/kernel/measure.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Problem } from "../../../core/kernel/problem.ts"
import type { Markup } from "../../site/pages/html.ts"
import type { Question } from "../../site/pages/parts/question-main.ts"
import type { Found } from "../../site/search/found.ts"
import type { Call } from "../../site/serving/call.ts"
import type { Site } from "../../site/site.ts"

/** A page of the console: a file of its own and a line in `pages.ts`. */
export type ConsolePage = {
  /** Below /console; `:name` is a parameter. */
  path: `/${string}`
  title: string
  /** The scope that a user needs to see the page; `any` for every user. */
  scope: Scope | "any"
  /** For staff and admins only, although customers have the scope for their own resources. */
  forStaff?: true
  /** The page is about the process, and in the console of the main store only. */
  isOfService?: true
  /** The page accepts `multipart/form-data`; the operation reads the file. */
  takesFile?: true
  show(visit: Visit): Promise<Markup>
  /** Returns a file instead of the page when the query requests one. */
  download?(visit: Visit): Promise<Download | undefined>
  /** Handlers of its forms, by the value of the field `action`. */
  actions?: Readonly<Record<string, Action>>
  /** What is asked before an action is done. */
  asks?: Readonly<Record<string, Asked>>
}

/** Pages in the navigation and below it, under a title if the group has one. */
export type PageGroup = { title?: string; pages: readonly ConsolePage[] }

/** Finds things by what people know of them, as far as the visitor may see them. */
export type Finder = (visit: Visit, text: string) => Awaitable<readonly Found[]>

/** A question before an action that cannot be undone or creates a credential. */
export type Asked = {
  question(visit: Visit, form: URLSearchParams): Question | Promise<Question>
  /** Requires the user's password, unless it was entered in the last five minutes. */
  password?: true
  /** Asked each time, also within the five minutes. */
  always?: true
}

/** An action, in the words of its button, that requires the password. */
export const withPassword = (button: string): Asked => ({
  password: true,
  question: () => ({ title: `${button}?`, button }),
})

/** Handles a form. When it throws a Problem, the page is shown again with `failure`. */
export type Action = (visit: Visit, form: URLSearchParams) => Promise<Done>

/**
 * A redirect below /console with a notice, from there on for another account if given, or with a new session of the same user where the
 * action has ended all; a response of its own; or content that is shown once, such as a secret.
 */
type Done =
  | { to: `/${string}`; notice: string; account?: number; endsSessions?: true }
  | { response: HttpResponse }
  | { show: Markup }
  | PageStream

/** Content that is streamed while it is generated; `release` is called at its end, also after an error, and again once the page was sent. */
export type PageStream = { pieces: AsyncIterable<Markup>; release(): Promise<void> }

/** A file that is generated while it is sent. */
export type Download = { name: string; type: string; text: AsyncIterable<string> }

export type Visit = {
  person: { id: number; username: string; role: Role }
  scopes: ReadonlySet<Scope>
  /** The account that the pages act for; an administrator may choose one that is not their own. */
  account: { id: number; name: string; isOwn: boolean }
  params: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  call: Call
  /** Whether a key is a public one, which can be neither rotated nor revoked. */
  isKnownKey(id: number): Promise<boolean>
  /** Whether an account has one of these keys: its plan cannot be changed. */
  hasKnownKey(accountId: number): Promise<boolean>
  /** The groups of the navigation. */
  groups: readonly PageGroup[]
  /** What an extension shows in the header. */
  menu(): Markup | undefined
  /** The console's base path, which every link starts with. */
  root: string
  /** The path of the page below `root`. */
  path: string
  /** Whether there is a page at this path below `root` that the user may see. */
  mayGo(path: string): boolean
  /** The CSRF token of forms. */
  token: string
  /** Receives the uploaded file, for a page that reads it itself. */
  receive(shape: UploadShape): Upload<object> & AsyncDisposable
  /**
   * Counts the first page of a download against the plan and reserves a slot until the response ends. Throws the 429 or the 503
   * when a limit is reached.
   */
  startDownload(): Promise<void>
  /** Counts a further request of a form against the plan. Throws the 429 when the plan is used up. */
  countRequest(): Promise<void>
  /** Counts another page of a download or an import. Waits while the limit per minute is exhausted; throws the 429 for the limit per day. */
  countPage(): Promise<void>
  failure?: Failure
  service: ServiceInfo
}

export type Failure = { problem: Problem; form: URLSearchParams }

export type ServiceInfo = {
  version: string
  publicUrl(): string
  /** What its pages share with those outside the console. */
  site: Site
  /** Versions of the runtime and the database, by name. */
  runsOn: Readonly<Record<string, string>>
  /** Origin that image requests are redirected to; undefined when the service sends images itself. */
  imageOrigin: string | undefined
  /** Milliseconds since the epoch. */
  now(): number
  /** Recent requests of this process, oldest slot first. */
  traffic(): readonly TrafficSlot[]
  /** Unavailable optional dependencies, or the reason why the service is not ready. */
  readiness(): Promise<{ without: readonly string[] } | { reason: string }>
  /** Values of a gauge of this process; empty when there is none. */
  measure(gauge: string): Promise<readonly Sample[]>
  /** Time of the last backup (RFC 3339) that the data directory records. */
  lastBackup(): string | undefined
}

/** The address of the page below `root`, with its query. */
export const hereOf = ({ path, query }: Pick<Visit, "path" | "query">) =>
  `${path}${query.size > 0 ? `?${query}` : ""}` as `/${string}`

export const isAt = ({ path: pattern }: Pick<ConsolePage, "path">, path: string): boolean => {
  const [expected, parts] = [pattern.split("/"), path.split("/")]
  return expected.length === parts.length && expected.every((part, n) => part.startsWith(":") || part === parts[n])
}

export const isByStaff = ({ person }: { person: Pick<Visit["person"], "role"> }): boolean => person.role !== "customer"

export const maySeePage = (
  { scope, forStaff }: Pick<ConsolePage, "scope" | "forStaff">,
  viewer: Pick<Visit, "scopes"> & { person: Pick<Visit["person"], "role"> },
): boolean => (scope === "any" || viewer.scopes.has(scope)) && (!forStaff || isByStaff(viewer))
