// Live updates of the store's pages, which work without scripts.
const entriesMax = 8
const againMs = 30_000
const betweenPagesMs = 1_000

/** Adds events to the list as they arrive, starting after the last event that the page contains. */
function follow(list) {
  const words = JSON.parse(list.dataset.words)
  const live = document.querySelector("[data-live]")
  const address = new URL(list.dataset.stream, location.href)

  let source

  function connect() {
    if (document.hidden) return
    source = new EventSource(address)
    source.onopen = () => {
      live.textContent = "Live"
    }
    source.onmessage = ({ data, lastEventId }) => {
      address.searchParams.set("after", lastEventId)
      show(JSON.parse(data))
    }
    source.onerror = () => {
      live.textContent = "Reconnecting"
      if (source.readyState === EventSource.CLOSED) setTimeout(reconnect, againMs)
    }
  }

  function show({ event, data, timestamp }) {
    const entry = document.createElement("li")
    const name = document.createElement(event === "pet.deleted" ? "b" : "a")
    if (event !== "pet.deleted") name.href = `./pets/${data.id}`
    name.textContent = data.name
    name.title = data.name
    const time = document.createElement("time")
    time.dateTime = timestamp
    entry.append(name, ` ${(words[event] ?? event).replace("*", data.status)} `, time)
    entry.className = "new"
    localise(time)
    list.prepend(entry)
    while (list.children.length > entriesMax) list.lastElementChild.remove()
    update(event, data)
    if (event === "pet.created") void showNew()
  }

  function reconnect() {
    source?.close()
    connect()
  }

  // A browser has few connections per site: hidden pages release theirs.
  document.addEventListener("visibilitychange", () => (document.hidden ? source?.close() : reconnect()))
  connect()
}

/** Updates the card of a pet and removes links to the page of a deleted one. */
function update(event, { id, name, status }) {
  if (event === "pet.deleted")
    for (const link of document.querySelectorAll(`.activity a[href="./pets/${Number(id)}"]`))
      link.removeAttribute("href")
  const card = document.querySelector(`[data-pet="${Number(id)}"]`)
  if (!card) return
  const shown = card.querySelector(".status")
  shown.className = `status ${event === "pet.deleted" ? "sold" : status}`
  shown.textContent = event === "pet.deleted" ? "removed" : status
  const title = card.querySelector("strong")
  title.textContent = name
  title.title = name
}

let pageAt = 0
let isAwaited = false

/** Offers the cards of new pets above the list of all pets; the page has them. They would move the cards that a visitor looks at. */
async function showNew() {
  if (isAwaited || !document.querySelector("[data-newest]")) return
  isAwaited = true
  await new Promise((resolve) => setTimeout(resolve, pageAt + betweenPagesMs - Date.now()))
  isAwaited = false
  pageAt = Date.now()
  const response = await fetch(location.href).catch(() => undefined)
  if (!response?.ok) return
  const page = new DOMParser().parseFromString(await response.text(), "text/html")
  const [shown, next] = [document.querySelector("[data-newest]"), page.querySelector("[data-newest]")]
  const grid = shown.querySelector(".grid")
  if (!grid) return shown.replaceWith(next)
  const known = new Set([...grid.children].map(({ dataset }) => dataset.pet))
  const added = [...next.querySelectorAll("[data-pet]")].filter(({ dataset }) => !known.has(dataset.pet))
  const link = document.querySelector(".arrivals")
  link.hidden = added.length === 0
  link.textContent = `Show ${added.length} new ${added.length === 1 ? "pet" : "pets"}`
  link.onclick = (event) => {
    event.preventDefault()
    link.hidden = true
    for (const card of added) card.className = "new"
    shown.replaceWith(next)
  }
}

/** Shows a time in the browser's time zone, with the day unless it is today. */
function localise(time) {
  const at = new Date(time.dateTime)
  const isToday = at.toDateString() === new Date().toDateString()
  const day = isToday ? {} : { month: "short", day: "numeric" }
  time.title = `${time.dateTime.slice(0, 19).replace("T", " ")} UTC`
  time.textContent = at.toLocaleString([], { ...day, hour: "2-digit", minute: "2-digit" })
}

/** Copies the command next to the button. */
function offerCopy(button) {
  if (!navigator.clipboard) return
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent)
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = "Copy"
    }, 2_000)
  })
}

/** Sends a form, and shows the page that follows without leaving this one. */
function sendInPlace(form) {
  form.addEventListener("submit", async (event) => {
    if (!("inPlace" in form.dataset)) return
    event.preventDefault()
    const button = event.submitter
    const body = new URLSearchParams(new FormData(form, button))
    button.textContent = "Running…"
    button.disabled = true
    const headers = { accept: "text/html" }
    const text = await fetch(form.action, { method: "POST", body, headers }).then(
      (response) => response.text(),
      () => "",
    )
    const main = new DOMParser().parseFromString(text, "text/html").querySelector("main")
    if (main) {
      document.querySelector("main").replaceWith(main)
      prepare(main)
      main.querySelector("[tabindex='-1'], [role=alert]")?.focus()
      return
    }
    // What is no page is shown by the browser.
    button.disabled = false
    delete form.dataset.inPlace
    form.requestSubmit(button)
  })
}

function prepare(part) {
  for (const time of part.querySelectorAll(".activity time")) localise(time)
  for (const button of part.querySelectorAll("[data-copy]")) offerCopy(button)
  for (const form of part.querySelectorAll("[data-in-place]")) sendInPlace(form)
}

prepare(document)
for (const list of document.querySelectorAll("[data-stream]")) follow(list)
