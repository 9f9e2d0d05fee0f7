import type { Heading } from "../../parts/heading.ts"
import type { Visit } from "../page.ts"

/** The sandbox that a page belongs to, as the page above it; none for pages of the service's own. */
export const homeOf = ({ params: { name } }: Visit): Pick<Heading, "back"> =>
  name === undefined ? {} : { back: { to: `/sandbox/${name}`, label: `Sandbox ${name}` } }
