import { z } from 'zod'
import { VpConfiguration, VpConfigurationRow, type vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import { ProductError } from '#contract/errors.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { canonicalJson, type JsonObject } from '#contract/vocabulary/vp-document.ts'
import { machinesWithVp, noteVpFacts, vpConfigurationList } from '#database/configurations/vp-configuration.ts'
import { vpHash } from '#database/configurations/vp-report.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import type { VpProblem } from '#domain/configurations/vp-check.ts'
import { vpChangesBetween } from '#domain/configurations/vp-document.ts'
import { newVpDocument, vpSchemaOf, vpSchemaVersion } from '#domain/configurations/vp-schema.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { vpMachineHandlers } from './vp-machine.ts'
import { vpSchemaProblems } from './vp-schema-check.ts'

/** A configuration as it is stored. */
const Stored = z.strictObject({
  name: z.string(),
  deviceType: z.string(),
  schemaVersion: z.string(),
  document: z.record(z.string(), z.unknown()),
})
type Stored = z.infer<typeof Stored>
export type VpRecord = NonNullable<Awaited<ReturnType<typeof vpConfigurationList.find>>>

/** At most so many changed parameters of a save are in the change log. */
const mostLogged = 200

/** The parameters that differ, by their paths; a whole document would hide them in the log. */
function loggedOf(before: Stored | undefined, after: Stored | undefined) {
  const [was, is] = [before?.document ?? {}, after?.document ?? {}] as [JsonObject, JsonObject]
  const changes = before && after ? vpChangesBetween(was, is).slice(0, mostLogged) : []
  const side = (whole: Stored | undefined, of: 'before' | 'after') => {
    if (!whole) return undefined
    const { document: _, ...plain } = whole
    const values = changes.flatMap((change) => (change[of] === undefined ? [] : [[change.path, change[of]] as const]))
    return { ...plain, ...Object.fromEntries(values) }
  }
  return { before: side(before, 'before'), after: side(after, 'after') }
}

const documentOf = (row: VpRecord) => row.document as JsonObject

/** What breaks the schema of a document; null if the product does not ship that version. */
export function problemsOf(deviceType: string, schemaVersion: string, document: JsonObject): VpProblem[] | null {
  const schema = vpSchemaVersion(deviceType, schemaVersion)
  return schema ? vpSchemaProblems(schema, document) : null
}

const writtenRow = (row: VpRecord) => ({
  deviceType: row.device_type as VpConfigurationRow['deviceType'],
  updatedAt: wireOf(VpConfigurationRow.pick({ updatedAt: true }), { updated_at: row.updated_at ?? row.created_at })
    .updatedAt,
})

export function presentVp(row: VpRecord): VpConfiguration {
  const document = documentOf(row)
  const problems = problemsOf(row.device_type, row.schema_version, document)
  return wireOf(VpConfiguration, row, {
    ...writtenRow(row),
    document,
    sha256: vpHash(canonicalJson(document)),
    problems: problems?.length ?? row.problems,
    isSchemaKnown: problems !== null,
    currentSchemaVersion: vpSchemaOf(row.device_type)?.['x-version'] ?? row.schema_version,
    firstProblems: (problems ?? []).map(({ path, rule: { key, values } }) => ({
      path,
      rule: key,
      ...(values && { values }),
    })),
  })
}

export const vpRecord = editable({
  noun: 'vpConfiguration',
  rows: vpConfigurationList,
  fields: Stored,
  present: presentVp,
  presentRow: (row) => wireOf(VpConfigurationRow, row, writtenRow(row)),
  duplicates: { vp_configurations_by_name: ['VpConfigurationNameAlreadyExists', 'name'] },
  blockedBy: machinesWithVp,
  missing: 'VpConfigurationNotFound',
  inUse: 'VpConfigurationInUse',
  logged: loggedOf,
})

/** Refuses a schema version that the product does not ship. */
export function refuseGone(deviceType: string, schemaVersion: string): void {
  if (vpSchemaVersion(deviceType, schemaVersion)) return
  const current = vpSchemaOf(deviceType)?.['x-version']
  throw new ProductError('VpSchemaGone', { schemaVersion, current })
}

/** Refuses a document that breaks its schema, and names each value with the rule that it breaks. */
export function refuseInvalid(deviceType: string, schemaVersion: string, document: JsonObject, under = ''): void {
  refuseGone(deviceType, schemaVersion)
  const problems = problemsOf(deviceType, schemaVersion, document) ?? []
  if (problems.length === 0) return
  throw new ProductError('VpConfigNotValidException', {
    problems: problems.length,
    errors: problems.map(({ path, rule: { key, values } }) => ({
      path: `${under}${path}`,
      code: key.replace('rule.', ''),
      message: '',
      rule: key,
      ...(values && { values }),
    })),
  })
}

/** Stores what follows from the document of a record that was just written. */
async function noteFacts(db: TenantDb, id: string, now: Date): Promise<VpRecord> {
  const row = await vpRecord.of(db, id)
  const document = documentOf(row)
  const problems = problemsOf(row.device_type, row.schema_version, document)?.length ?? row.problems
  await noteVpFacts(db, row, { sha256: vpHash(canonicalJson(document)), problems, at: now })
  return vpRecord.of(db, id)
}

/** Configurations of the visual programmer. */
export const vpConfigurationHandlers: Handlers<typeof vpConfigurations> = {
  ...vpRecord.handlers,
  ...vpMachineHandlers,

  createVpConfiguration: async (call) => {
    const { name, deviceType, schemaVersion, document } = call.body
    if (call.params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const schema = vpSchemaOf(deviceType)
    const version = schemaVersion ?? schema?.['x-version'] ?? ''
    refuseGone(deviceType, version)
    const whole = { name, deviceType, schemaVersion: version, document: document ?? (schema && newVpDocument(schema)) }
    const made = await vpRecord.create({ ...call, body: whole as Stored })
    return presentVp(await noteFacts(call.db, made.id, call.now))
  },

  updateVpConfiguration: async (call) => {
    const before = await vpRecord.of(call.db, call.params.vpConfigurationId)
    const { device_type: deviceType, schema_version: storedVersion, version } = before
    if (call.body.schemaVersion !== storedVersion) refuseGone(deviceType, call.body.schemaVersion)
    const saved = await vpRecord.update({ ...call, body: { ...call.body, deviceType } })
    return saved.version === version ? saved : presentVp(await noteFacts(call.db, saved.id, call.now))
  },

  downloadVpConfiguration: async ({ db, params }) => {
    const row = await vpRecord.of(db, params.vpConfigurationId)
    const { name, device_type: deviceType, schema_version: schemaVersion } = row
    return { format: 'gettone-vp', name, deviceType, schemaVersion, document: documentOf(row) }
  },

  uploadVpConfiguration: async (call) => {
    const before = await vpRecord.of(call.db, call.params.vpConfigurationId)
    const { file, version } = call.body
    if (file.deviceType !== before.device_type)
      throw new ProductError('VpConfigOfOtherType', { deviceType: file.deviceType, expected: before.device_type })
    refuseInvalid(file.deviceType, file.schemaVersion, file.document, 'file.document.')
    const { document, schemaVersion, deviceType } = file
    const saved = await vpRecord.update({
      ...call,
      body: { name: before.name, deviceType, schemaVersion, document, version },
    })
    return saved.version === before.version ? saved : presentVp(await noteFacts(call.db, saved.id, call.now))
  },
}
