import { useQueryClient } from '@tanstack/react-query'
import type { Permission } from '#contract/access.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { mostSelected } from '#contract/frame/selection.ts'
import { callRow } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '../../app/toast/toast.tsx'
import type { Confirmation } from '../dialog/ConfirmDialog.tsx'
import type { BulkAction } from './types.ts'
import { type RowNumber, useBulkConfirm } from './useBulkConfirm.tsx'

interface Removal<T> {
  needs: Permission
  /** The button in the selection's bar. */
  name: string
  question: (many: RowNumber) => Pick<Confirmation, 'title' | 'consequence' | 'confirm'>
  /** The key of the sentence that says it is done. */
  done: string
  /** The list's endpoint, which finds all matching rows. */
  list: AnyEndpoint
  remove: (row: T) => Promise<unknown>
}

/** The bulk action that removes records with one call each, at most a page of them. `dialog` belongs on the screen. */
export function useBulkRemove<T extends { id: string }>({ needs, name, question, done, list, remove }: Removal<T>) {
  const client = useQueryClient()
  const { id: merchantId } = useMerchant()
  const { askBulk, dialog } = useBulkConfirm()
  /** The rows of a selection by its filters. */
  const matching = async (filters: object, except: readonly string[]) => {
    const input = { params: { merchantId }, query: { ...filters, size: mostSelected } }
    const { items } = (await callRow(list, input)) as { items: T[] }
    return items.filter(({ id }) => !except.includes(id))
  }
  const bulk: BulkAction<T>[] = [
    {
      key: 'remove',
      needs,
      name,
      most: mostSelected,
      run: (selection, clear) =>
        askBulk(selection, clear, {
          question: (many) => ({ ...question(many), dismiss: { how: 'keep', count: many.count }, isDanger: true }),
          act: async () => {
            const rows =
              selection.kind === 'rows' ? selection.items : await matching(selection.filters, selection.except)
            for (const row of rows) await remove(row)
            await client.invalidateQueries()
            toast.success(done)
          },
        }),
    },
  ]
  return { bulk, dialog }
}
