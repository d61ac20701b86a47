import { z } from 'zod'
import { VpConfiguration, VpConfigurationRow } from '#contract/configurations/vp-configuration.ts'
import { canonicalJson, type JsonObject } from '#contract/configurations/vp-document.ts'
import { ProductError } from '#contract/errors.ts'
import { machinesWithVp, vpConfigurationList } from '#database/configurations/vp-configuration.ts'
import { vpHash } from '#database/configurations/vp-report.ts'
import type { VpProblem } from '#domain/configurations/vp-check.ts'
import { vpChangesBetween } from '#domain/configurations/vp-document.ts'
import { vpSchemaOf, vpSchemaVersion } from '#domain/configurations/vp-schema.ts'
import { editable } from '#server/http/editable.ts'
import { wireOf } from '#server/http/wire.ts'
import { vpSchemaProblems } from './vp-schema-check.ts'

/** A configuration as it is stored. */
const Stored = z.strictObject({
  name: z.string(),
  deviceType: z.string(),
  schemaVersion: z.string(),
  document: z.record(z.string(), z.unknown()),
})
export type StoredVp = z.infer<typeof Stored>
export type VpRecord = NonNullable<Awaited<ReturnType<typeof vpConfigurationList.find>>>

/** At most so many changed parameters of a save are in the change log. */
const mostLogged = 200

/** The parameters that differ, by their paths; a whole document would hide them in the log. */
function loggedOf(before: StoredVp | undefined, after: StoredVp | undefined) {
  const [was, is] = [before?.document ?? {}, after?.document ?? {}] as [JsonObject, JsonObject]
  const changes = before && after ? vpChangesBetween(was, is).slice(0, mostLogged) : []
  const side = (whole: StoredVp | undefined, of: 'before' | 'after') => {
    if (!whole) return undefined
    const { document: _, ...plain } = whole
    const values = changes.flatMap((change) => (change[of] === undefined ? [] : [[change.path, change[of]] as const]))
    return { ...plain, ...Object.fromEntries(values) }
  }
  return { before: side(before, 'before'), after: side(after, 'after') }
}

export const documentOf = (row: VpRecord) => row.document as JsonObject

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
