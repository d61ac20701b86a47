import type { Role } from '#contract/vocabulary/roles.ts'
import type { TestApi } from '../api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '../fixtures.ts'
import { aCollection, aCommand, anAlarm, aPrice, aReading, aSale, aStock, aSupply } from '../machines/machine-data.ts'
import { aMedia } from '../nouns/cashless.ts'
import { aProduct } from '../nouns/catalogue.ts'
import { aRound, aStop } from '../nouns/rounds.ts'
import { accessAims } from './access-aims.ts'
import type { Aim } from './aim.ts'
import type { Reader } from './reads.ts'

/** Names that differ in case and accents, so that their order says which collation sorted them. */
const names = ['zeta', 'Alpha', 'Ärger', 'alpha', 'beta', 'Beta 10', 'Beta 9', 'Óscar']

/** What a merchant's machines have had, different for each: sales of the last days, open and closed alarms, commands, stock. */
async function someDays({ database }: TestApi, merchantId: string, groupIds: readonly string[], seed: number) {
  const clientId = await aClient(database, merchantId, { name: `Client ${names[seed % names.length]}` })
  for (const name of names.slice(0, 3)) await aProduct(database, merchantId, { name: `${name} ${seed % 2}` })
  const roundId = await aRound(database, merchantId)
  for (const [at, groupId] of groupIds.entries()) {
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000 - seed * 60_000 - at * 1000)
    const machine = await aMachine(database, merchantId, {
      groupId,
      name: names[(seed + at * 3) % names.length] as string,
      serial: `S${seed}${at}`,
      columns: { latitude: 45 + seed, longitude: 9 + at, client_id: at === 0 ? clientId : null },
    })
    for (const [nth, age] of [1, 5, 30, 60].entries())
      await aSale(database, machine, {
        created_at: hours(age),
        value: 100 + 10 * seed + nth,
        product: ['Espresso', 'Tea', `Own ${seed}`, null][nth],
        media_type: nth % 2 ? 2 : 1,
        price_table: nth === 0 ? 1 : null,
        error_sale: nth === 3,
      })
    await anAlarm(database, machine, { created_at: hours(3), last_at: hours(2) })
    await anAlarm(database, machine, { code: 'EBV', criticity: 2, created_at: hours(4 + seed), last_at: hours(4) })
    await aCommand(database, machine, { type: 1, created_at: hours(6) })
    await aCommand(database, machine, { type: 17, created_at: hours(2), status: 3, result: 1 })
    await aCollection(database, machine, { at: hours(7), until: hours(7) })
    await aStock(database, machine, { level: seed })
    await aSupply(database, machine)
    await aPrice(database, machine, { price: 100 + seed })
    await aReading(database, machine, hours(1), { signal: 50 + seed, celsius: seed })
    await aStop(database, machine, { round_id: roundId })
  }
  await aMedia(database, merchantId)
}

export interface SeveralMerchants {
  /** A user of each role, and two who see two merchants: as wholes, and some of their groups. */
  readers: Reader[]
  ownAim: Aim
  foreign: Aim
  merchantIds: string[]
}

/**
 * Three merchants in two zones and currencies with records of every noun, and users who see one or more of them.
 */
export async function severalMerchants(api: TestApi): Promise<SeveralMerchants> {
  const { database } = api
  const { users, ownAim, foreign } = await accessAims(api)
  const third = await aMerchant(database, { name: 'a third one', currency: 'MXN', timeZone: 'America/Mexico_City' })
  const merchantIds = [ownAim.merchantId, foreign.merchantId, third.id]
  const groupOf = [ownAim.groupId, foreign.groupId, await aGroup(database, third.id, 'zeta')]
  for (const [seed, merchantId] of merchantIds.entries())
    await someDays(api, merchantId, [groupOf[seed] as string, await aGroup(database, merchantId, 'Alpha')], seed)
  const reach = (groups: 'all' | 'first') =>
    merchantIds
      .slice(0, 2)
      .map((merchantId, at) => ({ merchantId, groups: groups === 'all' ? groups : [groupOf[at] as string] }))
  const ofTwo: [Role, 'all' | 'first'][] = [
    ['merchantAdmin', 'all'],
    ['groupAdmin', 'first'],
  ]
  const more = await Promise.all(
    ofTwo.map(([role, groups]) => aUser(database, role, reach(groups), { allowLicensing: true })),
  )
  const readers = [
    ...Object.values(users).map((user) => ({ user, seesSeveral: user.role === 'superAdmin' })),
    ...more.map((user) => ({ user, seesSeveral: true })),
  ]
  return { readers, ownAim, foreign, merchantIds }
}
