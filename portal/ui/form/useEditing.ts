import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type EditConflict, mergeEdits } from '#domain/frame/editing.ts'
import { ApiError, isLost } from '#portal/app/apiError.ts'
import type { SchemaForm } from './useSchemaForm.ts'

/** A record as a form sees it. */
export interface Edited<T> {
  version: number
  values: T
}

/** The record that a form edits, used to merge changes by other users. */
export interface EditedRecord<T> extends Edited<T> {
  /** The same from the server's answer: the saved record, or the version another user saved. */
  read: (record: unknown) => Edited<T>
  /** The label of a field. */
  names: Record<keyof T & string, string>
  /** How its value is shown; unchanged by default. */
  say?: (field: string, value: unknown) => ReactNode
}

/** A change by another user. */
export interface Meanwhile {
  by: string | undefined
  /** An instant on the wire. */
  at: string | undefined
}
export interface OpenConflict extends Meanwhile {
  conflicts: readonly EditConflict[]
}
/** Changes by another user that were merged into the save. */
export interface Joined extends Meanwhile {
  fields: readonly string[]
}

const meanwhileOf = ({ facts }: ApiError): Meanwhile => ({
  by: (facts.changedBy as string | null) ?? undefined,
  at: (facts.changedAt as string | null) ?? undefined,
})

interface Options<T extends Record<string, unknown>> {
  form: SchemaForm<T>
  record: EditedRecord<T> | undefined
  save: (values: T, version: number) => Promise<unknown>
}

/**
 * Saves a form on the version it started from. A conflict is merged field by field: changes by the other user alone are
 * taken over, for fields that both changed the user chooses. After a lost connection the same request is sent again.
 */
export function useEditing<T extends Record<string, unknown>>({ form, record, save }: Options<T>) {
  const base = useRef<Edited<T>>({ version: record?.version ?? 0, values: record?.values ?? form.getValues() })
  const [open, setOpen] = useState<OpenConflict>()
  const [joined, setJoined] = useState<Joined>()
  const [hasLost, setLost] = useState(false)

  /** Continues from a record; input since `then` stays. */
  const goOn = (fresh: Edited<T>, then: T) => {
    base.current = fresh
    form.setValues(mergeEdits(then, form.getValues(), fresh.values).merged)
    form.resetDirty(fresh.values)
  }

  // A change by another user is taken over while nothing is edited here.
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
      const theirs = record.read(failure.facts.current)
      const merge = mergeEdits(base.current.values, form.getValues(), theirs.values)
      base.current = theirs
      form.setValues(merge.merged)
      const meanwhile = meanwhileOf(failure)
      if (merge.theirs.length > 0) setJoined({ ...meanwhile, fields: merge.theirs })
      if (merge.conflicts.length > 0) return setOpen({ ...meanwhile, conflicts: merge.conflicts })
      return send()
    }
  }

  return {
    open,
    joined,
    hasLost,
    submit: () => {
      setJoined(undefined)
      return send()
    },
    /** Continues with the choice: these fields are theirs, the others mine. */
    settle: (theirs: ReadonlySet<string>) => {
      const taken = (open?.conflicts ?? []).filter(({ field }) => theirs.has(field))
      form.setValues(Object.fromEntries(taken.map((one) => [one.field, one.theirs])) as Partial<T>)
      return send()
    },
  }
}
