import { randomUUID } from 'node:crypto'
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { passRollout } from '#database/updates/rollout-pass.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { aRunningRollout } from '#testkit/nouns/rollouts.ts'
import { install } from './installation.ts'
import { manyMachines } from './many-machines.ts'
import { atMostTimes, type Compared, compare, type Finding, inMs, type Measurement } from './measure.ts'

const merchantId = demoMerchants[0]?.id ?? ''
const sizes = { few: 200, many: 10_000 } as const
const calls = 60

const types = { few: 'AZNS', many: 'AZVT' } as const
const release = '9.9.9.9'

/** A rollout under way: a third confirmed, a tenth watched, the rest waiting. */
const spread = `update rollout_machines set
  state = case when position % 10 < 3 then 'confirmed' when position % 10 = 3 then 'watching' else 'waiting' end,
  cohort = case when position % 10 < 4 then 0 end, sent_at = now() - interval '1 hour',
  reported_at = case when position % 10 < 4 then now() - interval '50 minutes' end,
  watch_until = case when position % 10 = 3 then now() + interval '10 hours' end where rollout_id = $1`
const versions = `insert into machine_versions (merchant_id, machine_id, kind, version, since, reported_at)
  select rm.merchant_id, rm.machine_id, 'firmware', case when rm.state = 'waiting' then '1.0.0.0' else '${release}' end, now(), now()
  from rollout_machines rm where rm.rollout_id = $1
  on conflict (merchant_id, machine_id, kind, peripheral) do update set version = excluded.version`

/** It checks at most 500 machines on their way, whatever the size of a rollout; the small one has 20 of them. So its time is promised, not the ratio. */
const inItsMinute = ({ subject, reference, ratio }: Compared): Finding => ({
  what: "the minute's decision",
  figure: `${inMs(subject.p50)} (p95 ${inMs(subject.p95)}, ${ratio.p50.toFixed(2)} ×)`,
  reference: `of 200 machines ${inMs(reference.p50)} (p95 ${inMs(reference.p95)})`,
  value: subject.p50,
  promised: { atMost: 100, unit: 'ms' },
})

export const rollouts: Measurement = {
  title: 'A rollout of 10,000 machines against one of 200',
  about: `The minute's decision and the screen of a rollout of 10,000 machines, alternately with one of 200 machines of the same merchant: a third
    confirmed, a tenth watched, the rest waiting for the next cohort.`,
  run: async ({ say }) => {
    const installation = await install(say, { historyDays: 2, machines: 20, transactions: 1_000 })
    await installation.asOwner(async (db) => {
      await manyMachines((text, values) => db.query(text, values), merchantId, sizes.few + sizes.many)
      await db.query(`update machines set device_type = 'AZVT' where merchant_id = $1 and device_type = 'AZNS'`, [
        merchantId,
      ])
      await db.query(
        `update machines set device_type = 'AZNS' where merchant_id = $1 and name like 'Row %' and right(name, 5)::int <= $2`,
        [merchantId, sizes.few],
      )
      await db.query(
        `update merchant_features set features = array_append(features, 'firmwareUpdate') where merchant_id = $1 and not 'firmwareUpdate' = any(features)`,
        [merchantId],
      )
    })
    const server = await installation.serve()
    const pools = openPools(installation.databaseUrl, installation.rolePassword, 2)
    const doors = openDoors(pools)
    const ids = { few: '', many: '' }
    for (const size of ['few', 'many'] as const) {
      ids[size] = await aRunningRollout(doors, {
        merchantId,
        release,
        firmwareId: randomUUID(),
        deviceTypes: [types[size]],
        target: { by: 'deviceTypes', deviceTypes: [types[size]] },
        plan: {
          cohorts: [
            { by: 'percent', size: 40 },
            { by: 'percent', size: 100 },
          ],
          silentMinutes: 10_000,
        },
      })
      await installation.asOwner(async (db) => {
        await db.query(spread, [ids[size]])
        await db.query(versions, [ids[size]])
        await db.query(
          `insert into firmware_rules (merchant_id, id, name, firmware_id, target, install_window, cohorts, good_percent, health_minutes,
             silent_minutes, failed_percent, silent_percent, alarmed_percent, allow_downgrade, created_at)
           select merchant_id, id, $2, update_id, plan -> 'target', 'null', plan -> 'cohorts', 95, 10, 10, 1, 1, 1, false, now()
           from rollouts where id = $1`,
          [ids[size], size],
        )
      })
    }
    await installation.asOwner((db) =>
      db.query('vacuum analyze machines, rollout_machines, machine_versions, rollouts'),
    )
    const client = await server.signIn('superAdmin')
    const decision = (size: keyof typeof ids) => async () => {
      const pass = await passRollout(doors, { merchantId, id: ids[size] }, async () => null, new Date())
      if (!pass) throw new Error('The rollout is locked.')
    }
    const screen = (size: keyof typeof ids) => async () => {
      const path = `/merchants/${merchantId}/firmware-rules/${ids[size]}/rollout`
      await client.json(path)
      const { items } = await client.json<{ items: unknown[] }>(`${path}/pos?size=20`)
      if (items.length !== 20) throw new Error(`The screen shows ${items.length} machines.`)
    }
    try {
      const decided = await compare(
        { name: '10,000', once: decision('many') },
        { name: '200', once: decision('few') },
        calls,
        10,
      )
      const compared = await compare(
        { name: '10,000', once: screen('many') },
        { name: '200', once: screen('few') },
        calls,
        10,
      )
      return [inItsMinute(decided), atMostTimes('the screen: rollout and 20 machines', compared, 3, 'of 200 machines')]
    } finally {
      client.close()
      await pools.end()
      await server.stop()
      await installation.stop()
    }
  },
}
