import type { CopyValue } from '#database/platform/copy-line.ts'
import { randomFrom } from '#simulator/random.ts'
import type { MachinePast } from '../history/write-history.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { noVendNames } from '../operators/words.ts'
import { uuidAt } from '../write/uuid.ts'
import type { PlanogramOf, ProductIds } from './catalogue.ts'
import { isAtSchool, schoolHours, unsoldCodes } from './no-vend-settings.ts'

/** Ids of the profiles of machines, by the machine's id. */
export type NoVendProfileOf = ReadonlyMap<string, string>

/** One profile for each merchant with machines at schools. Returns the profile of each of these machines. */
export async function insertNoVendProfiles(
  copy: (table: string, rows: readonly Record<string, CopyValue>[]) => Promise<void>,
  productIds: ReadonlyMap<string, ProductIds>,
  { pasts, seed }: { pasts: readonly MachinePast[]; seed: string },
  createdAt: Date,
): Promise<NoVendProfileOf> {
  const random = randomFrom(`${seed} no-vend profiles`)
  const profileOf = new Map<string, string>()
  for (const merchant of demoMerchants) {
    const schools = pasts
      .map(({ machine }) => machine)
      .filter((machine) => machine.merchant.id === merchant.id && isAtSchool(machine))
    if (schools.length === 0) continue
    const id = uuidAt(createdAt.getTime(), random)
    const sold = schools.flatMap(({ plan }) => plan.selections).filter(({ code }) => unsoldCodes.has(code))
    const unsold = new Set(sold.flatMap(({ product }) => productIds.get(merchant.id)?.get(product) ?? []))
    await copy('no_vend_profiles', [
      {
        merchant_id: merchant.id,
        id,
        name: noVendNames[merchant.speech],
        product_ids: `{${[...unsold].join(',')}}`,
        windows: JSON.stringify(schoolHours),
        created_at: createdAt.toISOString(),
      },
    ])
    for (const machine of schools) profileOf.set(machine.id, id)
  }
  return profileOf
}

/** What a machine's target configuration says of its profile: the versions of profile and planogram that it follows. */
export function noVendBasisOf(machineId: string, profileOf: NoVendProfileOf, planogramOf: PlanogramOf): string | null {
  const profile = profileOf.get(machineId)
  const planogram = planogramOf.get(machineId)
  if (!profile) return null
  return [profile, 1, ...(planogram ? [planogram, 1] : [])].join(':')
}
