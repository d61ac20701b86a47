import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type RemoteCommand, remoteCommands } from '#contract/commands/remote-command.ts'
import { call } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import type { BulkSelection } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'

/** Cancels the selected commands, after a confirmation; commands started meanwhile stay. `dialog` belongs on the screen. */
export function useCancelMany() {
  const { t } = useTranslation(['remote-command', 'editing'])
  const format = useFormat()
  const merchant = useMerchant()
  const client = useQueryClient()
  const { askBulk, dialog } = useBulkConfirm()
  const askCancel = (selection: BulkSelection<RemoteCommand>, clear: () => void) =>
    askBulk(selection, clear, {
      question: (many) => ({
        title: t('remote-command:cancel.titleMany', many),
        consequence: t('remote-command:cancel.consequenceMany'),
        confirm: t('remote-command:cancel.confirmMany', many),
        dismiss: { how: 'keep', count: many.count },
        isDanger: true,
      }),
      act: async (commands) => {
        const { cancelled, tooLate } = await call(remoteCommands.cancelRemoteCommands, {
          params: { merchantId: merchant.id },
          body: { commands },
          isWhole: 'ids' in commands,
        })
        await client.invalidateQueries()
        const values = { count: cancelled, number: format.number(cancelled), late: format.number(tooLate) }
        if (cancelled === 0) toast.warning('remote-command:cancel.none')
        else if (tooLate > 0) toast.warning('remote-command:cancel.some', values)
        else toast.success('remote-command:cancel.doneMany', values)
      },
    })
  return { askCancel, dialog }
}
