import type { User } from "../../domain/users/contract.ts"
import { Problem } from "../../kernel/problem.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { pager } from "../parts/pager.ts"
import { searchForm } from "../parts/search-form.ts"
import { table } from "../parts/table.ts"
import { showFound } from "./find.ts"
import type { ConsolePage, Visit } from "./page.ts"

/** The people of the service; one of them is found by name. */
export const usersPage: ConsolePage = {
  path: "/users",
  title: "Users",
  nav: "Users",
  scope: "read:users",
  forStaff: true,
  async show(visit) {
    const { call, query, root } = visit
    const username = query.get("username")?.trim()
    const list = username
      ? people(root, await findByName(visit, username))
      : await showFound(
          query,
          ["sort"],
          (asked) => call.listUsers({ query: asked }),
          ({ value, next }) => html`${people(root, value)}${pager(visit, next)}`,
        )
    return html`<div class="heading"><h1>Users</h1>
<p class="actions"><a href="${root}/users/new">Add a user</a></p></div>
${searchForm(visit, controls)}
${list}`
  },
}

const controls = [
  { kind: "text", name: "username", label: "Username, in full", maxLength: 64 },
  {
    kind: "choice",
    name: "sort",
    label: "Sorted",
    choices: { "-id": "Newest first", id: "Oldest first" },
    none: "As usual",
  },
] as const

async function findByName({ call }: Visit, username: string): Promise<User[]> {
  try {
    return [(await call.getUserByName({ params: { username } })).value]
  } catch (error) {
    if (error instanceof Problem && error.code === "user-not-found") return []
    throw error
  }
}

const people = (root: string, rows: User[]): Markup =>
  table({
    caption: "Users",
    columns: [
      {
        title: "Username",
        cell: ({ username }) => html`<a href="${root}/users/named/${username}">${username}</a>`,
      },
      { title: "Name", cell: ({ firstName = "", lastName = "" }) => `${firstName} ${lastName}`, isMinor: true },
      { title: "E-mail", cell: ({ email }) => email ?? "", isMinor: true },
      { title: "Role", cell: ({ role }) => badge(role) },
      { title: "Id", cell: ({ id }) => id, isNumber: true, isMinor: true },
    ],
    rows,
    empty: html`Nobody is called this. <a href="${root}/users">See everybody</a>`,
  })
