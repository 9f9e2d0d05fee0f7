import { timestamp } from "../../../core/kernel/clock.ts"
import type { ResponseOf } from "../../../core/kernel/endpoint/endpoint.ts"
import { onceForEach } from "../../../core/kernel/flow/once-for-each.ts"
import type { Visit } from "../../console/pages/page.ts"
import type { Heading } from "../../site/pages/parts/heading.ts"
import type { sandbox } from "../contract.ts"
import { sandboxPath } from "../named/path.ts"
import type { Seed } from "../seeds/contract.ts"
import { sandboxOf } from "./sandbox-visit.ts"

/** The sandbox that a page belongs to, as the page above it; none for pages of the service's own. */
export const homeOf = ({ params: { name } }: Visit): Pick<Heading, "back"> =>
  name === undefined ? {} : { back: { to: `/sandbox/${name}`, label: `Sandbox ${name}` } }

/** The operations of the sandbox that a page belongs to. */
export const inSandbox = (visit: Visit) => sandboxOf(visit).call(visit.params.name)

export type ShownClock = ResponseOf<typeof sandbox.getClock>

/** The clock of that sandbox at the time of the page, so that all times on it agree. */
export const clockOf = onceForEach(async (visit: Visit): Promise<ShownClock> => {
  const { value: clock } = await (await inSandbox(visit)).getClock()
  return clock.frozen ? clock : { ...clock, time: timestamp(visit.service.now() + clock.aheadSeconds * 1000) }
})

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
