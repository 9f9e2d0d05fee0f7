// The palette shows what the page of results has, while a person types. Without a script, the link in the header leads to that page.
const waitMs = 120
const link = document.querySelector("[data-palette]")
const content = `<input role="combobox" aria-label="Search" aria-autocomplete="list" aria-expanded="false" aria-controls="found"
 maxlength="255" autocomplete="off" spellcheck="false" placeholder="A page, an action, a pet, an order…">
<div id="found" role="listbox" aria-label="Found"></div><p role="status"></p>`

link.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  openPalette()
})

// Captured, because the reference has keys of its own.
addEventListener("keydown", openByKey, { capture: true })

/** `/`, Ctrl+K and Command+K open the palette; `/` not while the person is typing. */
function openByKey(event) {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]") !== null
  const isCommand = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)
  const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping
  if (!isCommand && !isSlash) return
  event.preventDefault()
  event.stopPropagation()
  openPalette()
}

function openPalette() {
  if (document.querySelector("dialog:modal")) return
  const dialog = document.createElement("dialog")
  dialog.className = "palette"
  dialog.setAttribute("aria-label", "Search")
  dialog.setAttribute("closedby", "any")
  dialog.innerHTML = content
  document.body.append(dialog)
  const palette = new Palette(dialog)
  // The browser gives the focus back to where it was.
  dialog.addEventListener("close", () => {
    palette.stop()
    dialog.remove()
  })
  dialog.showModal()
  void palette.search()
}

/** A combobox with a list (ARIA Authoring Practices): the focus stays in the field. */
class Palette {
  options = []
  /** The index of the selected option; -1 where there is none. */
  selected = -1
  /** Whether the options are those of the text in the field. */
  isCurrent = false
  /** Whether the first option is chosen as soon as they are. */
  isAwaited = false
  asking = new AbortController()
  timer

  constructor(dialog) {
    this.dialog = dialog
    ;[this.field, this.list, this.status] = dialog.children
    this.field.addEventListener("input", () => this.searchSoon())
    this.field.addEventListener("keydown", (event) => this.press(event))
  }

  stop() {
    clearTimeout(this.timer)
    this.asking.abort()
  }

  press(event) {
    const act = {
      ArrowDown: () => this.select(this.selected + 1),
      ArrowUp: () => this.select(this.selected - 1),
      Enter: () => this.enter(),
    }[event.isComposing ? "" : event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  enter() {
    if (this.isCurrent) this.options[this.selected]?.choose()
    else this.isAwaited = true
  }

  select(index) {
    const { options, field } = this
    options[this.selected]?.element.setAttribute("aria-selected", "false")
    this.selected = options.length === 0 ? -1 : (index + options.length) % options.length
    const element = options[this.selected]?.element
    field.setAttribute("aria-activedescendant", element?.id ?? "")
    element?.setAttribute("aria-selected", "true")
    element?.scrollIntoView({ block: "nearest" })
  }

  searchSoon() {
    this.isCurrent = false
    this.isAwaited = false
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.search(), waitMs)
  }

  /** Fetches the results; those of an earlier text that arrive later are dropped. */
  async search() {
    this.asking.abort()
    this.asking = new AbortController()
    const { signal } = this.asking
    try {
      const response = await fetch(`${link.href}?${new URLSearchParams({ q: this.field.value })}`, { signal })
      const text = await response.text()
      // Without the head, whose style sheet the policy of another page forbids.
      const page = new DOMParser().parseFromString(text.slice(text.indexOf("<main")), "text/html")
      const found = response.ok ? page.querySelector("[data-found]") : null
      if (found === null) throw new Error("no results")
      if (!signal.aborted) this.show(found, response.url)
    } catch {
      if (!signal.aborted) this.status.textContent = "The search does not respond. Try again."
    }
  }

  show(found, address) {
    this.options = []
    this.list.replaceChildren(...[...found.querySelectorAll("section")].map((each) => this.groupOf(each, address)))
    const count = this.options.length
    this.field.setAttribute("aria-expanded", String(count > 0))
    this.status.textContent = count > 0 ? `${count} found` : "Nothing was found."
    this.isCurrent = true
    this.select(0)
    if (this.isAwaited) this.enter()
  }

  groupOf(section, address) {
    const group = document.createElement("div")
    const title = document.createElement("p")
    title.textContent = section.querySelector("h2").textContent
    title.ariaHidden = "true"
    group.role = "group"
    group.ariaLabel = title.textContent
    group.append(title, ...[...section.querySelectorAll("li")].map((item) => this.optionOf(item, address)))
    return group
  }

  /** An option for a link of the page of results, or for the button of a form. */
  optionOf(item, address) {
    const target = item.querySelector("a, form")
    const element = document.createElement("div")
    element.role = "option"
    element.id = `found-${this.options.length}`
    element.setAttribute("aria-selected", "false")
    const note = document.createElement("span")
    note.textContent = item.querySelector(".soft").textContent
    element.append((target.querySelector("button") ?? target).textContent, " ", note)
    const choose = () => this.choose(target, address)
    element.addEventListener("click", choose)
    this.options.push({ element, choose })
    return element
  }

  choose(target, address) {
    this.dialog.close()
    if (target.matches("a")) return location.assign(new URL(target.getAttribute("href"), address))
    // A field with the name `action` hides the property.
    target.setAttribute("action", new URL(target.getAttribute("action"), address))
    target.hidden = true
    document.body.append(target)
    target.submit()
  }
}
