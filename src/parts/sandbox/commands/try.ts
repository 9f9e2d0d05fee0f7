import { spawn } from "node:child_process"
import { once } from "node:events"
import type { OwnCommand, World } from "../../../cli/command/command.ts"
import { endOfService, openTemporaryDirectory, spawnService } from "../../../cli/service/spawn-service.ts"
import { createPetstoreClient } from "../../../client/petstore-client.ts"

export const tryOut: OwnCommand = {
  name: "try",
  summary: "Start a temporary sandbox, and open its console signed in",
  description:
    "On a free port, with sample pets, until Ctrl-C or until the terminal is closed; then its data are deleted. Settings in the " +
    "environment have no effect. On a desktop the browser opens.",
  endsItself: true,

  async run(_, world) {
    using directory = openTemporaryDirectory()
    const settings = { PETSTORE_PROFILE: "sandbox", PETSTORE_PORT: "0", PETSTORE_DATA_DIR: directory.path }
    const service = spawnService({ ...withoutSettings(world.environment), ...settings }, "ignore")
    service.once("message", (url) => void welcome(String(url), world))
    return await endOfService(service, world.interrupted)
  },
}

const withoutSettings = (environment: World["environment"]): World["environment"] =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("PETSTORE_")))

type Person = { username: string; password: string }

async function welcome(url: string, world: World): Promise<void> {
  // Loaded here because no other command needs them.
  const [{ samplePeople }, { sandboxKeys }] = await Promise.all([
    import("../seeds/users.ts"),
    import("../seeds/keys.ts"),
  ])
  const admin = samplePeople.find(({ role }) => role === "admin") as Person
  const [{ secret: key }] = sandboxKeys
  const isOpened = hasDesktop(world) && (await openConsole(url, admin, world).catch(() => false))
  world.terminal.out(`
  Petstore is ready, with sample pets, until you press Ctrl-C; nothing is kept.

    Console    ${url}/console, user ${admin.username}, password ${admin.password}${isOpened ? " (opened, signed in)" : ""}
    Try        ${url}/try, failures with a click
    Store      ${url}
    Reference  ${url}/docs
    API        ${url}/api/v3, key ${key}

  See a pet:

    curl -H 'api_key: ${key}' ${url}/api/v3/pet/1

`)
}

/** Whether a person sits before a terminal of this machine's desktop. */
function hasDesktop({ terminal, environment }: World): boolean {
  if (terminal.width === undefined || environment.SSH_CONNECTION) return false
  return process.platform === "darwin" || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
}

/** Opens the console in the browser, signed in; resolves with whether something opens it. */
async function openConsole(
  url: string,
  { username, password }: Person,
  { environment, clock }: World,
): Promise<boolean> {
  const { value: token } = await createPetstoreClient({ url }).logIn({ body: { username, password } })
  const { openSignInLink } = await import("./sign-in-link.ts")
  const opener = process.platform === "darwin" ? "open" : "xdg-open"
  const link = await openSignInLink(url, token, clock.now)
  const browser = spawn(opener, [link], { env: environment, stdio: "ignore", detached: true })
  browser.unref()
  return once(browser, "spawn").then(
    () => true,
    () => false,
  )
}
