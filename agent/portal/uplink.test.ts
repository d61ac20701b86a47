import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Ack } from '#contract/device-protocol.ts'
import { openJournal } from '../journal/journal.ts'
import { openUplink } from './uplink.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 8) })
  onTestFinished(() => void vi.useRealTimers())
})

function anUplink() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  const journal = openJournal(join(folder, 'journal'))
  const sent: { kind: string; payload: Record<string, unknown> }[] = []
  const stale = vi.fn()
  let isOpen = false
  const uplink = openUplink({
    journal,
    link: { isOpen: () => isOpen, send: (kind, payload) => void sent.push({ kind, payload: { ...payload } }) },
    facts: () => ({ firmwareVersion: '1.0' }),
    signs: () => ({ signalPercent: 70 }),
    stale,
    random: () => 0,
  })
  onTestFinished(() => {
    uplink.stop()
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    uplink,
    journal,
    stale,
    connect() {
      isOpen = true
      uplink.opened()
    },
    ack: (committed: number, more: Partial<Ack> = {}) =>
      uplink.acknowledged({
        epoch: 1,
        committed,
        missing: [],
        protocol: '1.9',
        time: { utc: '2026-11-21T08:00:00Z', local: '2026-11-21T09:00:00' },
        ...more,
      }),
    /** Kinds and numbers of what was sent since the last call. */
    takeSent: () =>
      sent.splice(0).map(({ kind, payload }) => {
        const items = payload.items as { seq: number }[] | undefined
        return [kind, ...(items?.map(({ seq }) => seq) ?? (payload.seq === undefined ? [] : [payload.seq]))]
      }),
    takeMessages: () => sent.splice(0),
    passSeconds: (seconds: number) => vi.advanceTimersByTime(seconds * 1000),
  }
}

const anEvent = { kind: 'event', at: 0, code: 'A', active: true } as const
const anAudit = { kind: 'audit', at: 0, origin: 1, port: 'dex', data: 'RFhT' } as const

test('items are sent after the portal has said what it has, each kind in its own message', () => {
  const { uplink, connect, ack, takeSent } = anUplink()
  uplink.report(anEvent, anEvent)
  uplink.report(anAudit, anEvent)
  expect(takeSent()).toEqual([])
  connect()
  expect(takeSent()).toEqual([['hello']])
  ack(0)
  expect(takeSent()).toEqual([
    ['event', 1, 2],
    ['audit', 3],
    ['event', 4],
  ])
})

test('an unanswered item is sent again after a while, a missing one at once, a stored one never', () => {
  const { uplink, connect, ack, takeSent, passSeconds } = anUplink()
  connect()
  ack(0)
  uplink.report(anEvent)
  uplink.report(anEvent)
  uplink.report(anEvent)
  takeSent()
  ack(1, { missing: [[2, 2]] })
  expect(takeSent()).toEqual([['event', 2]])
  passSeconds(25)
  expect(takeSent().filter(([kind]) => kind === 'event')).toEqual([['event', 2, 3]])
  ack(3)
  passSeconds(60)
  expect(takeSent().filter(([kind]) => kind === 'event')).toEqual([])
})

test('a hello without an answer is repeated, and signs of life follow', () => {
  const { connect, ack, takeSent, passSeconds } = anUplink()
  connect()
  passSeconds(45)
  expect(takeSent()).toEqual([['hello'], ['hello'], ['hello']])
  ack(0)
  passSeconds(300)
  expect(takeSent()).toEqual([['state'], ['state']])
})

test('while the portal is overloaded nothing is sent, and then everything', () => {
  const { uplink, connect, ack, takeSent, passSeconds } = anUplink()
  connect()
  ack(0)
  uplink.report(anEvent)
  takeSent()
  uplink.wait(15)
  uplink.report(anEvent)
  passSeconds(14)
  expect(takeSent()).toEqual([])
  passSeconds(2)
  expect(takeSent()).toContainEqual(['event', 1, 2])
})

test('a restored portal gets another hello, and an older association is named', () => {
  const { connect, ack, takeSent, stale } = anUplink()
  connect()
  ack(0, { recovery: 1 })
  takeSent()
  ack(0, { recovery: 2 })
  expect(takeSent()).toEqual([['hello']])
  ack(0, { epoch: 2 })
  expect(stale).toHaveBeenCalledWith(2)
})

test('sales are sent without the name that their source gave them', () => {
  const { uplink, connect, ack, takeMessages } = anUplink()
  connect()
  ack(0)
  takeMessages()
  const sale = { kind: 'sale', type: 1, mediaType: 1, mediaSource: 0, priceLine: 3, value: 150 } as const
  uplink.report({ ...sale, at: Date.now(), source: 'board 1' })
  const { kind, ...fields } = sale
  expect(takeMessages()).toMatchObject([
    { kind, payload: { epoch: 1, items: [{ seq: 1, at: expect.any(String), ...fields }] } },
  ])
  uplink.report({ ...sale, at: Date.now(), source: 'board 2' })
  const [message] = takeMessages()
  expect(JSON.stringify(message)).not.toContain('board 2')
})
