import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { type EditConflict, type Merge, mergeEdits } from '#domain/frame/editing.ts'
import { ApiError, isLost } from '#portal/app/apiError.ts'
import { filledFrom, withoutSecrets } from './keptInput.ts'
import type { SchemaForm } from './useSchemaForm.ts'

/** A record in a form. */
export interface RecordVersion<T> {
  version: number
  values: T
}

/** Merges changes of one record, for fields with parts such as lines. */
export interface Merging<T extends Record<string, unknown>> {
  merge: (base: T, draft: T, latest: T) => Merge<T>
  /** Takes the other user's values of these conflicts. */
  take: (values: T, conflicts: readonly EditConflict[]) => T
  /** The label of a part in conflict; undefined for a field of the form. */
  nameOf: (field: string) => string | undefined
}

/** The record that a form edits, used to merge changes by other users. */
export interface EditedRecord<T extends Record<string, unknown>> extends RecordVersion<T> {
  /** Field by field by default. */
  merging?: Merging<T> | undefined
  /** The same from the server's answer: the saved record, or the version another user saved. */
  read: (record: unknown) => RecordVersion<T>
  /** The label of a field. */
  names: Record<keyof T & string, string>
  /** Formats its value; unchanged by default. */
  say?: (field: string, value: unknown) => ReactNode
}

/** A change by another user. */
export interface OtherChange {
  by: string | undefined
  /** An instant on the wire. */
  at: string | undefined
}
export interface OpenConflict extends OtherChange {
  conflicts: readonly EditConflict[]
}
/** Changes by another user that were merged into the save. */
export interface MergedChange extends OtherChange {
  fields: readonly string[]
}

const otherChangeOf = ({ facts }: ApiError): OtherChange => ({
  by: (facts.changedBy as string | null) ?? undefined,
  at: (facts.changedAt as string | null) ?? undefined,
})

/** A form's input and what it started from, as it is kept over a sign-in. */
export interface KeptForm {
  version: number
  base: unknown
  values: unknown
}

export const keptOf = (
  { version, values: base }: RecordVersion<unknown>,
  values: unknown,
  secrets: ReadonlySet<string>,
): KeptForm => ({
  version,
  base: withoutSecrets(base, secrets),
  values: withoutSecrets(values, secrets),
})

interface Options<T extends Record<string, unknown>> {
  form: SchemaForm<T>
  record: EditedRecord<T> | undefined
  save: (values: T, version: number) => Promise<unknown>
}

/**
 * Saves a form on the version it started from. A conflict is merged field by field: the other user's changes are taken
 * over, and the user chooses for fields that both changed. After a lost connection the same request is sent again.
 */
export function useEditing<T extends Record<string, unknown>>({ form, record, save }: Options<T>) {
  const base = useRef<RecordVersion<T>>({ version: record?.version ?? 0, values: record?.values ?? form.getValues() })
  const [open, setOpen] = useState<OpenConflict>()
  const [joined, setJoined] = useState<MergedChange>()
  const [hasLost, setLost] = useState(false)
  const merge = record?.merging?.merge ?? mergeEdits<T>

  /** Continues from a record; input since `then` stays. */
  const goOn = (fresh: RecordVersion<T>, then: T) => {
    base.current = fresh
    form.setValues(merge(then, form.getValues(), fresh.values).merged)
    form.resetDirty(fresh.values)
  }

  // A change by another user is taken over while the form is unchanged.
  const version = record?.version
  useEffect(() => {
    if (record && record.version !== base.current.version && !form.isDirty()) goOn(record, form.getValues())
    // oxlint-disable-next-line react/exhaustive-deps -- the version says that there is something new
  }, [version])

  /** Throws errors that the caller shows; a conflict and a lost connection are shown here. */
  const send = async (): Promise<void> => {
    setOpen(undefined)
    setLost(false)
    try {
      const sent = form.getValues()
      const saved = await save(sent, base.current.version)
      if (record && saved) goOn(record.read(saved), sent)
      else form.resetDirty(sent)
    } catch (failure) {
      if (isLost(failure)) return setLost(true)
      if (!record || !(failure instanceof ApiError) || failure.code !== 'EditConflict') throw failure
      const latest = record.read(failure.facts.current)
      const both = merge(base.current.values, form.getValues(), latest.values)
      base.current = latest
      form.setValues(both.merged)
      const meanwhile = otherChangeOf(failure)
      if (both.theirs.length > 0) setJoined({ ...meanwhile, fields: both.theirs })
      if (both.conflicts.length > 0) return setOpen({ ...meanwhile, conflicts: both.conflicts })
      return send()
    }
  }

  return {
    base: useCallback(() => base.current, []),
    /** Continues with kept input on the version it was typed on: the save merges what others have changed since. */
    resume: (input: KeptForm) => {
      const initial = form.getValues()
      if (record) {
        base.current = { version: input.version, values: filledFrom(initial, input.base) }
        form.resetDirty(base.current.values)
      }
      form.setValues(filledFrom(initial, input.values))
    },
    /** Back to the record as it is now, or to the empty form. */
    discard: () => {
      if (record) base.current = { version: record.version, values: record.values }
      form.setValues(base.current.values)
      form.resetDirty(base.current.values)
      form.clearErrors()
    },
    open,
    joined,
    hasLost,
    submit: () => {
      setJoined(undefined)
      return send()
    },
    /** Continues with the choice: these fields take the other user's value, the others the user's own. */
    settle: (otherFields: ReadonlySet<string>) => {
      const conflicts = (open?.conflicts ?? []).filter(({ field }) => otherFields.has(field))
      const fields = Object.fromEntries(conflicts.map((one) => [one.field, one.theirs])) as Partial<T>
      form.setValues(record?.merging?.take(form.getValues(), conflicts) ?? fields)
      return send()
    },
  }
}
