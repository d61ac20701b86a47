import { randomUUID } from 'node:crypto'
import { deviceTypes } from '#contract/vocabulary/device.ts'
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { crowdedDays, packSettled } from '#database/sums/sum-up.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import type { Client } from '../client.ts'
import { type Installation, install } from '../installation.ts'
import { compare, type Finding, flat, flatly, type Measurement } from '../measure.ts'
import { callsOf, ownMs } from './calls.ts'
import { copyMachines } from './grow.ts'

const grown = 'gettone_scale'
const merchantId = demoMerchants[0]?.id ?? ''
const more = 10_000

export const scale: Measurement = {
  title: "The portal's calls at ten thousand machines",
  about: `${Object.keys(callsOf({ posId: '', rolloutId: '', machines: 0 })).length} calls of the portal's screens over HTTP, alternately at the demo's
    200 machines and at 10,200: the machines of its largest merchant are copied with their stock, alarms, collections, readings of cash, intervals of
    audits, KPIs, prices and sums of sales, without the sales themselves. Each call may take
    at most ${flat.times} times as long, or ${flat.quickMs} ms, and never more than ${flat.ms} ms; ${Object.keys(ownMs).join(', ')} have limits of
    their own.`,
  async run({ quick, say }) {
    const installation = await install(say, { transactions: 300_000 })
    const rolloutId = await aRolloutOfAll(installation)
    await installation.copyDatabase(grown)
    await installation.asOwner(async (owner) => say(await copyMachines(owner, merchantId, more)), grown)
    await packToday(installation)
    const few = await installation.serve(['api'])
    const many = await installation.serve(['api'], grown)
    const fewClient = await few.signIn('superAdmin')
    const manyClient = await many.signIn('superAdmin')
    try {
      const place = await placeOf(fewClient)
      const fewCalls = callsOf({ ...place, rolloutId })
      const manyCalls = callsOf({ ...place, rolloutId, machines: place.machines + more })
      const findings: Finding[] = []
      for (const [what, path] of Object.entries(manyCalls)) {
        const compared = await compare(
          { name: 'many', once: () => manyClient.get(path) },
          { name: 'few', once: () => fewClient.get(fewCalls[what] ?? path) },
          quick ? 2 : 5,
          3,
        ).catch((error: Error) => error)
        findings.push(compared instanceof Error ? unanswered(what, compared) : flatly(what, compared, ownMs[what]))
      }
      return findings
    } finally {
      fewClient.close()
      manyClient.close()
      await many.stop()
      await few.stop()
      await installation.stop()
    }
  },
}

/** Packs the many open hours of today, as the worker does every minute. */
async function packToday(installation: Installation): Promise<void> {
  const address = new URL(installation.databaseUrl)
  address.pathname = `/${grown}`
  const pools = openPools(address.href, installation.rolePassword, 2)
  try {
    const doors = openDoors(pools)
    for (const day of await crowdedDays(doors, new Date())) await packSettled(doors, day, new Date())
  } finally {
    await pools.end()
  }
  await installation.asOwner((owner) => owner.query('vacuum analyze'), grown)
}

/** A rollout of all machines of the merchant. */
async function aRolloutOfAll(installation: Installation): Promise<string> {
  const pools = openPools(installation.databaseUrl, installation.rolePassword, 1)
  try {
    const target = { by: 'deviceTypes' as const, deviceTypes: [...deviceTypes] }
    const firmwareId = randomUUID()
    const plan = { cohorts: [{ by: 'percent' as const, size: 40 }] }
    const id = await aRunningRollout(openDoors(pools), {
      merchantId,
      firmwareId,
      release: '9.9.9.9',
      target,
      deviceTypes: [...deviceTypes],
      plan,
    })
    await installation.asOwner((owner) =>
      owner.query(
        `insert into firmware_rules (merchant_id, id, name, firmware_id, target, install_window, cohorts, good_percent, health_minutes,
           silent_minutes, failed_percent, silent_percent, alarmed_percent, allow_downgrade, created_at)
         select merchant_id, id, 'All', update_id, plan -> 'target', 'null', plan -> 'cohorts', 95, 10, 10, 1, 1, 1, false, now()
         from rollouts where id = $1`,
        [id],
      ),
    )
    return id
  } finally {
    await pools.end()
  }
}

/** The machine of the calls, and how many machines the merchant has. */
async function placeOf(client: Client) {
  const { items, total } = await client.json<{ items: { id: string }[]; total: number }>(
    `/merchants/${merchantId}/stock?page=1&size=20&ord=emptyAt`,
  )
  const { total: machines } = await client.json<{ total: number }>(`/merchants/${merchantId}/pos/paged?page=1&size=20`)
  const posId = items[0]?.id
  if (posId === undefined || total === 0) throw new Error('The demo has no managed stock.')
  return { posId, machines }
}

const unanswered = (what: string, { message }: Error): Finding => ({
  what,
  figure: `not answered: ${message.slice(0, 160)}`,
  value: Number.POSITIVE_INFINITY,
  promised: { atMost: flat.ms, unit: 'ms' },
})
