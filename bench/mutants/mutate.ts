// Decision: docs/decisions/testing.md#mutants-are-made-by-code-of-our-own
import type { Node, SourceFile, Statement } from "typescript/unstable/ast"
import * as ts from "typescript/unstable/ast"
import * as is from "typescript/unstable/ast/is"
import { randomOf } from "../../test/harness/random.ts"

/**
 * A stretch of a source file that another text replaces. Its code runs when that at `at` does; `isAtTop` is outside of functions,
 * where it runs when the file is loaded.
 */
export type Mutant = { file: string; at: number; start: number; end: number; text: string; isAtTop: boolean }

/** What each operator becomes; a bound of a comparison moves by one, or the comparison is reversed. */
const operators: Record<string, readonly string[]> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "+=": ["-="],
  "-=": ["+="],
  "++": ["--"],
  "--": ["++"],
}

/** Methods that are confused with each other. */
const methods = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["floor", "ceil"],
  ["ceil", "floor"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
])

const withoutEffect = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
])

/** Every mutant of a file. Types, imports and texts stay as they are, because no test can observe them or should; of numbers only bounds change. */
export function mutantsOf(source: SourceFile, file: string): Mutant[] {
  const found: Mutant[] = []
  const visit = (node: Node, isAtTop: boolean, isBound: boolean): void => {
    if (is.isTypeNode(node) || withoutEffect.has(node.kind)) return
    for (const [part, text] of replacements(node, source, isBound))
      found.push({ file, at: node.getStart(source), start: part.getStart(source), end: part.getEnd(), text, isAtTop })
    const isFunction = is.isFunctionLikeDeclaration(node)
    const hasBounds = (isBound && !isFunction) || limits(node, source)
    node.forEachChild((child) => visit(child, isAtTop && !isFunction, hasBounds))
  }
  visit(source, true, false)
  return found
}

const comparisons = new Set(["===", "!==", "<", "<=", ">", ">="])

/** Whether the numbers in a node are bounds: it compares, or its name says that it is a maximum or a minimum. */
function limits(node: Node, source: SourceFile): boolean {
  if (is.isBinaryExpression(node)) return comparisons.has(node.operatorToken.getText(source))
  const isNamed = is.isVariableDeclaration(node) || is.isPropertyAssignment(node) || is.isPropertyDeclaration(node)
  return isNamed && /max|min(?!ute)/i.test(node.name.getText(source))
}

function* replacements(node: Node, source: SourceFile, isBound: boolean): Generator<[Node, string]> {
  if (is.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText(source)
    for (const other of operators[operator] ?? []) yield [node.operatorToken, other]
    if (operator === "??") yield [node, node.right.getText(source)]
  } else if (is.isPrefixUnaryExpression(node) || is.isPostfixUnaryExpression(node)) {
    const operand = node.operand.getText(source)
    const operator = node.getText(source).replace(operand, "")
    if (operator === "!") yield [node, operand]
    const [other] = operator.length === 2 ? (operators[operator] ?? []) : []
    if (other) yield [node, is.isPrefixUnaryExpression(node) ? `${other}${operand}` : `${operand}${other}`]
  } else if (is.isNumericLiteral(node)) {
    if (isBound) for (const number of otherNumbers(node.getText(source))) yield [node, number]
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) yield [node, "false"]
  else if (node.kind === ts.SyntaxKind.FalseKeyword) yield [node, "true"]
  else if (is.isConditionalExpression(node)) yield [node.condition, `!(${node.condition.getText(source)})`]
  else if (is.isIfStatement(node)) {
    yield [node.expression, `!(${node.expression.getText(source)})`]
    if (!node.elseStatement && leaves(node.thenStatement)) yield [node, ";"]
  } else if (is.isExpressionStatement(node)) yield [node, ";"]
  else if (is.isCallExpression(node) && is.isPropertyAccessExpression(node.expression)) {
    const other = methods.get(node.expression.name.getText(source))
    if (other) yield [node.expression.name, other]
  }
}

const exits = new Set([
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.ThrowStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.BreakStatement,
])

/** Whether a statement leaves its function or loop. */
const leaves = (statement: Statement): boolean => {
  const last = is.isBlock(statement) ? statement.statements.at(-1) : statement
  return last !== undefined && exits.has(last.kind)
}

/** The neighbours of a small number; a large one, often a duration or a size, is halved and doubled. */
function otherNumbers(literal: string): string[] {
  const number = Number(literal.replaceAll("_", ""))
  if (number > 100) return [String(number * 2), String(number / 2)]
  return number > 0 ? [String(number + 1), String(number - 1)] : ["1"]
}

/** Whether two mutants change the same text, so that they cannot be applied together. */
export const overlap = (a: Mutant, b: Mutant): boolean => a.file === b.file && a.start <= b.end && b.start <= a.end

/** The text of a file with mutants of it that do not overlap. */
export const applyMutants = (text: string, mutants: readonly Mutant[]): string =>
  mutants
    .toSorted((a, b) => b.start - a.start)
    .reduce((changed, { start, end, text }) => changed.slice(0, start) + text + changed.slice(end), text)

/** The items in an order that the seed determines. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const shuffled = [...items]
  const random = randomOf(seed)
  for (let last = shuffled.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1))
    const item = shuffled[last] as T
    shuffled[last] = shuffled[chosen] as T
    shuffled[chosen] = item
  }
  return shuffled
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1

/** The file and line of a mutant in the text of the file. */
export const positionOf = (text: string, { file, start }: Mutant): string =>
  `${file}:${text.slice(0, lineStart(text, start)).split("\n").length}`

/** Where a mutant is, and its lines before and after. */
export function showMutant(before: string, mutant: Mutant): string {
  const first = lineStart(before, mutant.start)
  const linesOf = (text: string, end: number, sign: string) => {
    const next = text.indexOf("\n", end)
    const lines = text.slice(first, next < 0 ? undefined : next).split("\n")
    return lines.map((line) => `\n${sign} ${line}`).join("")
  }
  const after = applyMutants(before, [mutant])
  const lost = linesOf(before, mutant.end, "-")
  const added = linesOf(after, mutant.start + mutant.text.length, "+")
  return `${positionOf(before, mutant)}${lost}${added}`
}
