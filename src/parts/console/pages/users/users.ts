import type { Role } from "../../../../core/domain/scopes.ts"
import type { User } from "../../../../core/domain/users/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { newestFirst } from "../../../site/pages/parts/search-form.ts"
import { calledUnless, valueUnless } from "../../../site/serving/call.ts"
import { type ListQuery, type ListResult, tablePage } from "../list-page.ts"
import type { Visit } from "../page.ts"

export const usersPage = tablePage({
  path: "/users",
  title: "Users",
  scope: "read:users",
  forStaff: true,
  heading: ({ root }) => ({ links: html`<a href="${root}/users/new">Add a user</a>` }),
  controls: [{ kind: "text", name: "username", label: "Exact username", maxLength: 64 }, newestFirst],
  find(visit, { username = "", ...query }) {
    const name = String(username).trim()
    return name === "" ? listAll(visit, query) : findByName(visit, name)
  },
  columns: ({ root }) => [
    {
      title: "Username",
      kind: "name",
      isHead: true,
      cell: ({ username }) => html`<a href="${root}/users/named/${username}">${username}</a>`,
    },
    { title: "Name", kind: "name", cell: ({ firstName = "", lastName = "" }) => `${firstName} ${lastName}`.trim() },
    { title: "E-mail", kind: "text", cell: ({ email }) => email ?? "" },
    { title: "Role", kind: "badge", cell: ({ role }) => badge(role) },
    { title: "Id", kind: "id", cell: ({ id }) => id },
  ],
  empty: ({ root }) => html`No user has this name. <a href="${root}/users">Show all users</a>`,
})

type Row = User & { role: Role }

async function listAll({ call }: Visit, query: ListQuery): Promise<ListResult<Row>> {
  const { value: users, next, request } = await call.listUsers({ query })
  const roles = new Map((await call.listRoles({ query })).value.map(({ id, role }) => [id, role]))
  // A user who was registered or deleted between the two lists appears with the next page.
  return { value: users.flatMap((user) => joined(user, roles.get(user.id))), next, request }
}

async function findByName({ call }: Visit, username: string): Promise<ListResult<Row>> {
  const params = { username }
  const found = await calledUnless(["user-not-found"], call.getUserByName({ params }))
  const held = found && (await valueUnless("user-not-found", call.getRole({ params })))
  return { value: found ? joined(found.value, held?.role) : [], next: undefined, request: found?.request }
}

const joined = (user: User, role: Role | undefined): Row[] => (role === undefined ? [] : [{ ...user, role }])
