import { hash } from "node:crypto"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { consoleScript } from "../../site/pages/assets.ts"
import { renderPage, type Surrounded } from "../../site/pages/frame.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import { copyable } from "../../site/pages/parts/copyable.ts"
import { alarm } from "../../site/pages/parts/notice.ts"
import { timeoutSeconds } from "../exam/adapter.ts"
import type { Exam } from "./contract.ts"
import { examPath } from "./path.ts"
import { countOf } from "./verdicts.ts"

type ExamTask = Exam["tasks"][number]

const page = (around: Surrounded, main: Markup, status = 200): HttpResponse =>
  renderPage({
    ...around,
    title: "Examine your client · Petstore",
    status,
    scripts: [consoleScript.name],
    main: html`<h1>Examine your client</h1>
<div class="exam">${main}</div>`,
  })

/** Where an exam starts; `refusal` says why it cannot. */
export const startPage = (around: Surrounded, refusal?: { message: string; status: number }): HttpResponse =>
  page(
    around,
    html`${refusal && alarm(refusal.message)}
<p class="lead">Is your client good when the service is slow, refuses, or closes the connection? It gets a sandbox and a task; the sandbox fails
as the task says, and its journal shows what the client sent.</p>
<p>Any program that can be pointed at a URL: your own, a test, Postman, curl. Nothing is installed.</p>
<form method="post" action="${around.root}${examPath}"><button>Examine a client</button></form>
<p class="soft">The sandbox is deleted after an hour without a request. With an adapter of a page, <code>petstore exam</code> also judges what the
client made of the responses.</p>`,
    refusal?.status,
  )

/** The tasks of an exam, each with its light; it follows the requests while it is visible. */
export const examPage = (around: Surrounded, name: string, exam: Exam): HttpResponse =>
  page(
    around,
    html`<p>Point your client at this URL, with this key. It must not wait longer than ${timeoutSeconds} seconds for a response.</p>
<p>${copyable(exam.url, "the base URL")} ${copyable(exam.key, "the key")}</p>
<p class="soft">By hand: ${copyable(`curl --retry 3 -H 'api_key: ${exam.key}' ${exam.url}/pet/1`, "the command")}</p>
<form method="post" action="./${name}" data-refresh="1000" data-newest="${hash("sha256", JSON.stringify(exam)).slice(0, 16)}">
<p role="status">${countOf(exam, "passed")} passed, ${countOf(exam, "missed")} missed, ${countOf(exam, "open")} open;
${countOf(exam, "unjudged")} are not judged here. Keep it as
<a href="./${name}/exam.json">JSON</a>, <a href="./${name}/junit.xml">JUnit</a>, <a href="./${name}/badge.svg">badge</a></p>
${current(exam)}
${[...Map.groupBy(exam.tasks, ({ chapter }) => chapter)].map(
  ([chapter, tasks]) => html`<h2>${chapter}</h2>
<ul>${tasks.map(
    (task) => html`<li>${light(task)}${task.steps ? startButton(task, "quiet") : html`<b>${task.name}</b>`}
<span>${task.expects}</span></li>`,
  )}</ul>`,
)}
</form>`,
  )

/** The task that was started last, and those that can be started now. */
function current(exam: Exam): Markup {
  const { tasks, step = 1 } = exam
  const index = tasks.findIndex(({ name }) => name === exam.task)
  const task = tasks[index]
  const open = [...tasks.slice(index + 1), ...tasks.slice(0, Math.max(index, 0))].find(
    ({ steps, outcome }) => steps && outcome === "open",
  )
  const next = open && html`${startButton(open, "", task ? `Next: ${open.name}` : `Start with ${open.name}`)}`
  if (!task) return html`<section class="card">${next}</section>`
  const { name, expects, steps = [], observed, requests } = task
  return html`<section class="card" aria-labelledby="task"><h2 id="task">${name}</h2>
<p>${expects}</p>
<ol>${steps.map(
    (words, n) => html`<li${n + 1 === step && html` aria-current="step"`}>${words}
${n === step && startButton(task, "", `Go on with step ${n + 1}`, n + 1)}</li>`,
  )}</ol>
<p>${light(task)} ${observed}</p>
${requests && html`<pre class="wrap" tabindex="0">${requests.join("\n")}</pre>`}
<div class="choices">${startButton(task, "quiet", "Start again")} ${next}</div></section>`
}

const startButton = ({ name }: ExamTask, look: string, label = name, step = 1): Markup =>
  html`<button id="${label === name ? "in-list" : "now"}-${name}-${step}" class="${look}" name="start" value="${name} ${step}">${label}</button>`

const words = {
  open: "not yet",
  passed: "passed",
  missed: "missed",
  unclaimed: "not claimed",
  unjudged: "needs an adapter",
}

const light = ({ outcome }: ExamTask): Markup => html`<span class="status ${outcome}">${words[outcome]}</span>`
