import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RemoteCommandStatus } from '#contract/vocabulary/remote-command.ts'
import { isToSend, type PriceFacts, priceSyncOf, worstSync } from './price-sync.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute))
const dated = (price: number, minute: number) => ({ price, at: at(minute) })
const nothing: PriceFacts = { wanted: null, wantedAt: null, sent: null, reported: null, audited: null, charged: null }
/** Wanted at minute 10, sent at once, claimed at minute 20 and applied at minute 21. */
const applied = (price = 120) => ({ price, status: 2 as const, startedAt: at(20), executedAt: at(21) })
const wantedPrice = (facts: Partial<PriceFacts>): PriceFacts => ({
  ...nothing,
  wanted: 120,
  wantedAt: at(10),
  ...facts,
})

test('without a wanted price there is no state', () => {
  expect(priceSyncOf({ ...nothing, reported: dated(120, 5) }, 'immediate')).toBe('none')
})

test('the result of the command never makes a price in sync', () => {
  for (const by of ['immediate', 'afterAudit'] as const)
    expect(priceSyncOf(wantedPrice({ sent: applied() }), by)).toBe('pending')
  expect(isToSend(wantedPrice({ sent: applied() }), 'immediate')).toBe(false)
})

test('a report after the machine claimed the command confirms the price at once, an older report does not', () => {
  const reportedAt = (minute: number) => wantedPrice({ sent: applied(), reported: dated(120, minute) })
  expect(priceSyncOf(reportedAt(17), 'immediate')).toBe('pending')
  // The machine's clock may be two minutes slow.
  expect(priceSyncOf(reportedAt(18), 'immediate')).toBe('sync')
  expect(priceSyncOf(reportedAt(20), 'immediate')).toBe('sync')
  expect(priceSyncOf(reportedAt(30), 'immediate')).toBe('sync')
})

test('a report before the claim of a command with another price says nothing', () => {
  const facts = wantedPrice({ sent: applied(100), reported: dated(120, 19) })
  expect([priceSyncOf(facts, 'immediate'), isToSend(facts, 'immediate')]).toEqual(['pending', true])
})

test('a machine that has the price already needs no command', () => {
  const facts = wantedPrice({ reported: dated(120, 1) })
  expect([priceSyncOf(facts, 'immediate'), isToSend(facts, 'immediate')]).toEqual(['sync', false])
  expect([priceSyncOf(facts, 'afterAudit'), isToSend(facts, 'afterAudit')]).toEqual(['pending', false])
})

test('a merchant who waits for audits gets no confirmation from a report', () => {
  const facts = (auditedAt: number | null) =>
    wantedPrice({
      sent: applied(),
      reported: dated(120, 22),
      audited: auditedAt === null ? null : dated(120, auditedAt),
    })
  expect(priceSyncOf(facts(null), 'afterAudit')).toBe('pending')
  expect(priceSyncOf(facts(20), 'afterAudit')).toBe('pending')
  expect(priceSyncOf(facts(40), 'afterAudit')).toBe('sync')
  // Where nothing was sent, the audit is newer than the edit.
  expect(priceSyncOf(wantedPrice({ audited: dated(120, 9) }), 'afterAudit')).toBe('pending')
  expect(priceSyncOf(wantedPrice({ audited: dated(120, 11) }), 'afterAudit')).toBe('sync')
})

test('another price after the command was applied is an edit on the device, by report or audit', () => {
  expect(priceSyncOf(wantedPrice({ sent: applied(), reported: dated(130, 22) }), 'immediate')).toBe('editedOnDevice')
  expect(priceSyncOf(wantedPrice({ sent: applied(), audited: dated(130, 22) }), 'immediate')).toBe('editedOnDevice')
  expect(priceSyncOf(wantedPrice({ sent: applied(), reported: dated(130, 20) }), 'immediate')).toBe('pending')
  // It is sent again, and it is an edit only of the price that was sent.
  expect(isToSend(wantedPrice({ sent: applied(), reported: dated(130, 22) }), 'immediate')).toBe(true)
  expect(priceSyncOf(wantedPrice({ sent: applied(100), reported: dated(130, 22) }), 'immediate')).toBe('pending')
})

