import { expect, test } from 'vitest'
import type { OwnMedia } from '#contract/key-portal/customer-media.ts'
import { mediaStatus, totalsOf } from './wallet.ts'

const media = (part: Partial<OwnMedia>): OwnMedia => ({
  id: crypto.randomUUID(),
  serial: '04A291C7',
  type: 2,
  status: mediaStatus.ok,
  currency: 'EUR',
  credit: 500,
  cloudCredit: 400,
  bonusCredit: 100,
  reserved: 0,
  bonusFreeSales: 0,
  keyCredit: 320,
  keyCreditAt: '2026-11-20T10:00:00.000',
  lastUsedAt: null,
  ...part,
})

test('credit of several media is added, without what is written on keys', () => {
  expect(totalsOf([media({}), media({ credit: 50, cloudCredit: 100, bonusCredit: 0, reserved: 50 })])).toEqual([
    { currency: 'EUR', credit: 550, cloud: 500, bonus: 100, reserved: 50 },
  ])
})

test('blocked and lost media have nothing to spend', () => {
  expect(totalsOf([media({ status: mediaStatus.blocked }), media({ status: mediaStatus.lost })])).toEqual([])
})

test('amounts of several currencies are never added', () => {
  expect(totalsOf([media({}), media({ currency: 'GBP' })]).map(({ currency }) => currency)).toEqual(['EUR', 'GBP'])
})
