import { useTranslation } from 'react-i18next'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '../../app/toast/toast.tsx'
import { type Confirmation, useConfirm } from '../dialog/ConfirmDialog.tsx'
import { type BulkSelection, selectionIn } from './types.ts'

/** The number of rows: for plurals, and formatted. */
export type RowNumber = { count: number; number: string }

interface BulkAct<T> {
  question: (many: RowNumber) => Omit<Confirmation, 'act'>
  /** The call; it receives the selection in the format of the contract's `selectionOf`. */
  act: (selection: ReturnType<typeof selectionIn<T>>) => Promise<unknown>
}

/**
 * Confirms an act on the selection. If the number of matching rows has changed since, nothing happens and the
 * confirmation is repeated with the new number; any other error is shown. `dialog` belongs on the screen, whose words
 * include `editing`.
 */
export function useBulkConfirm() {
  const { t } = useTranslation('editing')
  const format = useFormat()
  const { ask, dialog } = useConfirm()
  const askBulk = <T,>(
    selection: BulkSelection<T>,
    clear: () => void,
    { question, act }: BulkAct<T>,
    isAgain = false,
  ): void => {
    const count = selection.kind === 'rows' ? selection.ids.length : selection.count
    const many = { count, number: format.number(count) }
    const { consequence, ...rest } = question(many)
    ask({
      ...rest,
      consequence: (
        <>
          {isAgain && <strong>{t('bulk.changed', many)} </strong>}
          {consequence}
        </>
      ),
      act: async () => {
        await act(selectionIn(selection)).catch((error: unknown) => {
          const now = error instanceof ApiError && error.code === 'SelectionChanged' ? Number(error.facts.count) : 0
          if (selection.kind === 'matching' && now > 0)
            askBulk({ ...selection, count: now }, clear, { question, act }, true)
          else toast.error(error)
          throw error
        })
        clear()
      },
    })
  }
  return { ask, askBulk, dialog }
}
