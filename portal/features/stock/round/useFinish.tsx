import { useTranslation } from 'react-i18next'
import type { Round } from '#contract/stock/round.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { useStep } from '../outbox/useStep.ts'

/** Ends a round, after a question while stops are open. */
export function useFinish({ id: roundId, merchantId, name, stopList }: Round) {
  const { t } = useTranslation('round')
  const { take, isPending } = useStep()
  const { ask, dialog } = useConfirm()
  const open = stopList.filter(({ status }) => status === 'open').length
  const act = () => take({ kind: 'finish', id: `finish ${roundId}`, merchantId, roundId, roundName: name })
  const finish = () =>
    open === 0
      ? void act()
      : ask({
          title: t('finish.title', { name }),
          consequence: t('finish.consequence', { count: open }),
          confirm: t('finish.do'),
          dismiss: { how: 'leave' },
          act,
        })
  return { finish, isPending, dialog }
}
