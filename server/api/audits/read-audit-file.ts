import type { AuditContent } from '#contract/audits/audit-content.ts'
import type { AuditFileFault, MachineClue } from '#contract/vocabulary/audit.ts'
import { chosenNames, fileKey, machinesOfFiles, storedFiles } from '#database/audits/audit-file.ts'
import { knownPrice } from '#database/audits/known-price.ts'
import { lastReading } from '#database/audits/last-reading.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { findMachinesBySerial, type KnownMachine } from '#database/machines/machine-directory.ts'
import { isAudit } from '#domain/audits/eva-dts/is-audit.ts'
import { machineOfFile, namesOf, serialsInName } from '#domain/audits/file-machine.ts'
import { isTable } from '#domain/audits/table-text.ts'
import { serialKey } from '#domain/machines/serial.ts'
import { type AuditFacts, auditFacts } from '#server/gateway/audits/audit-entry.ts'
import { createAuditReader } from '#server/gateway/audits/audit-reader.ts'
import { type ReadAudit, readAuditMessage } from '#server/gateway/read-message.ts'
import { keptDays } from '#server/gateway/receiving/measured.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { ThreadEndedError } from '#server/threads/thread.ts'

/** The thread that reads files starts with the first of them. */
const reader = createAuditReader()

export interface SentFile {
  name: string
  data: string
  serial?: string | undefined
}

/** The machine of a file, as users see it and as the gateway does. */
export interface FileMachine {
  name: string
  known: KnownMachine
  clue: MachineClue
}

/** What a file turned out to be. */
export interface ExaminedFile {
  name: string
  /** What the file calls its machine. */
  names: string[]
  sender: string | undefined
  content: AuditContent | null
  machine: FileMachine | null
  /** Of a file whose machine is known. */
  facts: AuditFacts | null
  isDated: boolean
  isStored: boolean
  fault: AuditFileFault | null
}

/** A file whose machine is not known yet. */
type ParsedFile = Omit<ExaminedFile, 'machine' | 'isDated' | 'isStored'> & { audit: ReadAudit; nameParts: string[] }

async function parse({ name, data, serial }: SentFile): Promise<ParsedFile> {
  const bytes = Buffer.from(data, 'base64')
  // Messages of machines have numbers of their journal, which are theirs: of such a file the audit alone counts.
  const { envelope: _, unknown: __, bad: ___, ...audit } = readAuditMessage(bytes)
  const bare: ReadAudit = { ...audit, envelope: null }
  const file = { name, sender: serial, audit: bare, facts: null, nameParts: serialsInName(name) }
  const content = await reader.read(bare.bytes, null).catch((error: unknown) => {
    if (error instanceof ThreadEndedError) return null
    throw error
  })
  if (!content) return { ...file, content, names: [], fault: 'unreadable' }
  const names = namesOf(content, bare.modem?.serial ?? null)
  if (!isAudit(content)) return { ...file, content, names, fault: isTable(bare.bytes) ? 'table' : 'notAudit' }
  return { ...file, content, names, fault: null }
}

/** The machines that the caller reaches and the files name. */
async function machinesNamed({ db, doors, params: { merchantId } }: UploadCall, files: readonly ParsedFile[]) {
  const names = [...new Set(files.flatMap((file) => file.names))]
  const serials = files.flatMap((file) => [...file.names, ...file.nameParts, serialKey(file.sender ?? '')])
  const byChoice = await chosenNames(db, merchantId, names)
  const ids = [...byChoice.values()].filter((id) => id !== null)
  const machines = await machinesOfFiles(db, merchantId, { serials: [...new Set(serials)], ids })
  const known = await findMachinesBySerial(
    doors,
    machines.map(({ serial }) => serial),
  )
  const reached = new Map(
    known.flatMap((machine) => {
      const row = machines.find(({ id }) => id === machine.id)
      return row ? [[machine.id, { name: row.name, known: machine }] as const] : []
    }),
  )
  return {
    bySerial: new Map([...reached].map(([id, machine]) => [serialKey(machine.known.serial), id])),
    byChoice: new Map([...byChoice].map(([name, id]) => [name, id !== null && reached.has(id) ? id : null])),
    reached,
  }
}

