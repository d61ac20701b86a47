import type { vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import { canonicalJson } from '#contract/configurations/vp-document.ts'
import { ProductError } from '#contract/errors.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { noteVpFacts } from '#database/configurations/vp-configuration.ts'
import { vpHash } from '#database/configurations/vp-report.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { newVpDocument, vpSchemaOf } from '#domain/configurations/vp-schema.ts'
import type { Handlers } from '#server/http/handler.ts'
import { vpMachineHandlers } from './vp-machine.ts'
import {
  documentOf,
  presentVp,
  problemsOf,
  refuseGone,
  refuseInvalid,
  type StoredVp,
  type VpRecord,
  vpRecord,
} from './vp-record.ts'

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
    const made = await vpRecord.create(call, call.params.merchantId, whole as StoredVp)
    return presentVp(await noteFacts(call.db, made.id, call.now))
  },

  updateVpConfiguration: async (call) => {
    const before = await vpRecord.of(call.db, call.params.vpConfigurationId)
    const { device_type: deviceType, schema_version: storedVersion, version } = before
    if (call.body.schemaVersion !== storedVersion) refuseGone(deviceType, call.body.schemaVersion)
    const saved = await vpRecord.update(call, before.id, { ...call.body, deviceType })
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
    const saved = await vpRecord.update(call, before.id, {
      name: before.name,
      deviceType,
      schemaVersion,
      document,
      version,
    })
    return saved.version === before.version ? saved : presentVp(await noteFacts(call.db, saved.id, call.now))
  },
}
