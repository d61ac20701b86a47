import { ProductError } from '#contract/errors.ts'
import type { ManyOutcome } from '#contract/machines/machine-acts.ts'
import type { RecordNoun } from '#contract/vocabulary/record-nouns.ts'
import { type AssignedColumn, machinesChosen, writeActs } from '#database/machines/machine-acts.ts'
import { type EditableMachine, machinesToEdit } from '#database/machines/machine-edit.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import { refuseReversedRanges } from '#server/http/refuse.ts'
import type { Edit } from './machine-edit.ts'

/** The selected machines of a call. */
export type Choice = Parameters<typeof machinesChosen>[1]
type Refused = ManyOutcome['refused'][number]['code']

/** A record that machines are assigned to, such as a client: each machine has at most one. */
export interface Assignment {
  /** The machine's column with the record's id. */
  column: 'group_id' | 'client_id' | AssignedColumn
  /** The code of a machine of another merchant, and of a missing record. */
  missing: Refused
  /** The merchant of a record; undefined outside the scope. */
  ownerOf: (call: Edit, id: string) => Promise<string | undefined>
  /** Locks what comes before the machines in the common order. */
  lockFirst?: (call: Edit, machineIds: readonly string[]) => Promise<void>
  /** Why a machine cannot lose its record. */
  refusal?: (call: Edit, machine: EditableMachine) => Refused | undefined
  save: (call: Edit, machines: readonly EditableMachine[], to: string | null) => Promise<void>
}

/** Returns the selected machines by id. Throws when one is out of reach, or when the filter matches others now. */
export async function chosenMachines({ db }: Pick<Edit, 'db'>, machines: Choice): Promise<string[]> {
  if ('matching' in machines) refuseReversedRanges(machines.matching)
  const { ids, isWhole } = await machinesChosen(db, machines)
  if (!isWhole) throw new ProductError('MachineNotFound')
  return ids
}

/** Assigns machines to a record of their merchant, or to none; machines of other merchants are refused one by one. */
export async function assignMany(
  call: Edit,
  machines: Choice,
  { column, missing, ownerOf, lockFirst, refusal, save }: Assignment,
  to: string | null,
): Promise<ManyOutcome> {
  const owner = to === null ? undefined : await ownerOf(call, to)
  if (to !== null && !owner) throw new ProductError(missing)
  const ids = await chosenMachines(call, machines)
  if (ids.length > 0) await lockFirst?.(call, ids)
  const held = ids.length === 0 ? [] : await machinesToEdit(call.db, ids)
  const refused: ManyOutcome['refused'] = []
  const edited = held.filter((machine) => {
    const isForeign = owner !== undefined && machine.merchant_id !== owner
    const code = isForeign ? missing : to === null ? refusal?.(call, machine) : undefined
    if (code) refused.push({ id: machine.id, code })
    return !code && machine[column] !== to
  })
  if (edited.length > 0) await save(call, edited, to)
  const changed = edited.map((machine) => ({ id: machine.id, before: machine[column] }))
  return { changed, refused, unchanged: ids.length - changed.length - refused.length }
}

interface Saved {
  column: AssignedColumn
  /** The field's name in the change log. */
  field: string
  action: string
  /** Its screens show how many machines it has. */
  topic: RecordNoun
}

/** Saves an assignment that is no field of the machine's form, with an entry in the change log for each machine. */
export const saveAssignment =
  ({ column, field, action, topic }: Saved): Assignment['save'] =>
  async ({ db, user, now, live }, machines, to) => {
    await writeActs(
      db,
      machines.map(({ id }) => id),
      { [column]: to },
      now,
    )
    await recordChanges(
      db,
      machines.map((machine) => ({
        merchantId: machine.merchant_id,
        at: now,
        user,
        action,
        subjectType: 'machine',
        subjectId: machine.id,
        before: { [field]: machine[column] },
        after: { [field]: to },
      })),
    )
    db.afterCommit(() => {
      for (const { merchant_id, id } of machines) live.announce(merchant_id, 'machine', id)
      for (const merchantId of new Set(machines.map(({ merchant_id }) => merchant_id))) live.announce(merchantId, topic)
    })
  }
