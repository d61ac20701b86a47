import type { Identity } from '../identity.ts'

/** Coins and notes that a transaction brings into the machine: in these types, out of those. */
const cashOf = (row: string) => `case
  when ${row}.type in (1, 4, 7, 9, 11, 14, 15, 107, 109) then ${row}.value
  when ${row}.type in (6, 8, 10, 12, 16, 108) and not ${row}.error_sale then -abs(${row}.value) else 0 end`
/** What the demo's machines say of what paid: themselves, or by the medium. */
const isCash = (row: string) =>
  `coalesce(${row}.paid_with, case when ${row}.type = 4 then 1 else ${row}.media_type end) = 1`

/** Between two cash reports, box and tubes gain what transactions brought in cash: in − out − collected. */
export const boxes: Identity = {
  title:
    'box, tubes and recyclers of every machine gain what its transactions brought in cash, less what was collected',
  async check(day) {
    const worth = (reading: string) => `(${reading}.box + (select coalesce(sum(piece.value * piece.count), 0)
      from jsonb_to_recordset(${reading}.tubes || ${reading}.recyclers) piece (value bigint, count bigint)))`
    const reports = await day.sql<{ serial: string; at: Date; gained: string; moved: string }>(
      `select m.serial, r.at, ${worth('r')} - ${worth('p')} as gained, coalesce((
         select sum(${cashOf('t')}) from transactions t
         where t.merchant_id = r.merchant_id and t.machine_id = r.machine_id and t.epoch = r.epoch and t.seq > p.seq and t.seq < r.seq
           and ${isCash('t')}), 0) as moved
       from cash_readings r join machines m on m.id = r.machine_id
       cross join lateral (
         select p.* from cash_readings p where p.merchant_id = r.merchant_id and p.machine_id = r.machine_id and p.epoch = r.epoch
           and p.seq < r.seq and p.box is not null order by p.seq desc limit 1) p
       where r.saved_at >= $1 and r.box is not null`,
      [day.from],
    )
    return { checked: reports.length, broken: reports.filter(({ gained, moved }) => Number(gained) !== Number(moved)) }
  },
}

/** The cash page of a machine explains its box. */
export const cashPages: Identity = {
  title:
    'cash in less cash out on the page of a machine is its box, less what was left in it, with tubes and what is not reported yet',
  async check(day) {
    const admin = await day.as('superAdmin')
    const machines = await day.sql<{ id: string; merchantId: string; serial: string }>(
      `select distinct m.id, m.merchant_id as "merchantId", m.serial from machines m
       join collections c on c.machine_id = m.id where c.at >= $1 and m.cash_in_box is not null`,
      [day.from],
    )
    let checked = 0
    const broken: object[] = []
    for (const { id, merchantId, serial } of machines) {
      const { box, since } = await admin.getMachineCash({ params: { merchantId, posId: id } })
      if (box === null || !since || since.left === null || since.tubes === null) continue
      checked++
      if (since.in - since.out !== box - since.left + since.tubes + since.unreported)
        broken.push({ serial, box, ...since })
    }
    return { checked, broken }
  },
}
