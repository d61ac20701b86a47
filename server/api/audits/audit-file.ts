import type { AuditFileRow, auditFiles } from '#contract/audits/audit-file.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import type { IntervalKind } from '#contract/vocabulary/audit.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { storeNames } from '#database/audits/audit-file.ts'
import { type CounterRead, neighbour } from '#database/audits/audit-interval.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import { countersOf } from '#domain/audits/audit-counters.ts'
import { intervalBetween } from '#domain/audits/audit-interval.ts'
import { serialKey } from '#domain/machines/serial.ts'
import { inAnyMonth } from '#server/gateway/missing-month.ts'
import { type Entry, type StoreInput, storeBatch } from '#server/gateway/store-batch.ts'
import type { Handlers } from '#server/http/handler.ts'
import { type ExaminedFile, examineFiles, type UploadCall } from './read-audit-file.ts'

const mostShown = 20
/** Sorts after each id. */
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const isNew = ({ machine, facts, isStored, fault }: ExaminedFile) => machine && facts && !isStored && !fault

/** How each new reading relates to the previous one, stored or of the same call. */
async function kindsOf({ db }: UploadCall, files: readonly ExaminedFile[]): Promise<Map<ExaminedFile, IntervalKind>> {
  const kinds = new Map<ExaminedFile, IntervalKind>()
  const before = new Map<string, Pick<CounterRead, 'at' | 'counters'>>()
  for (const file of files.filter(isNew).toSorted((one, other) => (one.facts?.at ?? 0) - (other.facts?.at ?? 0))) {
    const { machine, facts, content } = file
    if (!machine || !facts || !content) continue
    const { id: machineId, merchantId, currency } = machine.known
    const at = new Date(facts.at)
    const stored = await neighbour(db, { merchantId, machineId, at, auditId: last }, 'before')
    const own = before.get(machineId)
    const previous = own && (!stored || own.at > stored.at) ? own : stored
    const counters = countersOf(content, currency)
    const { kind } = intervalBetween(previous?.counters ?? null, counters)
    kinds.set(file, kind)
    if (kind !== 'notReported' && kind !== 'older') before.set(machineId, { at, counters })
  }
  return kinds
}

function outcomeOf(file: ExaminedFile): AuditFileRow['outcome'] {
  if (file.fault) return 'refused'
  if (file.isStored) return 'known'
  return file.machine ? 'new' : 'unclear'
}

function presentFile(file: ExaminedFile, kind: IntervalKind | undefined): AuditFileRow {
  const { name, names, machine, facts, content, fault, isDated } = file
  const outcome = outcomeOf(file)
  return {
    name,
    outcome,
    fault,
    machine: machine && { posId: machine.known.id, name: machine.name, serial: machine.known.serial },
    foundBy: machine?.clue ?? null,
    names,
    readAt: facts && fault !== 'timeUnusable' ? toWire(new Date(facts.at)) : null,
    isDated,
    kind: kind ?? null,
    crc: content?.reports.length ? content.crc.verdict : null,
    currency: facts?.currency ?? null,
    salesTotal: facts?.salesTotal ?? null,
    vendsTotal: facts?.vendsTotal ?? null,
    selections: content?.selections.length ?? 0,
    unread: {
      lines: content?.unread.lines.slice(0, mostShown) ?? [],
      total: content?.unread.total ?? 0,
    },
    warnings: content?.warnings.slice(0, mostShown) ?? [],
    warningsTotal: content?.warningsTotal ?? 0,
  }
}

async function present(call: UploadCall, files: readonly ExaminedFile[]): Promise<{ files: AuditFileRow[] }> {
  const kinds = await kindsOf(call, files)
  return { files: files.map((file) => presentFile(file, kinds.get(file))) }
}

/** The readings of each machine, as bare files that the machine had sent itself. */
function inputsOf(files: readonly ExaminedFile[]): StoreInput[] {
  const byMachine = Map.groupBy(files.filter(isNew), ({ machine }) => machine?.known)
  return [...byMachine].flatMap(([machine, some]) => {
    if (!machine) return []
    const entries = some.flatMap(({ facts }): Entry[] =>
      facts ? [{ kind: 'audit', seq: null, at: facts.at, machineTime: facts.machineTime, item: facts }] : [],
    )
    return [{ machine, epoch: null, entries, setAside: [], isReplay: false }]
  })
}

/** Keeps which machine a sender has meant by the names in its files, and logs what was stored. */
async function noteStored({ db, user, now, params }: UploadCall, files: readonly ExaminedFile[]): Promise<void> {
  const { merchantId } = params
  const names = files
    .filter(({ machine, fault }) => machine?.clue === 'sender' && !fault)
    .flatMap(({ names: some, machine }) => some.map((name) => [name, machine] as const))
    .flatMap(([name, machine]) =>
      machine && name !== serialKey(machine.known.serial) ? [[name, machine.known.id] as const] : [],
    )
  await storeNames(db, merchantId, new Map(names))
  const byMachine = Map.groupBy(files.filter(isNew), ({ machine }) => machine?.known.id ?? '')
  await recordChanges(
    db,
    [...byMachine].map(([subjectId, some]) => ({
      merchantId,
      at: now,
      user,
      action: 'machine.uploadAudits',
      subjectType: 'machine',
      subjectId,
      after: { files: some.map(({ name }) => name) },
    })),
  )
}

/** Audit files of other systems: what is understood of them, and their storing. A machine's own sales are never touched by them. */
export const auditFileHandlers: Handlers<typeof auditFiles> = {
  previewAuditFiles: async (call) => {
    refuseAllMerchants(call)
    return present(call, await examineFiles(call, call.body.files))
  },

  storeAuditFiles: async (call) => {
    refuseAllMerchants(call)
    const { doors, live } = call
    const files = await examineFiles(call, call.body.files)
    const shown = await present(call, files)
    const inputs = inputsOf(files)
    const store = inAnyMonth(doors, (some: StoreInput[]) => storeBatch(doors, some, live.announce.bind(live)))
    if (inputs.length > 0) await store(inputs)
    await noteStored(call, files)
    return shown
  },
}

function refuseAllMerchants({ params }: UploadCall): void {
  if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
}
