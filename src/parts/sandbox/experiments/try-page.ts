import { counted } from "../../../core/kernel/counted.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { html, type Markup, prose } from "../../site/pages/html.ts"
import { alarm } from "../../site/pages/parts/notice.ts"
import type { OwnResponse } from "../console/send-to-self.ts"
import { sandboxPath } from "../named/path.ts"
import { foldedAttempts } from "../pages/attempts.ts"
import { prettyJson } from "../pages/pretty-json.ts"
import { statusBadge } from "../pages/requests.ts"
import { type Experiment, type ExperimentStep, startAgain } from "./experiments.ts"
import type { ExperimentRun, ObservedStep } from "./run-experiment.ts"
import { type Snippet, snippetsOf } from "./snippets.ts"

export type TryView = {
  experiments: readonly Experiment[]
  /** Without a trailing slash. */
  publicUrl: string
  /** The sandbox of the visitor; undefined before the first experiment. */
  sandbox: string | undefined
  run?: ExperimentRun
  /** The experiment that could not be carried out, and why. */
  refused?: { experiment: Experiment; status: number; message: string }
}

/** The experiments, each with its code, and the one that was carried out with its result. */
export const tryMain = (view: TryView): Markup => html`<h1>See it fail</h1>
<p class="lead">${view.experiments.length === 4 ? "Four" : "Three"} things that happen to every client of an API. Each runs in a sandbox of your own, which is deleted an hour after its last
request.</p>
${view.experiments.map((experiment) => section(view, experiment))}`

const section = ({ publicUrl, sandbox, run, refused }: TryView, experiment: Experiment): Markup => {
  const { id, name, words } = experiment
  const label = run?.experiment === experiment ? "Run it again" : "Run it"
  const url = `${publicUrl}${sandboxPath(sandbox ?? id)}${basePath}`
  return html`<section id="${id}" class="experiment">
<h2>${name}</h2>
<p>${words}</p>
<form method="post" action="./try#${id}" data-in-place>
<button name="experiment" value="${id}" aria-label="${label}: ${name}">${label}</button>
</form>
${refused?.experiment === experiment && alarm(refused.message)}
${sandbox !== undefined && run?.experiment === experiment && result(run, sandbox)}
${snippetsOf(experiment, url).map(code)}
</section>`
}

const result = ({ experiment, observed, attempts, pets }: ExperimentRun, sandbox: string): Markup => {
  const page = `./console/sandbox/${sandbox}`
  const steps = [startAgain, ...experiment.steps]
  return html`<h3 tabindex="-1">What happened</h3>
<ol>${steps.map(
    (step) => html`<li><p>${prose(step.words)}</p>
${observed.filter((one) => one.step === step).map(sides)}</li>`,
  )}</ol>
<h3>What the store contains</h3>
<p>${counted(JSON.parse(pets).length, "pet")} with the name Rex.</p>
<pre class="wrap">${prettyJson(pets)}</pre>
${attempts && foldedAttempts(attempts, `${page}/requests`)}
<p class="soft">All of it is in the sandbox <code>${sandbox}</code>: <a href=".${sandboxPath(sandbox)}/">its store</a>, and for admin, password
admin, <a href="${page}">its page</a> in the console.</p>`
}

/** A request as the client sent it, what the client received, and what the journal of the sandbox has. */
const sides = ({ step, received, recorded }: ObservedStep): Markup => html`<div class="sides">
<section><h4>Sent</h4><pre class="wrap">${messageOf(`${step.method} ${step.path}`, step.headers ?? {}, JSON.stringify(step.body))}</pre></section>
<section><h4>Received</h4><pre class="wrap">${receivedText(step, received)}</pre></section>
<section><h4>In the journal</h4>${
  recorded &&
  html`<p>${statusBadge(recorded.status)} ${recorded.fault !== undefined && html`<code>${recorded.fault}</code>`} ${recorded.durationMs} ms</p>
<pre class="wrap">${prettyJson(recorded.response.body ?? "")}</pre>`
}</section>
</div>`

const receivedText = ({ timeoutSeconds }: ExperimentStep, received: OwnResponse): string => {
  if (received === "timeout") return `Nothing within ${timeoutSeconds} s`
  if (received === "lost") return "Nothing: the connection was closed"
  const shown = Object.entries(received.headers).filter(([name]) => headersShown.has(name))
  return messageOf(`${received.status}`, Object.fromEntries(shown), received.body)
}

/** Those of the response that clients decide by. */
const headersShown: ReadonlySet<string> = new Set(["retry-after", "ratelimit", "idempotency-replayed"])

const messageOf = (start: string, headers: Readonly<Record<string, unknown>>, body: string): string =>
  [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", prettyJson(body)].join("\n")

const code = ({ title, text, usage }: Snippet): Markup => html`<div class="snippet">
<details><summary>${title}</summary>
${usage !== undefined && html`<p class="soft">${prose(usage)}</p>`}
<pre tabindex="0">${text}</pre></details>
<button class="quiet" type="button" data-copy hidden aria-label="Copy: ${title}">Copy</button>
</div>`
