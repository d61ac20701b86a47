import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SensorReport } from '#contract/device-protocol.ts'
import { mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { beginOf, type CounterRead, intervalColumns } from '#database/audits/audit-interval.ts'
import { copyLine } from '#database/platform/copy-line.ts'
import { countedAmounts } from '#database/sums/counted-amounts.ts'
import { countersOf } from '#domain/audits/audit-counters.ts'
import { intervalBetween } from '#domain/audits/audit-interval.ts'
import { auditTotals } from '#domain/audits/eva-dts/identities.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { canonical } from '#domain/configurations/configuration.ts'
import { zoneClock } from '#simulator/clock.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import type { MachineItem } from '#simulator/works/item-writer.ts'
import { type DemoMachine, mishapHours } from '../fleet/fleet.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { repairNotes } from '../operators/words.ts'
import { type CopyTarget, connectOwner, openCopy } from '../write/copy.ts'
import { dropStaging, type MonthlyCopy, openMonthlyCopy, stagingPrefix } from '../write/copy-by-month.ts'
import { uuidAt } from '../write/uuid.ts'
import { openAlarmBook, type PastAlarm } from './alarm-book.ts'
import { type MachineHistory, simulatePast } from './history.ts'

/** A machine's past: its memory continues in the simulator, its alarms and commands are inserted. */
export type MachinePast = MachineHistory & {
  machine: DemoMachine
  alarms: PastAlarm[]
  worst: number | null
}

const transactionColumns =
  'merchant_id created_at id machine_id saved_at machine_time type media_type media_source price_table price_line free_sale error_sale value value_charge seq epoch original_seq product product_code media_serial credit_card_file_id external_user_id paid_with'

const columns = {
  events: 'merchant_id at id machine_id saved_at machine_time seq epoch code active',
  audits:
    'merchant_id read_at id machine_id saved_at machine_time seq epoch origin port crc size warnings sha256 sales_total vends_total selections_total content raw',
  audit_intervals:
    'merchant_id machine_id ends_at audit_id epoch seq counters begins_at begin_audit_id begin_epoch begin_seq kind sold_count sold_value cash_count cash_value other_count other_value free_count test_count cash_in to_box',
  readings: 'merchant_id machine_id at epoch seq saved_at signal_percent temperature_celsius',
  sensor_readings: 'merchant_id machine_id hour submodule name minimum maximum value',
  configurations:
    'merchant_id read_at id machine_id saved_at machine_time confirmed_at epoch seq origin port sha256 parameters',
  cash_readings:
    'merchant_id at id machine_id saved_at seq epoch box box_capacity box_pieces tubes recyclers accepted rejected',
} as const

type Targets = Record<keyof typeof columns, CopyTarget> & { transactions: MonthlyCopy }

/**
 * Writes the past of all machines into the time series, each over its own connections, and then their hourly sums. Returns
 * each machine's past, and the number of transactions.
 */
export async function writeHistory(options: {
  adminUrl: string
  fleet: readonly DemoMachine[]
  from: number
  until: number
  seed: string
}): Promise<{ pasts: MachinePast[]; transactions: number }> {
  const { adminUrl, fleet, from, until } = options
  const owner = await connectOwner(adminUrl)
  try {
    await clearUnfinished(owner, from, until)
    const open = (table: keyof typeof columns) =>
      openCopy(adminUrl, `${table} (${columns[table].split(' ').join(', ')})`)
    const [transactions, events, audits, audit_intervals, cash_readings, readings, sensor_readings, configurations] =
      await Promise.all([
        openMonthlyCopy(adminUrl, 'transactions', transactionColumns.split(' '), from, until),
        open('events'),
        open('audits'),
        open('audit_intervals'),
        open('cash_readings'),
        open('readings'),
        open('sensor_readings'),
        open('configurations'),
      ])
    const targets: Targets = {
      transactions,
      events,
      audits,
      audit_intervals,
      cash_readings,
      readings,
      sensor_readings,
      configurations,
    }
    const pasts: MachinePast[] = []
    let count = 0
    for (const machine of fleet) {
      const written = await writeMachine(machine, options, targets)
      pasts.push(written.past)
      count += written.transactions
    }
    await Promise.all(Object.values(targets).map((target) => target.close()))
    await transactions.attach(owner)
    await sumUp(owner)
    return { pasts, transactions: count }
  } finally {
    await owner.end()
  }
}

async function writeMachine(
  machine: DemoMachine,
  { from, until, seed }: { from: number; until: number; seed: string },
  targets: Targets,
): Promise<{ past: MachinePast; transactions: number }> {
  const ids = randomFrom(`${seed} ids ${machine.plan.serial} ${until}`)
  const book = openAlarmBook(ids)
  const write = lineWriter(machine, ids, until)
  let transactions = 0
  const isLost = losing(machine, until)
  const history = simulatePast(machine, from, until, seed, {
    happened(item, savedAt) {
      if (item.kind === 'sale') {
        if (isLost(item)) return
        transactions++
        targets.transactions.write(item.at, write.sale(item, savedAt))
      } else if (item.kind === 'event') {
        book.event(item.at, item.code, item.active)
        targets.events.write(write.event(item, savedAt))
      } else if (item.kind === 'cash') targets.cash_readings.write(write.cash(item, savedAt))
      else if (item.kind === 'audit') {
        const { audit, interval } = write.audit(item, savedAt)
        targets.audits.write(audit)
        targets.audit_intervals.write(interval)
      } else if (item.kind === 'reading') targets.readings.write(write.reading(item, savedAt))
      else if (item.kind === 'config') targets.configurations.write(write.config(item, savedAt))
    },
    repairedByHand({ code, at }) {
      const author = ids.pick(authorsAt(machine, 'alarm.write'))
      book.repairByHand(code, at, author, ids.pick(repairNotes[machine.merchant.speech]))
    },
    sensed(hour, sensors) {
      for (const sensor of sensors) targets.sensor_readings.write(write.sensor(hour, sensor))
    },
  })
  for (const target of Object.values(targets)) await target.drained()
  return { past: { ...history, machine, alarms: book.alarms, worst: book.worst() }, transactions }
}

/** Drops the first sale after the mishap of a machine that loses one: counted by the machine, and never stored. */
function losing({ mishap }: DemoMachine, until: number) {
  let isDone = mishap !== 'lostSale'
  return ({ at, sale }: Extract<MachineItem, { kind: 'sale' }>): boolean => {
    if (isDone || at < until - mishapHours * 3_600_000 || sale.type !== transactionTypes.sale || sale.value <= 0)
      return false
    isDone = true
    return true
  }
}

const stuckMs = 18 * 3_600_000

/** Rows of one machine as lines of COPY. */
function lineWriter({ id: machineId, merchant, plan }: DemoMachine, ids: Random, until: number) {
  const clock = zoneClock(plan.timeZone)
  const drift = plan.driftSeconds * 1000
  const machineTime = (at: number) => clock.local(at + drift)
  const utc = zoneClock('UTC')
  const instant = (at: number) => `${utc.local(at)}+00`
  type Of<Kind extends MachineItem['kind']> = Extract<MachineItem, { kind: Kind }>
  const readToday = until - (clock.minuteOfDay(until) - plan.auditMinute) * 60_000
  const lastRead = readToday <= until ? readToday : readToday - 24 * 3_600_000
  const stuckSince = Math.max(lastRead, until - stuckMs)
  // A few keys paid for a product that got stuck, in the last hours: they can be refunded. The counters of the last reading do not know it.
  const isStuck = (at: number, seq: number, { type, mediaType, value }: Of<'sale'>['sale']) =>
    type === transactionTypes.sale &&
    (mediaType === mediaTypes.key || mediaType === mediaTypes.mifare) &&
    value > 0 &&
    seq % 40 === 0 &&
    at > stuckSince
  let before: CounterRead | null = null
  const head = (at: number, savedAt: number) =>
    `${merchant.id}\t${instant(at)}\t${uuidAt(savedAt, ids)}\t${machineId}\t${instant(savedAt)}`
  return {
    sale({ at, seq, sale }: Of<'sale'>, savedAt: number): string {
      return `${head(at, savedAt)}\t${machineTime(at)}\t${copyLine([
        sale.type,
        sale.mediaType,
        sale.mediaSource,
        sale.priceTable,
        sale.priceLine,
        sale.freeSale ?? false,
        (sale.errorSale ?? false) || isStuck(at, seq, sale),
        sale.value,
        sale.valueCharge ?? 0,
        seq,
        plan.epoch,
        sale.originalSeq,
        sale.product,
        sale.productCode,
        sale.mediaSerial,
        sale.creditCardFileId,
        sale.externalUserId,
        sale.paidWith,
      ])}`
    },
    event: ({ at, seq, code, active }: Of<'event'>, savedAt: number) =>
      `${head(at, savedAt)}\t${machineTime(at)}\t${copyLine([seq, plan.epoch, code, active])}`,
    cash: ({ at, seq, cash }: Of<'cash'>, savedAt: number) =>
      `${head(at, savedAt)}\t${copyLine([
        seq,
        plan.epoch,
        cash.box,
        cash.boxCapacity,
        cash.boxPieces && JSON.stringify(cash.boxPieces),
        JSON.stringify(cash.tubes),
        JSON.stringify(cash.recyclers),
        JSON.stringify(cash.accepted),
        JSON.stringify(cash.rejected),
      ])}`,
    reading: ({ at, seq, reading }: Of<'reading'>, savedAt: number) =>
      `${merchant.id}\t${machineId}\t${instant(at)}\t${plan.epoch}\t${seq}\t${instant(savedAt)}\t${copyLine([
        reading.signalPercent,
        reading.temperatureCelsius,
      ])}`,
    sensor: (hour: number, { submodule, name, value }: SensorReport) =>
      `${merchant.id}\t${machineId}\t${instant(hour)}\t${copyLine([submodule, name, value, value, value])}`,
    config: ({ at, seq, origin, parameters }: Of<'config'>, savedAt: number) =>
      `${head(at, savedAt)}\t${machineTime(at)}\t${instant(at)}\t${copyLine([
        plan.epoch,
        seq,
        origin,
        'mqtt',
        `\\x${createHash('sha256').update(canonical(parameters)).digest('hex')}`,
        JSON.stringify(parameters),
      ])}`,
    audit({ at, seq, origin, bytes }: Of<'audit'>, savedAt: number): { audit: string; interval: string } {
      const content = readAudit(bytes, { fallback: merchant.currency })
      const totals = auditTotals(content, merchant.currency)
      const auditId = uuidAt(savedAt, ids)
      const counters = countersOf(content, merchant.currency)
      const interval = intervalBetween(before?.counters ?? null, counters)
      const begin = beginOf(before, interval)
      const columns = intervalColumns(interval)
      const leading = [merchant.id, machineId, instant(at), auditId, plan.epoch, seq, JSON.stringify(counters)]
      const begins = [
        begin.begins_at && instant(begin.begins_at.getTime()),
        begin.begin_audit_id,
        begin.begin_epoch,
        begin.begin_seq,
      ]
      before = { auditId, at: new Date(at), epoch: plan.epoch, seq, counters }
      const audit = `${merchant.id}\t${instant(at)}\t${auditId}\t${machineId}\t${instant(savedAt)}\t${machineTime(at)}\t${copyLine(
        [
          seq,
          plan.epoch,
          origin,
          'mqtt',
          content.crc.verdict,
          bytes.length,
          content.warningsTotal,
          `\\x${createHash('sha256').update(bytes).digest('hex')}`,
          totals.salesTotal,
          totals.vendsTotal,
          totals.selectionsTotal,
          JSON.stringify(content),
          `\\x${Buffer.from(bytes).toString('hex')}`,
        ],
      )}`
      return { audit, interval: copyLine([...leading, ...begins, ...Object.values(columns)]) }
    },
  }
}

/** Time series to which no machine's row refers. */
const sums = [
  'open_sales_hourly',
  'packed_sales_days',
  'cash_hourly',
  'sales_daily',
  'merchant_products_daily',
  'machine_sales_to_date',
  'place_products_to_date',
  'open_group_sales_hourly',
  'packed_group_sales_days',
  'group_sales_daily',
  'downtime_hourly',
  'machine_kpis_daily',
  'machine_kpis_spans',
  'merchant_kpis_daily',
  'summed_days',
  'changed_days',
]

const ownIds = `'{${demoMerchants.map(({ id }) => id).join(',')}}'::uuid[]`

/** Creates the months' partitions, and removes the data of an interrupted start. */
async function clearUnfinished(owner: pg.Client, from: number, until: number) {
  await dropStaging(owner)
  await owner.query('select ensure_partitions($1, $2)', [new Date(from), new Date(until + 40 * 86_400_000)])
  for (const table of ['transactions', ...Object.keys(columns), ...sums])
    await owner.query(`delete from ${table} where merchant_id = any(${ownIds})`)
}

/** The hours of sales until the days are summed up, in the columns of sales_hourly. */
export const stagedHours = `${stagingPrefix}hours`

/** The hourly sums: of sales in a table of their own, of cash as the gateway writes them, in key order, which is fastest. */
async function sumUp(owner: pg.Client) {
  const zones = demoMerchants.map(({ id, timeZone }) => `('${id}'::uuid, '${timeZone}')`)
  await owner.query(`
    create unlogged table ${stagedHours} as
    select t.merchant_id, (t.hour at time zone t.time_zone)::date as day, t.machine_id, t.hour, t.type, t.media_type, t.media_source,
      coalesce(t.price_table, -1)::smallint as price_table, coalesce(t.product, t.product_code, '') as product, ${countedAmounts('t')}
    from (
      select t.*, m.time_zone, date_trunc('hour', t.created_at, m.time_zone) as hour
      from transactions t join (values ${zones.join(', ')}) m (id, time_zone) on m.id = t.merchant_id
    ) t
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9`)
  await owner.query(`analyze ${stagedHours}`)
  // Each statement names its merchant, as on a distributed database.
  for (const { id, timeZone } of demoMerchants)
    await owner.query(`
    insert into cash_hourly (merchant_id, hour, machine_id, denomination, accepted, rejected)
    select c.merchant_id, date_trunc('hour', c.at, '${timeZone}'), c.machine_id, n.denomination, sum(n.accepted), sum(n.rejected)
    from cash_readings c cross join lateral (
      select (a ->> 'value')::bigint as denomination, (a ->> 'count')::bigint as accepted, 0 as rejected
      from jsonb_array_elements(c.accepted) a
      union all
      select (r ->> 'value')::bigint, 0, (r ->> 'count')::bigint from jsonb_array_elements(c.rejected) r
    ) n where c.merchant_id = '${id}' and n.accepted + n.rejected > 0
    group by 1, 2, 3, 4 order by 1, 2, 3`)
}