test('a confirmed price whose last sale cost another price is not in sync', () => {
  const confirmed = { sent: applied(), reported: dated(120, 22) }
  const charged = wantedPrice({ ...confirmed, charged: dated(100, 23) })
  expect([priceSyncOf(charged, 'immediate'), isToSend(charged, 'immediate')]).toEqual(['chargedOtherwise', true])
  // A later report proves nothing against the sale; a later sale at the target does.
  expect(priceSyncOf({ ...charged, reported: dated(120, 40) }, 'immediate')).toBe('chargedOtherwise')
  expect(priceSyncOf({ ...charged, charged: dated(120, 41) }, 'immediate')).toBe('sync')
  // A sale before the machine applied the price says nothing of it.
  expect(priceSyncOf({ ...charged, charged: dated(100, 15) }, 'immediate')).toBe('sync')
  // Without a command a sale counts since the target was set.
  expect(priceSyncOf(wantedPrice({ reported: dated(120, 1), charged: dated(100, 9) }), 'immediate')).toBe('sync')
  expect(priceSyncOf(wantedPrice({ reported: dated(120, 1), charged: dated(100, 10) }), 'immediate')).toBe(
    'chargedOtherwise',
  )
})

test('a price that is charged otherwise is sent once more, not while it is on its way', () => {
  const onItsWay = { price: 120, status: 0 as const, startedAt: null, executedAt: null }
  const facts = wantedPrice({ sent: onItsWay, reported: dated(120, 22), charged: dated(100, 23) })
  expect([priceSyncOf(facts, 'immediate'), isToSend(facts, 'immediate')]).toEqual(['chargedOtherwise', false])
})

test('a command that failed, expired or was cancelled leaves its price to be sent again', () => {
  const sent = (status: RemoteCommandStatus) => ({ price: 120, status, startedAt: null, executedAt: null })
  expect(isToSend(wantedPrice({ sent: sent(1) }), 'immediate')).toBe(false)
  for (const status of [3, 5] as const) expect(isToSend(wantedPrice({ sent: sent(status) }), 'immediate')).toBe(true)
})

test('a price is in sync only if the machine’s newest word is the wanted price', () => {
  const word = fc.option(fc.record({ price: fc.constantFrom(100, 120), at: fc.integer({ min: 0, max: 40 }).map(at) }))
  const sent = fc.option(
    fc.record({
      price: fc.constantFrom(100, 120),
      status: fc.constantFrom<RemoteCommandStatus>(0, 1, 2, 3, 4, 5),
      startedAt: fc.option(fc.integer({ min: 0, max: 20 }).map(at)),
      executedAt: fc.option(fc.integer({ min: 20, max: 30 }).map(at)),
    }),
  )
  const by = fc.constantFrom('immediate' as const, 'afterAudit' as const)
  fc.assert(
    fc.property(word, word, word, sent, by, (reported, audited, charged, command, merchant) => {
      const facts = wantedPrice({ reported, audited, charged, sent: command })
      const newest = [audited, reported].filter((one) => one !== null).sort((a, b) => a.at.getTime() - b.at.getTime())
      const sync = priceSyncOf(facts, merchant)
      if (sync === 'sync') expect(newest.at(-1)?.price).toBe(120)
      if (sync === 'editedOnDevice') expect(newest.at(-1)?.price).toBe(100)
      if (sync === 'sync') expect(isToSend(facts, merchant)).toBe(false)
      if (sync === 'chargedOtherwise') expect(charged?.price).toBe(100)
    }),
  )
})

test('the state that needs attention most is shown for the whole', () => {
  expect(worstSync([])).toBe('none')
  expect(worstSync(['sync', 'pending', 'none'])).toBe('pending')
  expect(worstSync(['pending', 'editedOnDevice', 'sync'])).toBe('editedOnDevice')
  expect(worstSync(['chargedOtherwise', 'editedOnDevice'])).toBe('chargedOtherwise')
})
