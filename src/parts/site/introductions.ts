import type { Router } from "../../core/server/exchange/router.ts"
import type { Markup } from "./pages/html.ts"

type Introduction = () => Markup | undefined

const introductions = new WeakMap<Router, Introduction[]>()

/** Adds what the page at `/` shows above its content, in a paragraph, of the pages of another part. */
export function addIntroduction(router: Router, show: Introduction): void {
  introductions.set(router, [...(introductions.get(router) ?? []), show])
}

export const introductionsOf = (router: Router): Markup[] =>
  (introductions.get(router) ?? []).flatMap((show) => show() ?? [])
