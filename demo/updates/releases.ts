import { createHash } from 'node:crypto'
import type { ReleaseNotes } from '#contract/updates/firmware.ts'
import { deviceTypes } from '#contract/vocabulary/device.ts'
import type { FirmwareLevel } from '#contract/vocabulary/update.ts'
import { byLanguage } from '#contract/vocabulary/world/languages.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { Blobs } from '#server/files/blobs.ts'
import { blobOfUpdate } from '#server/http/upload.ts'
import { randomFrom } from '#simulator/random.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { uuidAt } from '../write/uuid.ts'

const dayMs = 86_400_000

const none: ReleaseNotes = byLanguage(() => '')
const fixes: ReleaseNotes = {
  ...none,
  en: 'Fixes rejected coins after a power failure. Faster connection after a restart.',
  it: 'Corregge il rifiuto delle monete dopo un’interruzione di corrente. Connessione più rapida dopo un riavvio.',
  de: 'Behebt abgewiesene Münzen nach einem Stromausfall. Schnellere Verbindung nach einem Neustart.',
  fr: 'Corrige le rejet de pièces après une coupure de courant. Connexion plus rapide après un redémarrage.',
  es: 'Corrige el rechazo de monedas tras un corte de corriente. Conexión más rápida tras un reinicio.',
  pt: 'Corrige a rejeição de moedas após um corte de energia. Ligação mais rápida após um reinício.',
}

/** Versions of the provider, and how many days ago each was created. */
const firmwares: { release: string; level: FirmwareLevel; bytes: number; daysAgo: number; notes: ReleaseNotes }[] = [
  { release: '4.11.3.987', level: 'production', bytes: 220_000, daysAgo: 300, notes: none },
  { release: '4.12.0.1042', level: 'production', bytes: 240_000, daysAgo: 120, notes: fixes },
  { release: '4.12.1.1060', level: 'beta', bytes: 250_000, daysAgo: 6, notes: fixes },
]
const databases = [
  { name: 'Euro 2025', release: 'EUR-24', bytes: 48_000, daysAgo: 200 },
  { name: 'Euro 2026', release: 'EUR-25', bytes: 52_000, daysAgo: 20 },
]

const contentOf = (name: string, bytes: number) => {
  const random = randomFrom(`release ${name}`)
  return Buffer.from(Array.from({ length: bytes }, () => random.int(0, 255)))
}

/** Adds firmware and cash databases with their files, unless the deployment has firmware. */
export async function addReleases(doors: Doors, blobs: Blobs, now: Date): Promise<void> {
  const isThere = await doors.withSystem('demo data', (db) =>
    db.selectFrom('firmwares').select('id').limit(1).executeTakeFirst(),
  )
  if (isThere) return
  const fileOf = async (name: string, bytes: number, at: Date) => {
    const id = uuidAt(at.getTime(), randomFrom(`update file ${name}`))
    const content = contentOf(name, bytes)
    await blobs.put(blobOfUpdate(id), [content])
    return {
      file_id: id,
      file_name: `${name}.bin`,
      file_bytes: bytes,
      file_sha256: createHash('sha256').update(content).digest('hex'),
      file_uploaded_at: at,
      created_at: at,
      device_types: [...deviceTypes],
    }
  }
  for (const { release, level, bytes, daysAgo, notes } of firmwares) {
    const at = new Date(now.getTime() - daysAgo * dayMs)
    const [major = 0, minor = 0, patch = 0, build = 0] = release.split('.').map(Number)
    const row = {
      id: uuidAt(at.getTime(), randomFrom(`firmware ${release}`)),
      major,
      minor,
      patch,
      build,
      level,
      notes: JSON.stringify(notes),
      ...(await fileOf(`firmware-${release}`, bytes, at)),
    }
    await doors.withSystem('demo data', (db) => db.insertInto('firmwares').values(row).execute())
  }
  const owner = demoMerchants.find(({ currency }) => currency === 'EUR')
  if (!owner) return
  for (const { name, release, bytes, daysAgo } of databases) {
    const at = new Date(now.getTime() - daysAgo * dayMs)
    const row = {
      merchant_id: owner.id,
      id: uuidAt(at.getTime(), randomFrom(`cash database ${release}`)),
      name,
      release,
      currency: owner.currency,
      ...(await fileOf(`cash-${release}`, bytes, at)),
    }
    await doors.withTenant([{ merchantId: owner.id, groups: 'all' }], (db) =>
      db.query.insertInto('cash_databases').values(row).execute(),
    )
  }
}
