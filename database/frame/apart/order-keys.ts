import { type OperationNode, type RawBuilder, type RawNode, sql } from 'kysely'

/** A part of an order: a value, and what follows it, such as `desc nulls last`. */
export interface OrderKey {
  value: RawBuilder<unknown>
  direction: string
}

type Piece = string | OperationNode

const isRaw = (node: OperationNode): node is RawNode => node.kind === 'RawNode'

/** The texts and nodes of a raw expression in their order; raw expressions inside of it are taken apart too, and neighbouring texts are one. */
function piecesOf(node: OperationNode): Piece[] {
  if (!isRaw(node)) return [node]
  const { sqlFragments, parameters } = node
  const pieces: Piece[] = []
  for (const piece of sqlFragments.flatMap((text, at) => [text, ...(parameters[at] ? piecesOf(parameters[at]) : [])])) {
    const last = pieces.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece
    else pieces.push(piece)
  }
  return pieces
}

/** The words that say how a part is sorted. */
const directions = ['asc', 'desc', 'nulls first', 'nulls last']

/** A text without the words at its end that say how it is sorted, and these. */
function endOf(text: string): { before: string; direction: string } {
  let before = text.trimEnd()
  let direction = ''
  for (;;) {
    const sorted = before.toLowerCase()
    const word = directions.find((one) => sorted === one || sorted.endsWith(` ${one}`) || sorted.endsWith(`)${one}`))
    if (word === undefined) return { before, direction }
    before = before.slice(0, before.length - word.length).trimEnd()
    direction = `${word} ${direction}`.trim()
  }
}

function keyOf(pieces: readonly Piece[]): OrderKey {
  const rest = [...pieces]
  let direction = ''
  // The direction may be in texts of its own.
  while (typeof rest.at(-1) === 'string') {
    const end = endOf(rest.pop() as string)
    direction = `${end.direction} ${direction}`.trim()
    if (end.before === '') continue
    rest.push(end.before)
    break
  }
  const value = sql.join(
    rest.map((piece) => (typeof piece === 'string' ? sql.raw(piece) : expressionOf(piece))),
    sql``,
  )
  return { value, direction }
}

const expressionOf = (node: OperationNode) => sql`${{ toOperationNode: () => node } as RawBuilder<unknown>}`

/** The parts of an order, so that rows can be sorted again by their values alone. */
export function orderKeysOf(order: RawBuilder<unknown>): OrderKey[] {
  const parts: Piece[][] = [[]]
  let depth = 0
  let isQuoted = false
  const add = (piece: Piece) => parts.at(-1)?.push(piece)
  for (const piece of piecesOf(order.toOperationNode())) {
    if (typeof piece !== 'string') {
      add(piece)
      continue
    }
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const letter = piece[at]
      if (letter === "'") isQuoted = !isQuoted
      if (isQuoted) continue
      if (letter === '(' || letter === '[') depth++
      if (letter === ')' || letter === ']') depth--
      if (letter === ',' && depth === 0) {
        add(piece.slice(from, at))
        parts.push([])
        from = at + 1
      }
    }
    add(piece.slice(from))
  }
  return parts.map(keyOf)
}
