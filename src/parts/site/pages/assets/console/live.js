// Enhances the console's pages, which work without scripts.

enhance(document)
for (const form of document.querySelectorAll("form.search")) disableExcluded(form)
for (const form of document.querySelectorAll("form.bulk")) linkTicks(form)
for (const list of document.querySelectorAll("[data-live]")) follow(list)

for (const link of document.querySelectorAll("a[data-dialog]")) openAsDialog(link)
for (const part of document.querySelectorAll("[data-refresh]")) keepCurrent(part)
keepTimesCurrent()

// Forms of a page restored from the browser's cache may be submitted again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent
})

function enhance(part) {
  for (const button of part.querySelectorAll("[data-copy]")) offerCopy(button)
  for (const form of part.querySelectorAll('form[method="post"]'))
    if (form.dataset.upload === undefined) sendOnce(form)
    else showProgress(form)
}

/** Opens the form of another page above this one; where there is none, the link leads to that page. */
function openAsDialog(link) {
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const response = await fetch(link.href).catch(() => undefined)
    const page = response?.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : undefined
    const content = page?.querySelector("main [data-dialog]")
    if (!content) return location.assign(link.href)
    const dialog = document.createElement("dialog")
    const title = document.createElement("h2")
    title.textContent = page.querySelector("h1").textContent
    title.id = "dialog-title"
    dialog.setAttribute("aria-labelledby", title.id)
    dialog.append(title, content)
    content.querySelector("a.quiet").addEventListener("click", (cancel) => {
      cancel.preventDefault()
      dialog.close()
    })
    dialog.addEventListener("close", () => dialog.remove())
    document.querySelector("main").append(dialog)
    enhance(dialog)
    dialog.showModal()
  })
}

function offerCopy(button) {
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = "Copied"
  })
}

/** Fetches the page again and takes the part from it when it has something newer. */
function keepCurrent(part) {
  setTimeout(async () => {
    const response = document.hidden ? undefined : await fetch(location.href).catch(() => undefined)
    const page = response?.ok && new DOMParser().parseFromString(await response.text(), "text/html")
    const next = page ? page.querySelector("[data-refresh]") : null
    const isNewer = next && next.dataset.newest !== part.dataset.newest
    const focused = isNewer && part.contains(document.activeElement) ? document.activeElement.id : ""
    if (isNewer) part.replaceWith(next)
    if (focused) document.getElementById(focused)?.focus()
    keepCurrent(isNewer ? next : part)
  }, Number(part.dataset.refresh))
}

/** Rewrites the relative times of an open page, by the clock of the service, in the words of `parts/time.ts`. */
function keepTimesCurrent() {
  const skewMs = Date.parse(document.querySelector("main")?.dataset.now) - Date.now()
  if (Number.isNaN(skewMs)) return
  setInterval(() => {
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const ms = Date.parse(time.dateTime) - Date.now() - skewMs - Number(time.dataset.ago)
      time.textContent = ms > 500 ? `in ${inWords(ms)}` : `${inWords(-ms)} ago`
    }
  }, 10_000)
}

const unitsMs = { year: 31_557_600_000, day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 }
const leastOf = { hour: 1.5, minute: 1, second: 0 }

function inWords(ms) {
  const [word, size] = Object.entries(unitsMs).find(([word, size]) => ms >= (leastOf[word] ?? 2) * size) ?? [
    "second",
    1000,
  ]
  const count = Math.max(1, Math.round(ms / size))
  return `${count} ${word}${count === 1 ? "" : "s"}`
}

function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = "yes"
  })
}

/** Fields of a search that exclude each other: those without a value are disabled while the other side has one. */
function disableExcluded(form) {
  const pairs = [...form.querySelectorAll("[data-excludes]")].map((field) => [
    field,
    field.dataset.excludes.split(" ").map((name) => form.elements[name]),
  ])
  const update = () => {
    for (const [field, others] of pairs) {
      const isUsed = field.value !== ""
      field.disabled = !isUsed && others.some(({ value }) => value !== "")
      for (const other of others) other.disabled = isUsed && other.value === ""
    }
  }
  form.addEventListener("input", update)
  update()
}

