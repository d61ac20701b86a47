import { createHash } from 'node:crypto'
import type pg from 'pg'
import { auditTotals } from '#domain/eva-dts/identities.ts'
import { readAudit } from '#domain/eva-dts/reader.ts'
import { zoneClock } from '#simulator/clock.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import type { Happening } from '#simulator/vending.ts'
import { openAlarmBook, type PastAlarm } from './alarm-book.ts'
import { type CopyTarget, connectOwner, copyLine, openCopy } from './copy.ts'
import { dropStaging, type MonthlyCopy, openMonthlyCopy } from './copy-by-month.ts'
import type { DemoMachine } from './fleet.ts'
import { liveThrough, type MachineHistory } from './history.ts'
import { demoMerchants } from './merchants.ts'
import { uuidAt } from './uuid.ts'
import { repairNotes } from './words.ts'

/** What a machine has behind it: its memory goes on in the simulator, its alarms and commands into their tables. */
export type MachinePast = MachineHistory & {
  machine: DemoMachine
  alarms: PastAlarm[]
  worst: number | null
}

const transactionColumns =
  'merchant_id created_at id machine_id saved_at machine_time type media_type media_source price_table price_line free_sale error_sale value value_charge seq epoch original_seq product product_code media_serial credit_card_file_id external_user_id'

const columns = {
  events: 'merchant_id at id machine_id saved_at machine_time seq epoch code active',
  audits:
    'merchant_id read_at id machine_id saved_at machine_time seq epoch origin port crc size warnings sha256 sales_total vends_total selections_total content raw',
  cash_readings: 'merchant_id at id machine_id saved_at seq epoch box box_capacity tubes recyclers accepted rejected',
} as const

type Targets = Record<keyof typeof columns, CopyTarget> & { transactions: MonthlyCopy }

/**
 * Writes the past of all machines into the tables of time, each over connections of its own, and then the hourly sums that
 * belong to it. Answers what is left of each machine, and how many transactions there are.
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
    const [transactions, events, audits, cash_readings] = await Promise.all([
      openMonthlyCopy(adminUrl, 'transactions', transactionColumns.split(' '), from, until),
      open('events'),
      open('audits'),
      open('cash_readings'),
    ])
    const targets: Targets = { transactions, events, audits, cash_readings }
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
  const write = lineWriter(machine, ids)
  let transactions = 0
  const history = liveThrough(machine, from, until, seed, {
    happened(happening, savedAt) {
      if (happening.kind === 'sale') {
        transactions++
        targets.transactions.write(happening.at, write.sale(happening, savedAt))
      } else if (happening.kind === 'event') {
        book.event(happening.at, happening.code, happening.active)
        targets.events.write(write.event(happening, savedAt))
      } else if (happening.kind === 'cash') targets.cash_readings.write(write.cash(happening, savedAt))
      else if (happening.kind === 'audit') targets.audits.write(write.audit(happening, savedAt))
    },
    repairedByHand({ code, at }) {
      const { speech, operators } = machine.merchant
      book.repairByHand(code, at, ids.pick(operators), ids.pick(repairNotes[speech]))
    },
  })
  for (const target of Object.values(targets)) await target.drained()
  return { past: { ...history, machine, alarms: book.alarms, worst: book.worst() }, transactions }
}

/** Rows of one machine as lines of COPY. */
function lineWriter({ id: machineId, merchant, plan }: DemoMachine, ids: Random) {
  const clock = zoneClock(plan.timeZone)
  const drift = plan.driftSeconds * 1000
  const machineTime = (at: number) => clock.local(at + drift)
  const utc = zoneClock('UTC')
  const instant = (at: number) => `${utc.local(at)}+00`
  const head = (at: number, savedAt: number) =>
    `${merchant.id}\t${instant(at)}\t${uuidAt(savedAt, ids)}\t${machineId}\t${instant(savedAt)}`
  type Of<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>
  return {
    sale({ at, seq, sale }: Of<'sale'>, savedAt: number): string {
      return `${head(at, savedAt)}\t${machineTime(at)}\t${copyLine([
        sale.type,
        sale.mediaType,
        sale.mediaSource,
        sale.priceTable,
        sale.priceLine,
        sale.freeSale ?? false,
        sale.errorSale ?? false,
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
        JSON.stringify(cash.tubes),
        JSON.stringify(cash.recyclers),
        JSON.stringify(cash.accepted),
        JSON.stringify(cash.rejected),
      ])}`,
    audit({ at, seq, origin, bytes }: Of<'audit'>, savedAt: number): string {
      const content = readAudit(bytes, { fallback: merchant.currency })
      const totals = auditTotals(content, merchant.currency)
      return `${head(at, savedAt)}\t${machineTime(at)}\t${copyLine([
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
      ])}`
    },
  }
}

const ownIds = `'{${demoMerchants.map(({ id }) => id).join(',')}}'::uuid[]`

/** Makes the months' partitions, and takes away what a start that did not come to its end has left. */
async function clearUnfinished(owner: pg.Client, from: number, until: number) {
  await dropStaging(owner)
  await owner.query('select ensure_partitions($1, $2)', [new Date(from), new Date(until + 40 * 86_400_000)])
  for (const table of ['transactions', ...Object.keys(columns), 'sales_hourly'])
    await owner.query(`delete from ${table} where merchant_id = any(${ownIds})`)
}

/** The hourly sums, exactly those that the gateway would have kept beside the rows; in the order of their key, which is quickest. */
async function sumUp(owner: pg.Client) {
  const zones = demoMerchants.map(({ id, timeZone }) => `('${id}'::uuid, '${timeZone}')`)
  await owner.query(`
    insert into sales_hourly (merchant_id, hour, machine_id, type, media_type, media_source, count, value, value_charge,
      free_count, error_count)
    select t.merchant_id, date_trunc('hour', t.created_at, m.time_zone), t.machine_id, t.type, t.media_type, t.media_source,
      count(*), sum(t.value), sum(t.value_charge), count(*) filter (where t.free_sale), count(*) filter (where t.error_sale)
    from transactions t join (values ${zones.join(', ')}) m (id, time_zone) on m.id = t.merchant_id
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3`)
}
