import type { Identity } from '../identity.ts'

/** A box that a machine reports as taken belongs to exactly one collection, which has its amount. */
export const takenBoxes: Identity = {
  title: 'the amounts of a machine’s collections are those of the boxes that it reports as taken',
  async check(day) {
    const machines = await day.sql<{
      serial: string
      boxes: number
      taken: string
      collections: number
      reported: string
    }>(
      `select m.serial, t.boxes, t.taken, coalesce(c.collections, 0) as collections, coalesce(c.reported, 0) as reported
       from (select machine_id, count(*)::int as boxes, sum(value) as taken from transactions where type = 12 group by 1) t
       join machines m on m.id = t.machine_id
       left join (
         select machine_id, count(*)::int as collections, sum(reported_total) as reported from collections
         where reported_total is not null group by 1
       ) c on c.machine_id = t.machine_id`,
    )
    return {
      checked: machines.length,
      broken: machines.filter(
        ({ boxes, taken, collections, reported }) => boxes !== collections || Number(taken) !== Number(reported),
      ),
    }
  },
}