/** The box "all" ticks every row and shows whether all are ticked; the number of ticked rows is reported. */
function linkTicks(form) {
  const { all } = form.elements
  const boxes = [...form.elements].filter(({ name }) => name === "pick")
  const update = () => {
    const count = boxes.filter(({ checked }) => checked).length
    all.checked = count === boxes.length
    all.indeterminate = count > 0 && !all.checked
    form.querySelector("[role=status]").textContent = count > 0 ? `${count} selected` : ""
  }
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked
    update()
  })
  for (const box of boxes) box.addEventListener("change", update)
  addEventListener("pageshow", update)
}

/** Accepts dropped files and shows the progress of the upload. */
function showProgress(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    send(form, event.submitter?.getAttribute("formaction") ?? form.action)
  })
  form.addEventListener("dragover", (event) => {
    event.preventDefault()
    form.classList.add("dragged")
  })
  form.addEventListener("dragleave", () => form.classList.remove("dragged"))
  form.addEventListener("drop", (event) => {
    event.preventDefault()
    form.classList.remove("dragged")
    form.querySelector("input[type=file]").files = event.dataTransfer.files
    if (form.reportValidity()) form.requestSubmit()
  })
}

function send(form, address) {
  const [bar, alarm] = [form.querySelector("progress"), form.querySelector(".alarm")]
  const report = (message) => {
    bar.hidden = message !== undefined
    alarm.hidden = message === undefined
    alarm.textContent = message ?? ""
  }
  const { result } = form.dataset
  const request = new XMLHttpRequest()
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = (loaded / total) * 100
  })
  request.addEventListener("error", () =>
    report(
      `The connection was lost. ${result ? "Send the file again to go on." : "Reload the page to see what was stored."}`,
    ),
  )
  // The service reports progress while it processes the file.
  request.addEventListener("progress", () => {
    const last = request.responseText.lastIndexOf("data-percent=")
    if (last >= 0) bar.value = Number.parseInt(request.responseText.slice(last + 14), 10)
  })
  request.addEventListener("load", () => {
    const page = new DOMParser().parseFromString(request.responseText, "text/html")
    const main = page.querySelector("main")
    if (request.status < 400 && main && result) showResult(main, result, bar)
    else if (request.status < 400 && main) show(main, request.responseURL)
    else report(page.querySelector("[role=alert]:not([hidden])")?.textContent || "The file was refused.")
  })
  report()
  bar.value = 0
  request.open("POST", address)
  request.send(new FormData(form))
}

/** Replaces the page by the response, as the browser would. */
function show(main, address) {
  history.replaceState(null, "", address)
  document.querySelector("main").replaceWith(main)
  enhance(main)
  main.focus()
}

/** Shows the result and keeps the file in the form. */
function showResult(main, id, bar) {
  bar.hidden = true
  const result = main.querySelector(`#${id}`)
  document.getElementById(id).replaceWith(result)
  result.tabIndex = -1
  result.focus()
}

const pauseMs = 1_000

/**
 * Fetches the page again when events arrive and adds its new rows, so rows are rendered on the server only and a burst of
 * events costs one request. EventSource itself resumes after the last event.
 */
function follow(list) {
  const source = new EventSource(list.dataset.live)
  let isStale = false
  let isRefreshing = false

  const say = (text, kind) => {
    const line = document.querySelector(".live")
    line.hidden = false
    line.textContent = text
    line.className = `live ${kind}`
  }
  const stop = () => {
    source.close()
    say("Live updates have ended: reload the page", "bad")
  }

  async function refresh() {
    isStale = true
    if (isRefreshing) return
    isRefreshing = true
    while (isStale) {
      isStale = false
      await takeNewRows(list).catch(stop)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    isRefreshing = false
  }

  source.addEventListener("open", () => {
    say("Live", "good")
    // Events between the page and the stream.
    void refresh()
  })
  source.addEventListener("message", () => void refresh())
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) stop()
    else say("Connection lost: reconnecting", "waiting")
  })
}

async function takeNewRows(list) {
  const response = await fetch(location.href, { redirect: "error" })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), "text/html")
  const now = page.querySelector("[data-live]")
  const [shown, found] = [list.querySelector("tbody"), now.querySelector("tbody")]
  if (!shown || !found) return list.replaceChildren(...now.childNodes)
  const keysOf = (body) => new Set([...body.rows].map((row) => row.dataset.key))
  const [known, current] = [keysOf(shown), keysOf(found)]
  const fresh = [...found.rows].filter((row) => !known.has(row.dataset.key))
  for (const row of [...shown.rows]) if (!current.has(row.dataset.key)) row.remove()
  for (const row of fresh) row.className = "fresh"
  shown.prepend(...fresh)
}
