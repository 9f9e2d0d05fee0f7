import type { Finder, Visit } from "../../console/pages/page.ts"
import { actionButton, type Button } from "../../site/pages/parts/action-button.ts"
import { contains, type Hit } from "../../site/search/found.ts"
import { idOf, recipes } from "../faults/recipes.ts"
import { distanceOf } from "./clock.ts"
import { sandboxOf } from "./sandbox-visit.ts"

/** What the search of the service finds besides: sandboxes, what one can do with them, and a request by its id. */
export const sandboxFinders: readonly Finder[] = [findActions, findSandboxes, findRecordedRequest]

/** The latest sandboxes, whose clocks are offered. */
const clocksOffered = 5

function findActions(visit: Visit, text: string) {
  if (!visit.mayGo("/sandbox")) return []
  const sandboxes = sandboxOf(visit).list().slice(-clocksOffered)
  const actions: [words: string, Hit][] = [
    link(visit, "New sandbox", "", "/sandbox#new"),
    link(visit, "Faults: what fails", "of the service’s own sandbox", "/sandbox#faults"),
    link(visit, "Add a fault", "to the service’s own sandbox", "/faults/new"),
    button(visit, "all data of the service’s own", "/sandbox", {
      action: "reset",
      label: "Reset the sandbox",
      fields: { seed: "initial" },
    }),
    ...sandboxes.map(({ name, clock }) =>
      button(visit, distanceOf(clock), `/sandbox/${name}`, {
        action: "advance",
        label: `Advance a day in ${name}`,
        fields: { advance: "P1D" },
      }),
    ),
    ...(text === "" ? [] : recipes).map((one) =>
      link(visit, one.name, one.words, `/sandbox?${new URLSearchParams({ fault: idOf(one) })}`),
    ),
  ]
  return [{ title: "Actions", hits: actions.filter(([words]) => contains(text, words)).map(([, hit]) => hit) }]
}

const link = ({ root }: Visit, label: string, note: string, to: string): [string, Hit] => [
  label,
  { label, note, href: root + to },
]

const button = (visit: Visit, note: string, path: string, { label, ...look }: Button): [string, Hit] => [
  label,
  { note, button: actionButton({ ...visit, path }, { label, variant: "quiet small", ...look }) },
]

function findSandboxes(visit: Visit, text: string) {
  if (text === "" || !visit.mayGo("/sandbox")) return []
  const found = sandboxOf(visit)
    .list()
    .filter(({ name }) => contains(text, name))
  const hits = found.map(({ name, clock }) => ({
    label: name,
    note: distanceOf(clock),
    href: `${visit.root}/sandbox/${name}`,
  }))
  return [{ title: "Sandboxes", hits }]
}

/** The forms that ids of requests have. */
const requestId = /^[\w.:+/=@-]{1,128}$/

/** The recorded request with this id, which a problem has as `requestId`. */
async function findRecordedRequest(visit: Visit, text: string) {
  if (!requestId.test(text) || !visit.mayGo("/requests")) return []
  const { listRequests } = await sandboxOf(visit).call()
  const { value } = await listRequests({ query: { requestId: text, limit: 1 } })
  const hits = value.map(({ id, method, path, status }) => ({
    label: `${method} ${path}`,
    note: `${status ?? "no response"}`,
    href: `${visit.root}/requests/${id}`,
  }))
  return [{ title: "Requests", hits }]
}
