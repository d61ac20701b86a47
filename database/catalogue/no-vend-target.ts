import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { HolidayRule, NoVendWindow } from '#contract/catalogue/no-vend-profile.ts'
import { commandLifetime } from '#contract/commands/remote-command.ts'
import { isNoVendParameter, type Parameters } from '#contract/vocabulary/configuration.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { type MachineNoVend, replaceNoVend } from '#domain/catalogue/no-vend.ts'
import { insertRemoteCommands } from '../commands/remote-command.ts'
import { writtenJson } from '../frame/records.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'

export const sendConfig = remoteCommandTypes.sendConfig

/** Rows per statement; more are split. */
const rowsPerStatement = 500

/** The user of a change; without an id the system itself. */
export interface By {
  id: string | null
  name: string
}

interface Target {
  parameters: Parameters
  version: number
  sentVersion: number | null
  due: number | null
  basis: string | null
}
interface Write extends Pick<Target, 'parameters' | 'version' | 'due' | 'basis'> {
  machineId: string
}

const isSame = (one: Parameters, other: Parameters) => {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
const noVendPart = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => isNoVendParameter(name)))

/** Machines of a merchant with their profile and planogram, locked until the transaction ends. */
const lockMachines = (db: TenantDb, merchantId: string, ids: readonly string[]) =>
  db
    .from('machines')
    .where('machines.merchant_id', '=', merchantId)
    .where(sql<boolean>`machines.id = any(${ids}::uuid[])`)
    .select(['machines.id', 'machines.no_vend_profile_id', 'machines.planogram_id'])
    .orderBy('machines.id')
    .forNoKeyUpdate('machines')
    .execute()
type Locked = Awaited<ReturnType<typeof lockMachines>>[number]

const idsOf = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

/**
 * Selections by machine in which some products are: by the machine's planogram, otherwise by the products that the machine reports with its
 * prices and stock.
 */
async function selectionsOf(db: TenantDb, merchantId: string, machines: readonly Locked[], productIds: string[]) {
  const selectionsByKey = new Map<string, Map<string, string[]>>()
  const add = (key: string, productId: string, selection: string) => {
    const byProduct = selectionsByKey.get(key) ?? new Map<string, string[]>()
    selectionsByKey.set(key, byProduct.set(productId, [...(byProduct.get(productId) ?? []), selection]))
  }
  if (productIds.length > 0) {
    const planograms = idsOf(machines.map(({ planogram_id }) => planogram_id))
    const { rows: planned } = await sql<{ planogram_id: string; product_id: string; selection: string }>`
      select l.planogram_id, l.product_id, l.selection from planogram_lines l
      where ${db.own('l')} and l.merchant_id = ${merchantId} and l.planogram_id = any(${planograms}::uuid[])
        and l.product_id = any(${productIds}::uuid[])`.execute(db.query)
    for (const line of planned) add(line.planogram_id, line.product_id, line.selection)
    const unplanned = machines.filter(({ planogram_id }) => planogram_id === null).map(({ id }) => id)
    const { rows: reported } = await sql<{ machine_id: string; product_id: string; selection: string }>`
      with named as (
        select k.code, k.product_id from product_codes k
        where ${db.own('k')} and k.merchant_id = ${merchantId} and k.product_id = any(${productIds}::uuid[])
      )
      select p.machine_id, named.product_id, p.selection
      from machine_prices p join named on named.code = p.product
      where ${db.own('p')} and p.merchant_id = ${merchantId} and p.machine_id = any(${unplanned}::uuid[]) and not p.gone
      union
      select s.machine_id, named.product_id, s.selection
      from machine_stock s join named on named.code = s.product
      where ${db.own('s')} and s.merchant_id = ${merchantId} and s.machine_id = any(${unplanned}::uuid[]) and not s.gone
    `.execute(db.query)
    for (const line of reported) add(line.machine_id, line.product_id, line.selection)
  }
  return ({ id, planogram_id }: Locked, products: readonly string[]) => {
    const byProduct = selectionsByKey.get(planogram_id ?? id)
    return products.flatMap((product) => byProduct?.get(product) ?? [])
  }
}

