import { expect, test } from 'vitest'
import { aCreditPlace, aPatientDevice, expectCreditRight, killWhile } from './credit.ts'
import { aGatewayProcess, breakablePostgres, expectSoon, isFull } from './harness.ts'

const place = breakablePostgres()

test('a gateway that is killed in the middle of settlements takes each vend once', async () => {
  const { database } = place
  const gateway = await aGatewayProcess(database)
  const credits = await aCreditPlace(database, {
    machines: isFull ? 30 : 8,
    media: isFull ? 60 : 12,
    // Enough for all vends; a recharge above the largest balance of a medium would be kept for a decision.
    credit: 45_000,
  })
  const serials = [...credits.serials.keys()]
  const changes: { serial: string; amount: number }[] = []
  const kills = isFull ? 20 : 3
  const { recoverySeconds } = await killWhile(gateway, kills, async (isOver) => {
    await Promise.all(
      credits.machines.map(async (machine, index) => {
        const device = aPatientDevice(gateway.url, machine)
        for (let vend = 0; !isOver(); vend++) {
          const serial = serials[(index * 7 + vend) % serials.length] as string
          const answer = await device.authorise(serial, 100)
          expect(answer).toMatchObject({ approved: true, amount: 100 })
          const { reservationId } = answer ?? {}
          // Some vends fail, some are cancelled, some are cheaper than what was held.
          const value = vend % 5 === 0 ? 0 : vend % 3 === 0 ? 60 : 100
          if (vend % 11 === 10) await device.report('credit', { action: 'release', reservationId })
          else {
            const sale = { type: 1, mediaType: 2, mediaSource: 5, value, mediaSerial: serial, reservationId }
            await device.report('sale', sale)
            changes.push({ serial, amount: -value })
          }
          if (vend % 13 === 12) {
            const recharge = { action: 'recharge', mediaSerial: serial, mediaType: 2, amount: 500, to: 'cloud' }
            await device.report('credit', recharge)
            changes.push({ serial, amount: 500 })
          }
        }
      }),
    )
  })
  // A busy machine settles fewer in the time of the kills.
  expect(changes.length).toBeGreaterThan(20)
  const fault = `kill -9 of the gateway during settlements, ${kills} times`
  await expectCreditRight(fault, database, credits, changes, recoverySeconds)
  const [sales] = await database.admin<{ count: number; reservations: number; findings: number }>(
    `select count(*)::int as count, count(distinct reservation_id)::int as reservations,
       (select count(*)::int from media_findings where merchant_id = $1) as findings
     from transactions where merchant_id = $1`,
    [credits.merchantId],
  )
  expect(sales?.count).toBe(sales?.reservations)
  expect(sales?.findings).toBe(0)
  expectSoon(recoverySeconds)
})
