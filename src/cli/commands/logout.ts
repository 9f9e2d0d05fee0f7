import type { OwnCommand } from "../command/command.ts"
import { deleteLogin, readLogin } from "../service/logins.ts"

export const logout: OwnCommand = {
  name: "logout",
  summary: "Revoke the token of petstore login and delete it",

  async run(_given, { service, terminal, stateDir }) {
    const login = readLogin(stateDir, service.url)
    if (login === undefined) {
      terminal.err(`You are not logged in to ${service.url}\n`)
      return 0
    }
    deleteLogin(stateDir, service.url)
    try {
      await service.client.logOut({}, { headers: { authorization: `Bearer ${login.token}` } })
    } catch (error) {
      terminal.err("The token was deleted here but could not be revoked: it is valid until it expires.\n")
      throw error
    }
    terminal.out(`${login.username} logged out of ${service.url}\n`)
    return 0
  },
}