/** What each machine does not sell, with the versions that this was computed from; null without a profile. */
async function wantedOf(db: TenantDb, merchantId: string, machines: readonly Locked[]) {
  const profileIds = idsOf(machines.map((machine) => machine.no_vend_profile_id))
  if (profileIds.length === 0) return () => null
  const profiles = await db
    .from('no_vend_profiles')
    .where('no_vend_profiles.merchant_id', '=', merchantId)
    .where(sql<boolean>`no_vend_profiles.id = any(${profileIds}::uuid[])`)
    .selectAll()
    .execute()
  const byId = new Map(profiles.map((profile) => [profile.id, profile]))
  const planograms = await db
    .from('planograms')
    .where('planograms.merchant_id', '=', merchantId)
    .where(sql<boolean>`planograms.id = any(${idsOf(machines.map(({ planogram_id }) => planogram_id))}::uuid[])`)
    .select(['planograms.id', 'planograms.version'])
    .execute()
  const versions = new Map(planograms.map(({ id, version }) => [id, version]))
  const productIds = [...new Set(profiles.flatMap(({ product_ids }) => product_ids))]
  const selectionsAt = await selectionsOf(db, merchantId, machines, productIds)
  return (machine: Locked): { profile: MachineNoVend; basis: string } | null => {
    const profile = byId.get(machine.no_vend_profile_id ?? '')
    if (!profile) return null
    const basis = [profile.id, profile.version]
    if (machine.planogram_id) basis.push(machine.planogram_id, versions.get(machine.planogram_id) ?? 0)
    return {
      profile: {
        selections: [...profile.selections, ...selectionsAt(machine, profile.product_ids)],
        priceTables: profile.price_tables,
        windows: writtenJson<NoVendWindow[]>(profile.windows),
        holidays: profile.holidays,
        onHolidays: profile.on_holidays as HolidayRule,
      },
      basis: basis.join(':'),
    }
  }
}

