import { createHash } from 'node:crypto'
import { canonicalJson, type Json, type JsonObject } from '#contract/configurations/vp-document.ts'
import type { VpDeviceType } from '#contract/vocabulary/device.ts'
import type { CopyValue } from '#database/platform/copy-line.ts'
import { vpProblemsOf } from '#domain/configurations/vp-check.ts'
import { withVpValue } from '#domain/configurations/vp-document.ts'
import { newVpDocument, vpSchemaOf } from '#domain/configurations/vp-schema.ts'
import { ownStateOf } from '#simulator/own-state.ts'
import { randomFrom } from '#simulator/random.ts'
import type { MachinePast } from '../history/write-history.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'

const hourMs = 3_600_000
type Copy = (table: string, rows: readonly Record<string, CopyValue>[]) => Promise<void>

/** Configurations of the demo: their merchant, model and what differs from the factory's values. */
const configurations: readonly {
  speech: (typeof demoMerchants)[number]['speech']
  name: string
  deviceType: VpDeviceType
  changes: Readonly<Record<string, Json>>
  /** A draft has not been sent. */
  isDraft?: true
}[] = [
  {
    speech: 'it',
    name: 'Vitro, scuole',
    deviceType: 'AZVT',
    changes: { 'boilers.coffeeTemperature': 90, 'cups.sugarNormal': 2, 'display.languages': ['it', 'en', 'fr'] },
  },
  {
    speech: 'it',
    name: 'NeoQ, uffici',
    deviceType: 'AZNE',
    changes: { 'grinder.coffeeDose': 8.5, 'cups.ownCupDiscount': 20, 'cleaning.cleaningTime': '06:15' },
  },
  {
    speech: 'it',
    name: 'Unica, prova',
    deviceType: 'CUNI',
    isDraft: true,
    changes: { 'boilers.waterTemperature': 97, 'recipes.2.steps.1.amount': 110 },
  },
  {
    speech: 'es',
    name: 'Vitro, hospitales',
    deviceType: 'AZVT',
    changes: { 'display.firstLanguage': 'es', 'display.languages': ['es', 'en'], 'payment.multiVend': true },
  },
]

const hashOf = (document: JsonObject) => createHash('sha256').update(canonicalJson(document)).digest('hex')

/**
 * Four configurations of the visual programmer and their machines: most are in sync, some were edited on the device, some have not got it yet.
 * The machines keep their documents, which the simulator continues with.
 */
export async function insertVpConfigurations(
  copy: Copy,
  { pasts, until, seed }: { pasts: readonly MachinePast[]; until: number; seed: string },
): Promise<void> {
  const random = randomFrom(`${seed} visual programmer`)
  const rows: Record<'configurations' | 'commands' | 'targets' | 'reports', Record<string, CopyValue>[]> = {
    configurations: [],
    commands: [],
    targets: [],
    reports: [],
  }
  const iso = (at: number) => new Date(at).toISOString()
  for (const { speech, name, deviceType, changes, isDraft } of configurations) {
    const merchant = demoMerchants.find((one) => one.speech === speech)
    const schema = vpSchemaOf(deviceType)
    if (!merchant || !schema) continue
    const document = Object.entries(changes).reduce(
      (whole, [path, value]) => withVpValue(whole, path, value),
      newVpDocument(schema),
    )
    const createdAt = until - random.int(400, 900) * hourMs
    const updatedAt = until - random.int(80, 200) * hourMs
    const id = uuidAt(createdAt, random)
    const sha256 = hashOf(document)
    rows.configurations.push({
      merchant_id: merchant.id,
      id,
      name,
      device_type: deviceType,
      document: JSON.stringify(document),
      sha256,
      schema_version: schema['x-version'],
      problems: vpProblemsOf(schema, document).length,
      version: 2,
      created_at: iso(createdAt),
      updated_at: iso(updatedAt),
    })
    const owned = pasts.filter(
      ({ machine }) => machine.merchant.id === merchant.id && machine.deviceType === deviceType && !isDraft,
    )
    owned.forEach(({ machine, memory }, index) => {
      const state = index % 6 === 5 ? 'waiting' : index % 4 === 3 ? 'edited' : 'sync'
      const sentAt = updatedAt + random.int(1, 20) * hourMs
      const appliedAt = sentAt + 5_000
      const commandId = uuidAt(sentAt, random)
      const machineKey = { merchant_id: merchant.id, machine_id: machine.id }
      const author = random.pick(authorsAt(machine, 'vpConfiguration.write'))
      const hasIt = state !== 'waiting'
      rows.commands.push({
        merchant_id: merchant.id,
        id: commandId,
        machine_id: machine.id,
        type: 19,
        attempts: 1,
        parameters: JSON.stringify({ name, schemaVersion: schema['x-version'], sha256, document }),
        ...(hasIt ? { status: 2, result: 0 } : { status: 3, result: -2 }),
        created_at: iso(sentAt),
        not_before: iso(sentAt),
        next_attempt_at: iso(sentAt),
        sent_at: iso(sentAt),
        expires_at: iso(sentAt + 24 * hourMs),
        started_at: hasIt ? iso(appliedAt) : null,
        executed_at: hasIt ? iso(appliedAt + 1_000) : iso(sentAt + 24 * hourMs),
        created_by: author.id,
        created_by_name: author.name,
      })
      rows.targets.push({
        ...machineKey,
        vp_configuration_id: id,
        sent_version: 2,
        sent_at: iso(sentAt),
        sha256,
        document: JSON.stringify(document),
        command_id: commandId,
        confirmed_at: hasIt ? iso(appliedAt + 2_000) : null,
      })
      if (!hasIt) return
      const reported = state === 'edited' ? withVpValue(document, 'cleaning.rinseHours', random.int(6, 12)) : document
      ownStateOf(memory).vp = { name, schemaVersion: schema['x-version'], document: reported }
      rows.reports.push({
        ...machineKey,
        name,
        schema_version: schema['x-version'],
        sha256: hashOf(reported),
        document: JSON.stringify(reported),
        epoch: 1,
        seq: 1,
        reported_at: iso(appliedAt + (state === 'edited' ? 30 * hourMs : 2_000)),
      })
    })
  }
  await copy('vp_configurations', rows.configurations)
  await copy('remote_commands', rows.commands)
  await copy('vp_targets', rows.targets)
  await copy('vp_reports', rows.reports)
}
