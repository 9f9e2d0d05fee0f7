import { scopes } from "../../domain/scopes.ts"
import type { Asking } from "../../http/oauth/consent.ts"
import { escaped, page } from "./pages.ts"

/** What a scope allows, in words. */
export const words: Record<string, string> = {
  ...scopes,
  openid: "Know that it is you, by a number that stands for you",
}

/** Asks a signed-in person whether the application may do what it wants to do. */
export const consentPage = (
  { clientName, redirectOrigin, person, scopes: wanted, beyond, switchUrl, consentsUrl }: Asking,
  token: string,
): string =>
  page(
    `Allow ${clientName}?`,
    `<h1>Allow ${escaped(clientName)}?</h1>
<p>It asks to act for you, <strong>${escaped(person.username)}</strong>. It will be able to:</p>
<ul aria-label="What it will be able to do">
${wanted.map((scope) => `<li>${escaped(words[scope] ?? scope)} <code>${escaped(scope)}</code></li>`).join("\n")}
</ul>
${beyond.length === 0 ? "" : `<p class="soft">It also asked for what you cannot allow: ${escaped(beyond.join(", "))}.</p>`}
<p class="soft">You go back to ${escaped(redirectOrigin)} either way. Your password is not shown to the application.</p>
<form method="post">
<input type="hidden" name="form" value="${token}">
<button name="answer" value="allow">Allow</button>
<button name="answer" value="deny" class="quiet">Do not allow</button>
</form>
<p><a href="${escaped(switchUrl)}">Sign in as somebody else</a> ·
<a href="${escaped(consentsUrl)}">What you have allowed so far</a></p>`,
  )