/** Facts of a file as of a bare file that arrives now. */
async function factsOf(db: TenantDb, { audit, content }: ParsedFile, machine: KnownMachine, now: Date) {
  const last = await lastReading(db, machine.id)
  const page = content?.envelope.codePage
  // The machine's last reading may say more of the text and the currency than the file.
  const read = await reader.read(audit.bytes, machine.currency, page ? last.page : null)
  const receivedAt = now.getTime()
  return auditFacts(audit, read, machine, {
    sentAt: null,
    receivedAt,
    zone: machine.timeZone,
    oldestAt: receivedAt - keptDays * 86_400_000,
    transport: 'http',
    lastKnownPrice: await knownPrice(db, machine.id),
    ownTime: last.ownTime,
  })
}

const hasClock = ({ audit, content }: ParsedFile) =>
  Boolean(audit.modem?.readAt ?? content?.identity.clock ?? content?.reads?.thisAt)

export type UploadCall = TenantCall & { params: { merchantId: string } }

/** Reads files, and finds the machine of each within the caller's reach. Nothing is stored. */
export async function examineFiles(call: UploadCall, files: readonly SentFile[]): Promise<ExaminedFile[]> {
  const { db, now } = call
  const parsed: ParsedFile[] = []
  for (const file of files) parsed.push(await parse(file))
  const { reached, ...names } = await machinesNamed(call, parsed)
  const examined: ExaminedFile[] = []
  for (const file of parsed) {
    const { audit: _, nameParts: __, ...rest } = file
    const found = file.fault ? null : machineOfFile(file, names)
    const machine = found === null || found === 'unknownSerial' ? undefined : reached.get(found.machineId)
    if (!machine || found === null || found === 'unknownSerial') {
      const fault = found === 'unknownSerial' ? found : file.fault
      examined.push({ ...rest, machine: null, isDated: false, isStored: false, fault })
      continue
    }
    const facts = await factsOf(db, file, machine.known, now)
    const content = facts.content as AuditContent
    const isDated = content.warnings.every(({ code }) => code !== 'readingTimeUnknown')
    const fault = !isDated && hasClock(file) ? 'timeUnusable' : null
    examined.push({
      ...rest,
      content,
      facts,
      machine: { ...machine, clue: found.clue },
      isDated,
      isStored: false,
      fault,
    })
  }
  return refuseUndated(await markStored(call, examined))
}

/** Marks files that are stored already, and repetitions within the call. */
async function markStored({ db, params }: UploadCall, files: readonly ExaminedFile[]): Promise<ExaminedFile[]> {
  const keys = files.map(({ machine, facts }) =>
    machine && facts ? { machineId: machine.known.id, sha256: facts.sha256 } : undefined,
  )
  const seen = await storedFiles(
    db,
    params.merchantId,
    keys.filter((key) => key !== undefined),
  )
  return files.map((file, at) => {
    const key = keys[at]
    if (!key) return file
    const name = fileKey(key.machineId, key.sha256)
    const isStored = seen.has(name)
    seen.add(name)
    return { ...file, isStored, fault: isStored ? null : file.fault }
  })
}

/** Refuses files without a time when there are several of a machine: their order is unknown. */
function refuseUndated(files: readonly ExaminedFile[]): ExaminedFile[] {
  const isUndated = ({ machine, isDated, isStored, fault }: ExaminedFile) => machine && !isDated && !isStored && !fault
  const undated = Map.groupBy(files.filter(isUndated), ({ machine }) => machine?.known.id)
  return files.map((file) =>
    isUndated(file) && (undated.get(file.machine?.known.id)?.length ?? 0) > 1 ? { ...file, fault: 'undated' } : file,
  )
}
