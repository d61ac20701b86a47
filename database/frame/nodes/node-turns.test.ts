import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNodeTurns } from './node-turns.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Calls that take a turn, in the order in which they got one. */
function calls(size: number) {
  const turns = createNodeTurns(size, 1000)
  const started: string[] = []
  const refused: unknown[] = []
  const ends: (() => void)[] = []
  const call = async (node: string) => {
    await turns.take(node).then(
      (end) => {
        started.push(node)
        ends.push(end)
      },
      (error: { code?: string }) => void refused.push(error.code),
    )
  }
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { call, started, refused, ends, settle }
}

test('calls that wait for one node leave connections for the others, however many nodes are away', async () => {
  const { call, started, settle } = calls(16)
  for (const node of ['a', 'b', 'c']) for (let n = 0; n < 40; n += 1) void call(node)
  await settle()
  expect(started.filter((node) => node === 'a')).toHaveLength(8)
  expect(started.filter((node) => node === 'b')).toHaveLength(4)
  expect(started.length).toBeLessThan(16)
  void call('d')
  await settle()
  expect(started.at(-1)).toBe('d')
})

test('a call that ends lets the longest waiting call of a node with room start', async () => {
  const { call, started, ends, settle } = calls(4)
  for (const node of ['a', 'a', 'a', 'b', 'b']) void call(node)
  await settle()
  expect(started).toEqual(['a', 'a', 'b'])
  ends[0]?.()
  ends[0]?.()
  await settle()
  expect(started).toEqual(['a', 'a', 'b', 'a'])
})

test('a call that waits too long is refused as if there were too many connections, and takes no turn later', async () => {
  const { call, started, refused, ends } = calls(2)
  void call('a')
  void call('a')
  await vi.advanceTimersByTimeAsync(1000)
  expect([started, refused]).toEqual([['a'], ['53300']])
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(started).toEqual(['a'])
})
