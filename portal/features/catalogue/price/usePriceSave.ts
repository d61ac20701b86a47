import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PriceConflict, PriceEdit } from '#contract/catalogue/price.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { usePriceUpdate } from './usePriceUpdate.tsx'

/** Saves one price of a machine, with undo. Returns another user's conflicting change. */
export function usePriceSave(params: { merchantId: string; posId: string }, currency: Currency) {
  const { update, dialog } = usePriceUpdate()
  const client = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const write = async (edit: PriceEdit) => {
    const { conflicts } = await update(params, [edit], currency)
    await client.invalidateQueries()
    return conflicts[0]
  }
  const save = async (edit: PriceEdit): Promise<PriceConflict | 'failed' | undefined> => {
    setSaving(true)
    try {
      const conflict = await write(edit)
      if (conflict) return conflict
      // The price before was confirmed when it was set.
      const back = { ...edit, before: edit.price, price: edit.before, isConfirmed: true }
      const act = async () => {
        if (await write(back)) toast.warning('price:edit.notUndone')
      }
      toast.success('price:edit.saved', {}, { undo: { act, says: 'price:edit.undone' } })
      return undefined
    } catch (error) {
      toast.error(error)
      return 'failed'
    } finally {
      setSaving(false)
    }
  }
  return { save, isSaving, dialog }
}
