import type { Logger } from "pino"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { basePath, v2Path } from "../../kernel/network/path.ts"
import { Problem, type ProblemKind } from "../../kernel/problem.ts"
import { problemDocument } from "../../kernel/schema/problem-document.ts"
import { Acknowledgement } from "../../kernel/schema/schema.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { prefersHtml, prefersXml } from "../reading/content-negotiation.ts"
import { writeProblemXml, writeXml } from "../xml/write-xml.ts"

/** The kinds of problems, by code. */
export type ProblemTable = Readonly<Record<string, ProblemKind>>

/** Converts what was thrown to a problem, and logs what an operator must look at. */
export type ToProblem = (exchange: Exchange, error: unknown) => Problem

export const problemReader =
  (log: Logger, problems: ProblemTable, asProblem: AsProblem): ToProblem =>
  (exchange, error) => {
    const problem = error instanceof Problem ? error : asProblem(error)
    exchange.problem = problem.code
    const judgement = exchange.observation?.judgement
    if (judgement) judgement.violations = problem.violations
    // A raised problem is a regular response; any other error needs an operator.
    if (!(error instanceof Problem) && kindOf(problem, problems).status >= 500)
      log.error({ err: error, requestId: exchange.id, code: problem.code }, "request failed")
    return problem
  }

export type AsProblem = (error: unknown) => Problem

const kindOf = ({ code }: Problem, problems: ProblemTable): ProblemKind => problems[code] as ProblemKind

export type RespondToError = (exchange: Exchange, error: unknown) => HttpResponse

/** The page about a problem, for a person. */
export type ProblemPage = (exchange: Exchange, problem: Problem) => HttpResponse

/**
 * Makes the problem document (RFC 9457) of what was thrown, or its page for a browser that asked for a page. Errors of the classic v2,
 * where it is served, are classic unless the request accepts problem documents by name.
 */
export function errorResponder(
  problems: ProblemTable,
  publicUrl: () => string,
  toProblem: ToProblem,
  hasV2: boolean,
  page: ProblemPage | undefined,
): RespondToError {
  return (exchange, error) => {
    const problem = toProblem(exchange, error)
    const kind = kindOf(problem, problems)
    const { status } = kind
    const { accept } = exchange.request.headers
    if (page && isForPeople(exchange) && prefersHtml(accept)) {
      const response = page(exchange, problem)
      return { ...response, headers: [...response.headers, ...headersOf(problem), "vary", "Accept"] }
    }
    const isXml = prefersXml(accept)
    const isClassic = hasV2 && exchange.path.startsWith(`${v2Path}/`) && !accept?.includes("application/problem+")
    const type = `application/${isClassic ? "" : "problem+"}${isXml ? "xml" : "json"}`
    const headers = ["content-type", type, "cache-control", "no-store", ...headersOf(problem)]
    if (isClassic) {
      const classic = { code: 1, type: "error", message: problem.detail }
      return { status, headers, body: isXml ? writeXml(Acknowledgement, classic) : JSON.stringify(classic) }
    }
    const about = { publicUrl: publicUrl(), instance: exchange.outside(exchange.path), requestId: exchange.id }
    const document = problemDocument(problem, kind, about)
    return { status, headers, body: isXml ? writeProblemXml(document) : JSON.stringify(document) }
  }
}

/** A page, or an unknown path that is none of the API. */
const isForPeople = ({ resource, path }: Exchange): boolean => resource?.isPage ?? !path.includes(basePath)

function headersOf({ retryAfter, headers }: Problem): string[] {
  const own = Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each]))
  return retryAfter === undefined ? own : ["retry-after", String(retryAfter), ...own]
}
