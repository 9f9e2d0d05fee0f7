// What Scalar's elements lack for assistive technology. It renders parts of the page as they come into view.
const lacking = [
  [
    ".code-input-lite__editor[role=combobox]",
    ({ dataset }) => ({ role: "textbox", "aria-label": dataset.placeholder }),
  ],
  ["button.scalar-code-copy:not([aria-label])", () => ({ "aria-label": "Copy" })],
  ["ul.endpoints:not([tabindex])", () => ({ tabindex: "0" })],
  // On a phone it opens the navigation, and names the section.
  [".t-doc__header:not([role])", () => ({ role: "navigation", "aria-label": "Section" })],
  // The banner of the page is the header of the site.
  ["header:not([role])", () => ({ role: "none" })],
]
const app = document.querySelector("#app")
let isDue = false

function complete() {
  isDue = false
  for (const [selector, attributesOf] of lacking)
    for (const element of app.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributesOf(element))) element.setAttribute(name, value)
}

new MutationObserver(() => {
  if (!isDue) requestAnimationFrame(complete)
  isDue = true
}).observe(app, { childList: true, subtree: true })
