import type { Seed } from "../../../../domain/sandbox/start/contract.ts"
import { sandboxPath } from "../../../../kernel/network/path.ts"
import type { Heading } from "../../parts/heading.ts"
import type { Visit } from "../page.ts"

/** The sandbox that a page belongs to, as the page above it; none for pages of the service's own. */
export const homeOf = ({ params: { name } }: Visit): Pick<Heading, "back"> =>
  name === undefined ? {} : { back: { to: `/sandbox/${name}`, label: `Sandbox ${name}` } }

/** The operations of the sandbox that a page belongs to. */
export const inSandbox = (visit: Visit) => visit.sandbox(visit.params.name)

/** The console of that sandbox, from a page of the service's own. */
export const consoleOf = ({ root, params: { name } }: Visit): string =>
  name === undefined ? root : `${root}/..${sandboxPath(name)}/console`

/** The path of its page. */
export const sandboxPageOf = ({ params: { name } }: Visit) =>
  (name === undefined ? "/sandbox" : `/sandbox/${name}`) as `/${string}`

/** The data of a sandbox, as forms name them. */
export const seedChoices: Readonly<Record<Seed, string>> = {
  initial: "Initial data",
  classic: "Ten classic pets",
  empty: "No pets",
  shelter: "300 animals of a shelter",
}
