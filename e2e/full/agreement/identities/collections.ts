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

/** The page of a collection, its list and SQL of the reported boxes have one total, and the page's lines add up to it. */
export const linesOfCollections: Identity = {
  title: 'the lines of each collection and their rest are its total, on the page as in the list',
  async check(day) {
    const api = await day.as('superAdmin')
    const reported = await day.sql<{ id: string; reported: number | null }>(
      'select id, reported_total::int as reported from collections where reported_total > 0',
    )
    const reportedOf = new Map(reported.map((row) => [row.id, row.reported]))
    const broken: object[] = []
    let checked = 0
    for (const merchantId of day.merchantIds)
      for (let page = 1; ; page++) {
        const { items } = await api.listCashCollections({ params: { merchantId }, query: { page, size: 100 } })
        for (const row of items) {
          checked++
          const shown = await api.getCashCollection({ params: { merchantId, collectionId: row.id } })
          const [audited, transmitted] = (['audited', 'transmitted'] as const).map((side) =>
            shown.lines.reduce((sum, line) => sum + line.value * (line[side] ?? 0), shown.rest[side] ?? 0),
          )
          const agrees =
            audited === (shown.audited ?? 0) &&
            transmitted === (shown.transmitted ?? 0) &&
            row.audited === shown.audited &&
            row.transmitted === shown.transmitted &&
            row.difference === shown.difference &&
            (reportedOf.get(row.id) ?? row.transmitted) === row.transmitted
          if (!agrees) broken.push({ row, rest: shown.rest, audited, transmitted, reported: reportedOf.get(row.id) })
        }
        if (items.length < 100) break
      }
    return { checked, broken }
  },
}

/** With a cash report when the box is opened, nothing of the transmitted total is without denominations. */
export const transmittedByDenomination: Identity = {
  title: 'the boxes of the day are transmitted by denomination as a whole',
  async check(day) {
    const api = await day.as('superAdmin')
    const collections = await day.sql<{ id: string; merchant_id: string }>(
      'select id, merchant_id from collections where at >= $1 and reported_total > 0',
      [day.from],
    )
    const broken: object[] = []
    for (const { id, merchant_id: merchantId } of collections) {
      const { rest, transmitted, posSerial } = await api.getCashCollection({ params: { merchantId, collectionId: id } })
      if (rest.transmitted !== 0) broken.push({ posSerial, transmitted, rest })
    }
    return { checked: collections.length, broken }
  },
}
