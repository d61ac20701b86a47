import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chainOf, type Piece, pieceName, pieceOf, placeOf, placeText, segmentName, segmentStart } from './wal.ts'

const mega = 1024 * 1024

test('places are read and written as PostgreSQL does', () => {
  expect(placeOf('0/2000028')).toBe(0x2000028n)
  expect(placeOf('1A/FFFFFFFF')).toBe(0x1affffffffn)
  expect(placeText(0x1affffffffn)).toBe('1A/FFFFFFFF')
  expect(() => placeOf('2000028')).toThrow('is no place in the log')
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (place) => placeOf(placeText(place)) === place))
})

test('files of the log are named by timeline and place', () => {
  expect(segmentName(1, placeOf('0/2000028'), 16 * mega)).toBe('000000010000000000000002')
  expect(segmentName(2, placeOf('1/0'), 16 * mega)).toBe('000000020000000100000000')
  expect(segmentName(1, placeOf('0/FFFFFFFF'), 16 * mega)).toBe('0000000100000000000000FF')
  expect(segmentName(1, placeOf('0/FFFFFFFF'), 64 * mega)).toBe('00000001000000000000003F')
  expect(placeText(segmentStart(placeOf('0/2000028'), 16 * mega))).toBe('0/2000000')
})

const aPiece = (start: number, end: number, timeline = 1): Piece => ({
  timeline,
  start: BigInt(start),
  end: BigInt(end),
  savedAt: new Date(1_800_000_000_000),
})

test('the name of a piece is read again', () => {
  const piece = aPiece(16, 4096, 3)
  expect(pieceOf(pieceName(piece))).toEqual(piece)
  for (const name of ['', '00000001', '00000001/0-1-2', `${pieceName(piece)}.part`, `x${pieceName(piece)}`])
    expect(pieceOf(name), name).toBeUndefined()
})

test('pieces follow each other up to the first hole', () => {
  expect(chainOf([aPiece(10, 20), aPiece(20, 30)], 10n)).toMatchObject({ end: 30n, beyond: undefined })
  expect(chainOf([aPiece(10, 20), aPiece(21, 30)], 10n)).toMatchObject({ end: 20n, beyond: 21n })
  expect(chainOf([aPiece(12, 20)], 10n)).toEqual({ chain: [], end: 10n, beyond: 12n })
  expect(chainOf([], 10n)).toEqual({ chain: [], end: 10n, beyond: undefined })
  // Read again after a stop: from inside a stored piece, in other lengths.
  expect(chainOf([aPiece(10, 25), aPiece(20, 22), aPiece(20, 40)], 10n).chain).toEqual([aPiece(10, 25), aPiece(20, 40)])
})

test('in any order and with any overlap the chain covers what the pieces cover, and nothing else', () => {
  const some = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 15 })), { maxLength: 25 })
  fc.assert(
    fc.property(some, fc.nat(40), (spans, from) => {
      const pieces = spans.map(([start, length]) => aPiece(start, start + length))
      const isCovered = (at: number) => pieces.some(({ start, end }) => start <= at && at < end)
      let end = from
      while (isCovered(end)) end++
      const found = chainOf(pieces, BigInt(from))
      expect(found.end).toBe(BigInt(end))
      expect(found.beyond !== undefined).toBe(pieces.some(({ start }) => start > end))
      let at = BigInt(from)
      for (const piece of found.chain) {
        expect(piece.start <= at && piece.end > at).toBe(true)
        at = piece.end
      }
    }),
  )
})
