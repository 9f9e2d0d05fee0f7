import { text } from "node:stream/consumers"
import { type OwnCommand, type Terminal, UsageError } from "../command.ts"
import { saveLogin } from "../service/logins.ts"

export const login: OwnCommand = {
  name: "login",
  summary: "Log in as a user and keep the token for later commands",
  description:
    "Asks for the password without showing it, or reads it from standard input when that is no terminal. The token is kept in " +
    "your state directory ($XDG_STATE_HOME/petstore, else ~/.local/state/petstore), readable for you alone, and sent to this " +
    "service by every command that is given no other credential, until it expires or until petstore logout.",
  arguments: [{ name: "username", meaning: "Who you are to the service" }],

  async run({ arguments: { username = "" } }, { service, terminal, stateDir }) {
    const password = await readPassword(terminal, `Password of ${username} at ${service.url}: `)
    const { value: token, headers } = await service.client.logIn({ body: { username, password } })
    const expiresAt = headers.get("x-expires-after")
    saveLogin(stateDir, service.url, { username, token, expiresAt })
    terminal.out(`Logged in to ${service.url} as ${username}${expiresAt === null ? "" : ` until ${expiresAt}`}\n`)
    if (service.credential.kind === "given")
      terminal.err(`${service.credential.from} is set, and is sent instead of the login\n`)
    return 0
  },
}

async function readPassword({ askSecret, stdin }: Terminal, question: string): Promise<string> {
  const line = await (askSecret?.(question) ?? text(stdin))
  const password = line.replace(/\r?\n$/, "")
  if (password === "") throw new UsageError("no password was given; it is asked for, or read from standard input")
  return password
}
