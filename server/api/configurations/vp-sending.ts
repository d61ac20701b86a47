import { randomUUIDv7 } from 'node:crypto'
import { canonicalJson, type JsonObject } from '#contract/configurations/vp-document.ts'
import { deviceLimits } from '#contract/device-protocol.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { noteVpTargets } from '#database/configurations/vp-machine.ts'
import { vpHash } from '#database/configurations/vp-report.ts'
import type { RecordKey } from '#database/frame/records.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { keepVpFile } from './vp-file.ts'
import { refuseInvalid, type VpRecord, vpRecord } from './vp-record.ts'

export const sendVpConfig = remoteCommandTypes.sendVpConfig

/** What a saved configuration is at machines: whom it may be sent to, and with what. */
export interface VpSending {
  key: RecordKey
  configuration: VpRecord
  sha256: string
  /** Whether it is a configuration of the machine's merchant and model. */
  isFor(machine: { merchantId: string; deviceType: string }): boolean
  /** The parameters of command 19: the document, or its file where the document exceeds a message. */
  parametersFor(serial: string): object
  /** Stores the document as the target of the machines of commands that were ordered. */
  noteTargets(commands: readonly { machine_id: string; id: string }[], at: Date): Promise<void>
}

/**
 * Prepares a configuration for sending; holds it until the end of the transaction. Throws VpConfigurationNotFound, and
 * VpConfigNotValidException or VpSchemaGone for a document that no machine could use.
 */
export async function vpSending(
  services: Pick<TenantCall, 'db' | 'blobs' | 'config' | 'live'>,
  vpConfigurationId: string,
): Promise<VpSending> {
  const { db, live } = services
  const key = await vpRecord.use(db, vpConfigurationId)
  const configuration = await vpRecord.of(db, key.id)
  const { device_type: deviceType, schema_version: schemaVersion, name, version } = configuration
  const document = configuration.document as JsonObject
  refuseInvalid(deviceType, schemaVersion, document)
  const canonical = canonicalJson(document)
  const sha256 = vpHash(canonical)
  const inline = { name, schemaVersion, sha256, document }
  const message = { id: randomUUIDv7(), type: sendVpConfig, parameters: inline, expiresInSeconds: 30 * 86_400 }
  const isLarge = Buffer.byteLength(JSON.stringify(message)) > deviceLimits.downBytes
  const fileFor = isLarge ? await keepVpFile(services, key.merchant_id, canonical, sha256) : undefined
  return {
    key,
    configuration,
    sha256,
    isFor: (machine) => machine.merchantId === key.merchant_id && machine.deviceType === deviceType,
    parametersFor: (serial) => (fileFor ? { name, schemaVersion, file: fileFor(serial) } : inline),
    async noteTargets(commands, at) {
      await noteVpTargets(db, key, { version, sha256, document: JSON.stringify(document), at }, commands)
      db.afterCommit(() => {
        live.announce(key.merchant_id, 'vpConfiguration')
        for (const { machine_id } of commands) live.announce(key.merchant_id, 'configuration', machine_id)
      })
    },
  }
}
