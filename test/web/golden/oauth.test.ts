import { goldenPages } from "../../harness/golden-pages.ts"
import { askFor, discover, sample, sampleRedirectUri } from "../../harness/oauth.ts"

const random = [/([=/])[\w-]{43}(?![\w-])/g, "$1RANDOM"] as const

/** A consent is given, and ends, in whole seconds that begin before or after the clock. */
const givenAt = [
  /20(25-12-31[T ]23:59:5\d|26-01-01[T ]00:00:00|26-03-31[T ]23:59:5\d|26-04-01[T ]00:00:00)/g,
  "TIME",
] as const

goldenPages(
  import.meta.dirname,
  "oauth",
  async ({ visitor, petstore, fetch }) => {
    const server = await discover(petstore.url)
    const ask = async (scope: string) =>
      (await askFor(server, sample.client_id, sampleRedirectUri, scope)).url.href.replace(petstore.url, "")
    const anonymous = await visitor("anonymous")
    await anonymous.seeWhole(await ask("openid offline_access read:pets write:pets"))
    await anonymous.send({ username: "user1", password: "wrong", answer: "login" })
    await anonymous.send({ username: "user1", password: "password1", answer: "login" })
    anonymous.showCookies()
    await anonymous.send({ answer: "allow" })
    await anonymous.see(await ask("read:pets"))
    await anonymous.see(await ask("read:orders"))
    await anonymous.send({ answer: "deny" })
    const other = await visitor("anonymous")
    await other.see(await ask("read:pets"))
    await other.send({ answer: "deny" })
    await other.see(`${await ask("read:pets")}&login_hint=user%3C2`)
    await other.see(await ask("nothing"))
    await other.seeWhole("/oauth/auth?client_id=nothing")
    await other.see("/oauth/auth?client_id=sample-client-id&redirect_uri=https://evil.example/&response_type=code")
    await other.see("/oauth/interaction/none")
    const customer = await visitor("customer")
    await customer.see("/console/consents")
    await customer.send({ action: "end", consent: "999" })
    await fetch("/oauth/.well-known/openid-configuration")
    await fetch("/.well-known/oauth-authorization-server/oauth")
    await fetch("/oauth/nothing", { headers: { accept: "text/html" } })
    await fetch("/oauth/token", { method: "POST", body: new URLSearchParams({ grant_type: "password" }) })
  },
  { replaced: [random, givenAt] },
)