async function targetsOf(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<Map<string, Target>> {
  const rows = await db
    .from('custom_configurations')
    .where('custom_configurations.merchant_id', '=', merchantId)
    .where(sql<boolean>`custom_configurations.machine_id = any(${ids}::uuid[])`)
    .select(['machine_id', 'parameters', 'version', 'sent_version', 'no_vend_due', 'no_vend_basis'])
    .execute()
  return new Map(
    rows.map((row) => [
      row.machine_id,
      {
        parameters: row.parameters as Parameters,
        version: row.version,
        sentVersion: row.sent_version,
        due: row.no_vend_due,
        basis: row.no_vend_basis,
      },
    ]),
  )
}

const noTarget: Target = { parameters: {}, version: 0, sentVersion: null, due: null, basis: null }

/** Whether everything but the profile's part has been sent, so that sending this part sends the whole version. */
const isRestSent = ({ parameters, version, sentVersion, due }: Target) =>
  Object.keys(parameters).every(isNoVendParameter) || sentVersion === version || due === version

async function writeTargets(db: TenantDb, merchantId: string, writes: readonly Write[]): Promise<void> {
  for (let from = 0; from < writes.length; from += rowsPerStatement)
    await db.query
      .insertInto('custom_configurations')
      .values(
        writes.slice(from, from + rowsPerStatement).map(({ machineId, parameters, version, due, basis }) => ({
          merchant_id: merchantId,
          machine_id: machineId,
          parameters: JSON.stringify(parameters),
          version,
          no_vend_due: due,
          no_vend_basis: basis,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'machine_id']).doUpdateSet((excluded) => ({
          parameters: excluded.ref('excluded.parameters'),
          version: excluded.ref('excluded.version'),
          no_vend_due: excluded.ref('excluded.no_vend_due'),
          no_vend_basis: excluded.ref('excluded.no_vend_basis'),
        })),
      )
      .execute()
}

/** Machines of a set without a pending command of this type. */
async function withoutPending(db: TenantDb, merchantId: string, ids: ReadonlySet<string>) {
  if (ids.size === 0) return ids
  const pending = await db
    .from('remote_commands')
    .where('remote_commands.merchant_id', '=', merchantId)
    .where(sql<boolean>`remote_commands.machine_id = any(${[...ids]}::uuid[])`)
    .where('remote_commands.type', '=', sendConfig)
    .where('remote_commands.status', 'in', [0, 1])
    .select('remote_commands.machine_id')
    .execute()
  const busy = new Set(pending.map(({ machine_id }) => machine_id))
  return new Set([...ids].filter((id) => !busy.has(id)))
}

/** Sends what is due to machines without a pending command of this type; returns those machines. */
async function sendDue(db: TenantDb, merchantId: string, due: readonly Write[], by: By, now: Date): Promise<string[]> {
  const orderId = randomUUIDv7()
  const commands = due.map(({ machineId, parameters }) => ({
    merchant_id: merchantId,
    id: randomUUIDv7(),
    order_id: orderId,
    machine_id: machineId,
    type: sendConfig,
    parameters: JSON.stringify({ settings: noVendPart(parameters) }),
    created_at: now,
    created_by: by.id,
    created_by_name: by.name,
    not_before: now,
    expires_at: new Date(now.getTime() + commandLifetime.defaultSeconds * 1000),
  }))
  const stored = await insertRemoteCommands(db, commands)
  const sent = commands.filter(({ id }) => stored.has(id))
  if (sent.length > 0)
    await sql`update custom_configurations c set
        no_vend_command_id = sent.command_id,
        no_vend_due = null,
        command_id = case when c.no_vend_due = c.version then sent.command_id else c.command_id end,
        sent_version = case when c.no_vend_due = c.version then c.version else c.sent_version end
      from unnest(${sent.map((one) => one.machine_id)}::uuid[], ${sent.map(({ id }) => id)}::uuid[])
        as sent (machine_id, command_id)
      where ${db.own('c')} and c.merchant_id = ${merchantId} and c.machine_id = sent.machine_id`.execute(db.query)
  return sent.map((one) => one.machine_id)
}

/**
 * Writes the profile of each machine into its target configuration, in any group of the merchant, and sends what changed unless a command of this
 * type is pending; the worker sends the rest later. `again`: machines that get it once more although nothing changed.
 */
export async function applyNoVend(
  narrow: TenantDb,
  merchantId: string,
  machineIds: readonly string[],
  by: By,
  now: Date,
  again: ReadonlySet<string> = new Set(),
): Promise<{ written: string[]; sent: string[] }> {
  if (machineIds.length === 0) return { written: [], sent: [] }
  const db = withinScope(narrow, [{ merchantId, groups: 'all' }])
  const machines = await lockMachines(db, merchantId, machineIds)
  const resent = await withoutPending(db, merchantId, again)
  // Read after the lock: an edit of the profile that just committed counts.
  const wantedAt = await wantedOf(db, merchantId, machines)
  const targets = await targetsOf(db, merchantId, machineIds)
  const writes: Write[] = []
  const due: Write[] = []
  const written: string[] = []
  for (const machine of machines) {
    const target = targets.get(machine.id) ?? noTarget
    const blocking = wantedAt(machine)
    const part = replaceNoVend(target.parameters, blocking?.profile ?? null)
    const parameters = { ...target.parameters, ...part }
    const hasChanged = !isSame(parameters, target.parameters)
    const dueAt = (version: number) => (isRestSent(target) ? version : 0)
    const next: Write = {
      machineId: machine.id,
      parameters,
      version: hasChanged ? target.version + 1 : target.version,
      due: hasChanged
        ? dueAt(target.version + 1)
        : resent.has(machine.id) && blocking
          ? dueAt(target.version)
          : target.due,
      basis: blocking?.basis ?? null,
    }
    if (hasChanged) written.push(machine.id)
    if (hasChanged || next.due !== target.due || next.basis !== target.basis) {
      // A machine that never had a profile needs no row.
      if (targets.has(machine.id) || blocking) writes.push(next)
    }
    if (next.due !== null) due.push(next)
  }
  await writeTargets(db, merchantId, writes)
  return { written, sent: await sendDue(db, merchantId, due, by, now) }
}
