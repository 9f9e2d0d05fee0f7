import type { OwnCommand } from "../command/command.ts"
import { readSecret } from "../command/read-secret.ts"
import { saveLogin } from "../service/logins.ts"

export const login: OwnCommand = {
  name: "login",
  summary: "Log in as a user and store the token for later commands",
  description:
    "Prompts for the password without echo, or reads it from standard input when that is not a terminal. The token is stored in " +
    "your state directory ($XDG_STATE_HOME/petstore, otherwise ~/.local/state/petstore), readable only by you. Commands without " +
    "another credential send it to this service until it expires or until petstore logout.",
  arguments: [{ name: "username", meaning: "Your username" }],

  async run({ arguments: { username = "" } }, { service, terminal, stateDir }) {
    const password = await readSecret(terminal, `Password of ${username} at ${service.url}: `)
    const { value: token, headers } = await service.client.logIn({ body: { username, password } })
    const expiresAt = headers.get("x-expires-after")
    saveLogin(stateDir, service.url, { username, token, expiresAt })
    terminal.out(`Logged in to ${service.url} as ${username}${expiresAt === null ? "" : ` until ${expiresAt}`}\n`)
    if (service.credential.kind === "given")
      terminal.err(`${service.credential.from} is set and takes precedence over the login\n`)
    return 0
  },
}
