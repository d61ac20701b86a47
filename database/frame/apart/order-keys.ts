import { type OperationNode, type RawBuilder, type RawNode, sql } from 'kysely'

/** A part of an order: a value, and what follows it, such as `desc nulls last`. */
export interface OrderKey {
  value: RawBuilder<unknown>
  direction: string
}

type Piece = string | OperationNode

const isRaw = (node: OperationNode): node is RawNode => node.kind === 'RawNode'

/** The texts and nodes of a raw expression in their order; raw expressions inside of it are taken apart too. */
function piecesOf(node: OperationNode): Piece[] {
  if (!isRaw(node)) return [node]
  const { sqlFragments, parameters } = node
  return sqlFragments.flatMap((text, at) => [text, ...(parameters[at] ? piecesOf(parameters[at]) : [])])
}

/** The end of a part that says how it is sorted. */
const directed = /\s*((?:\b(?:asc|desc)\b)?\s*(?:\bnulls\s+(?:first|last)\b)?)\s*$/i

function keyOf(pieces: readonly Piece[]): OrderKey {
  const last = pieces.findLastIndex((piece) => typeof piece !== 'string' || piece.trim() !== '')
  // The direction may be in a piece of its own, or in two.
  let direction = ''
  const rest = pieces.slice(0, last + 1)
  while (typeof rest.at(-1) === 'string') {
    const text = rest.pop() as string
    const found = directed.exec(text)?.[1] ?? ''
    direction = `${found} ${direction}`.trim()
    const before = text.slice(0, text.length - (directed.exec(text)?.[0].length ?? 0))
    if (before !== '') {
      rest.push(before)
      break
    }
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
