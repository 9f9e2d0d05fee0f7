// What pages of the console do better with a script; everything works without it.

enhance(document)
for (const list of document.querySelectorAll("[data-live]")) follow(list)

// A page that comes back from the cache of the browser may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent
})

function enhance(part) {
  for (const button of part.querySelectorAll("[data-copy]")) offerCopy(button)
  for (const form of part.querySelectorAll('form[method="post"]'))
    if (form.dataset.upload === undefined) sendOnce(form)
    else showProgress(form)
}

function offerCopy(button) {
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = "Copied"
  })
}

function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = "yes"
  })
}

/** A file may be dropped on the form, and a bar shows how much of it has been sent. */
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
  const tell = (message) => {
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
    tell(
      `The connection was lost. ${result ? "Send the file again to go on." : "Reload the page to see what was stored."}`,
    ),
  )
  // What the service does with the file that has come is told as it happens.
  request.addEventListener("progress", () => {
    const last = request.responseText.lastIndexOf("data-percent=")
    if (last >= 0) bar.value = Number.parseInt(request.responseText.slice(last + 14), 10)
  })
  request.addEventListener("load", () => {
    const page = new DOMParser().parseFromString(request.responseText, "text/html")
    const main = page.querySelector("main")
    if (request.status < 400 && main && result) showResult(main, result, bar)
    else if (request.status < 400 && main) show(main, request.responseURL)
    else tell(page.querySelector("[role=alert]:not([hidden])")?.textContent || "The file was refused.")
  })
  tell()
  bar.value = 0
  request.open("POST", address)
  request.send(new FormData(form))
}

/** Goes on to the page that was responded with, as the browser would have. */
function show(main, address) {
  history.replaceState(null, "", address)
  document.querySelector("main").replaceWith(main)
  enhance(main)
  main.focus()
}

/** Shows what became of the file, and leaves it in its form. */
function showResult(main, id, bar) {
  bar.hidden = true
  const result = main.querySelector(`#${id}`)
  document.getElementById(id).replaceWith(result)
  result.tabIndex = -1
  result.focus()
}

const pauseMs = 1_000

/**
 * Whenever something happens, takes the rows that are new from the page as it is now: it is rendered in one place only, and
 * many events at once are one request. The stream goes on behind the last event it told of by itself.
 */
function follow(list) {
  const source = new EventSource(list.dataset.live)
  let isWanted = false
  let isLooking = false

  const say = (words, look) => {
    const line = document.querySelector(".live")
    line.hidden = false
    line.textContent = words
    line.className = `live ${look}`
  }
  const stop = () => {
    source.close()
    say("Not live any more: open the page again", "bad")
  }

  async function look() {
    isWanted = true
    if (isLooking) return
    isLooking = true
    while (isWanted) {
      isWanted = false
      await takeNewRows(list).catch(stop)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    isLooking = false
  }

  source.addEventListener("open", () => {
    say("Live", "good")
    // What happened between the page and the stream.
    void look()
  })
  source.addEventListener("message", () => void look())
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) stop()
    else say("The connection was lost: trying again", "waiting")
  })
}

async function takeNewRows(list) {
  const response = await fetch(location.href, { redirect: "error" })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), "text/html")
  const now = page.querySelector("[data-live]")
  const [shown, found] = [list.querySelector("tbody"), now.querySelector("tbody")]
  if (!shown || !found) return list.replaceChildren(...now.childNodes)
  const known = new Set([...shown.rows].map((row) => row.dataset.key))
  const rows = [...found.rows]
  const fresh = rows.filter((row) => !known.has(row.dataset.key))
  for (const row of fresh) row.className = "fresh"
  shown.prepend(...fresh)
  for (const row of [...shown.rows].slice(rows.length)) row.remove()
}
