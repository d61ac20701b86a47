import { useMemo, useState } from 'react'
import { type CollectionDetail, cashCollections } from '#contract/cash/collection.ts'
import { samePieces } from '#domain/cash/collection-count.ts'
import { useCommand } from '#portal/app/api.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { type Draft, draftOf, piecesIn } from './countDraft.ts'

/** Another user has counted the same bag. */
export type CountConflict = {
  current: CollectionDetail
  changedBy: string | null
  changedAt: string | null
}

/** The count of a collection while it is typed: its pieces, its version, and a conflict with another user's. */
export function useCount(collection: CollectionDetail) {
  const { id, merchantId, lines, status } = collection
  const [typed, setTyped] = useState<Draft>()
  const [version, setVersion] = useState(collection.version)
  const [conflict, setConflict] = useState<CountConflict>()
  const count = useCommand(cashCollections.countCashCollection, { isQuiet: true })
  const draft = typed ?? draftOf(lines)
  const pieces = piecesIn(draft)
  const isChanged = typed !== undefined && !(pieces && samePieces(pieces, piecesIn(draftOf(lines)) ?? []))
  const isDirty = isChanged || (typed !== undefined && status === 'open')
  useLivePause(isDirty)
  useKeptInput({
    name: 'count',
    input: useMemo(() => ({ version, typed: [...(typed ?? [])] }), [version, typed]),
    isDirty: isDirty && status !== 'closed',
    restore: (input) => {
      setVersion(input.version)
      setTyped(new Map(input.typed))
    },
  })

  const save = (close: boolean, onto = isDirty ? version : collection.version) => {
    if (!pieces || count.isPending) return
    count.mutate(
      { params: { merchantId, collectionId: id }, body: { version: onto, pieces, close } },
      {
        onSuccess: (saved) => {
          setTyped(undefined)
          setConflict(undefined)
          setVersion(saved.version)
          if (close && saved.status !== 'closed') toast.warning('cash-collection:savedBeyond')
          else toast.success(close ? 'cash-collection:closed' : 'cash-collection:saved')
        },
        onError: (error) => {
          if (error.code === 'EditConflict') setConflict(error.facts as CountConflict)
          else toast.error(error)
        },
      },
    )
  }

  return {
    draft,
    /** Undefined while a field is not a number. */
    pieces,
    isTyped: typed !== undefined,
    isChanged,
    isDirty,
    isSaving: count.isPending,
    conflict,
    type(value: number, text: string) {
      if (typed === undefined) setVersion(collection.version)
      setTyped(new Map(draft).set(value, text))
    },
    save,
    takeTheirs() {
      if (!conflict) return
      setTyped(draftOf(conflict.current.lines))
      setVersion(conflict.current.version)
      setConflict(undefined)
    },
    keepOwn() {
      if (!conflict) return
      setVersion(conflict.current.version)
      save(false, conflict.current.version)
    },
  }
}
