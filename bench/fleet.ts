import { machineOrds } from '#contract/machines/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openPools } from '#database/frame/pool.ts'
import { openDoors, type Scope } from '#database/frame/tenant.ts'
import { listMachines } from '#database/machines/machine.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import type { Installation } from './installation.ts'
import { atMostTimes, type Compared, compare, type Finding, flatly, inMs, timesOfRounds } from './measure.ts'
import { daysBack } from './period.ts'
import { manySellers } from './rollups/many-sellers.ts'

const manyMachines = 'gettone_many'
const merchantId = demoMerchants[0]?.id ?? ''
const full = { machines: 10_000, groups: 40, days: 60, hours: 11 }
const short = { machines: 10_000, groups: 40, days: 30, hours: 4 }
const warmUp = 5

const search = '/pos/paged?size=20&search=via'
const { startDate, endDate } = daysBack(6)
const weekOfSales = `/transactions/paged?size=20&types=1&startDate=${startDate}&endDate=${endDate}`

/**
 * Compares queries over ten thousand and two hundred machines, alternately, over HTTP. Measures pages of ten thousand by
 * their SQL alone.
 */
export async function atManyMachines(
  installation: Installation,
  { quick, say }: { quick: boolean; say: (line: string) => void },
): Promise<Finding[]> {
  const calls = quick ? 10 : 40
  await installation.copyDatabase(manyMachines)
  await installation.asOwner(
    async (owner) => say(await manySellers(owner, merchantId, quick ? short : full)),
    manyMachines,
  )
  const few = await installation.serve(['api'])
  const many = await installation.serve(['api'], manyMachines)
  const fewClient = await few.signIn('superAdmin')
  const manyClient = await many.signIn('superAdmin')
  const findings: Finding[] = []
  const held = async (what: string, path: string, finding: (what: string, compared: Compared) => Finding) => {
    const compared = await compare(
      { name: 'many', once: () => manyClient.get(path) },
      { name: 'few', once: () => fewClient.get(path) },
      calls,
      warmUp,
    )
    findings.push(finding(what, compared))
  }
  try {
    const ofAll = `/merchants/${allMerchants}`
    const ofOne = `/merchants/${merchantId}`
    await held('dashboard of 10,200 machines', `${ofAll}/dashboard`, inThreeTimes)
    await held('dashboard of the merchant that has most of them', `${ofOne}/dashboard`, inThreeTimes)
    await held("merchants' dashboard of 10,200 machines", `${ofAll}/merchants-dashboard?size=20`, inThreeTimes)
    await held('20 machines of 10,000 that a search finds', `${ofOne}${search}`, flatly)
    for (const ord of machineOrds)
      await held(`20 machines of 10,000 by ${ord}`, `${ofOne}/pos/paged?size=20&ord=${ord}`, flatly)
    const [week] = await timesOfRounds({ name: 'week', once: () => manyClient.get(`${ofOne}${weekOfSales}`) }, calls, {
      warmUp,
    })
    findings.push(inTime('20 transactions by type and week, with their count', week?.p50 ?? Number.NaN, 10))
  } finally {
    fewClient.close()
    manyClient.close()
    await many.stop()
    await few.stop()
  }
  return [...findings, ...(await pagesBySql(installation, calls))]
}

const inThreeTimes = (what: string, compared: Compared) => atMostTimes(what, compared, 3, 'of 200')

const inTime = (what: string, p50: number, atMost: number): Finding => ({
  what,
  figure: inMs(p50),
  value: p50,
  promised: { atMost, unit: 'ms' },
})

/** A page reads all machines once, in any order, which takes about 5 ms of ten thousand, counts them and finds its 20. */
const pageMs = 25

/** Pages and counts of machines with the product's own queries, without HTTP. */
async function pagesBySql(installation: Installation, calls: number): Promise<Finding[]> {
  const address = new URL(installation.databaseUrl)
  address.pathname = `/${manyMachines}`
  const pools = openPools(address.href, installation.rolePassword, 2)
  const doors = openDoors(pools)
  const scope: Scope = [{ merchantId, groups: 'all' }]
  try {
    const findings: Finding[] = []
    for (const ord of machineOrds) {
      const page = () =>
        doors.withTenant(
          scope,
          (db) => listMachines(db, { page: 1, size: 20, ord } as Parameters<typeof listMachines>[1]),
          'read',
        )
      const [times] = await timesOfRounds({ name: ord, once: page }, calls, { warmUp, rounds: 1 })
      findings.push(inTime(`SQL of 20 machines of 10,000 by ${ord}`, times?.p50 ?? Number.NaN, pageMs))
    }
    return findings
  } finally {
    await pools.end()
  }
}
