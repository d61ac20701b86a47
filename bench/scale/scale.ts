import { randomUUID } from 'node:crypto'
import { deviceTypes } from '#contract/vocabulary/device.ts'
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import type { Client } from '../client.ts'
import { type Installation, install } from '../installation.ts'
import { type Compared, compare, type Finding, inMs, type Measurement } from '../measure.ts'
import { callsOf } from './calls.ts'
import { copyMachines } from './grow.ts'

const grown = 'gettone_scale'
const merchantId = demoMerchants[0]?.id ?? ''
const more = 10_000
/** A call within `quickMs` is quick whatever its ratio: of a call of 3 ms, the ratio would measure what a request costs at all. */
const most = { times: 3, quickMs: 50, ms: 150 }

export const scale: Measurement = {
  title: "The portal's calls at ten thousand machines",
  about: `${Object.keys(callsOf({ posId: '', rolloutId: '', machines: 0 })).length} calls of the portal's screens over HTTP, alternately at the demo's
    200 machines and at 10,200: the machines of its largest merchant are copied with their stock, alarms, collections, readings of cash, intervals of
    audits, KPIs, prices and sums of sales, without the sales themselves. Each call may take
    at most ${most.times} times as long, or ${most.quickMs} ms, and never more than ${most.ms} ms.`,
  async run({ quick, say }) {
    const installation = await install(say, { transactions: 300_000 })
    const rolloutId = await aRolloutOfAll(installation)
    await installation.copyDatabase(grown)
    await installation.asOwner(async (owner) => say(await copyMachines(owner, merchantId, more)), grown)
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
        findings.push(compared instanceof Error ? unanswered(what, compared) : flat(what, compared))
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

/** The finding is about the limit that the call comes nearer to. */
function flat(what: string, { subject, reference, ratio }: Compared): Finding {
  const isQuick = subject.p50 <= most.quickMs && ratio.p50 > most.times
  const inTime = isQuick || subject.p50 / most.ms > ratio.p50 / most.times
  return {
    what,
    figure: `${inMs(subject.p50)}${inTime ? ` (${ratio.p50.toFixed(2)} ×)` : ''}`,
    reference: `of 200 machines ${inMs(reference.p50)}`,
    value: inTime ? subject.p50 : ratio.p50,
    promised: inTime ? { atMost: isQuick ? most.quickMs : most.ms, unit: 'ms' } : { atMost: most.times, unit: '×' },
  }
}

const unanswered = (what: string, { message }: Error): Finding => ({
  what,
  figure: `not answered: ${message.slice(0, 160)}`,
  value: Number.POSITIVE_INFINITY,
  promised: { atMost: most.ms, unit: 'ms' },
})
