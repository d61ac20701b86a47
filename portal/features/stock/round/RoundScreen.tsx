import { Button } from '@mantine/core'
import { IconEdit, IconFileTypePdf, IconFlagCheck, IconPlayerPlay, IconPrinter, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Round, rounds } from '#contract/stock/round.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { call, download, useCommand } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { keepSignedIn } from '#portal/app/session/keptSession.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { DeleteButton } from '#portal/ui/page/DeleteButton.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import type { RoundHere } from '../outbox/overlay.ts'
import { useStep } from '../outbox/useStep.ts'
import { WaitingSteps } from '../outbox/WaitingSteps.tsx'
import { roundLooks } from './roundLooks.ts'
import { useFinish } from './useFinish.tsx'
import { useRound } from './useRound.ts'

const tabs = ['stops', 'pickList', 'cash'] as const
const pathOf = {
  stops: '/devices/rounds/$roundId',
  pickList: '/devices/rounds/$roundId/pick-list',
  cash: '/devices/rounds/$roundId/money',
}

/** A round: its stops live, what to load, and its money. On a phone it is the technician's day. */
export default function RoundScreen() {
  const { t } = useTranslation(['round', 'shell'])
  const format = useFormat()
  const { me } = useSession()
  const { answer, here } = useRound()
  const stored = answer.data
  const round = here?.round
  const userId = me?.id
  const client = useQueryClient()
  // An open round works without a network.
  useEffect(() => {
    if (stored && userId && (stored.status === 'planned' || stored.status === 'underway')) {
      if (!answer.isError) keepSignedIn()
      void import('../offline/keepRound.ts')
        .then(({ keepRound }) => keepRound(client, stored, userId))
        .catch(() => undefined)
    }
  }, [stored, userId, client, answer.isError])
  return (
    <DetailScreen
      query={answer}
      merchantId={round?.merchantId}
      title={round?.name}
      aside={round && <StatusBadge of={roundLooks} value={round.status} />}
      subtitle={
        round &&
        [
          format.day(round.day, 'weekday'),
          round.assigneeName ?? t('round:nobody'),
          ...(round.routeName !== null && round.routeName !== round.name ? [round.routeName] : []),
          t('round:doneOf', {
            count: round.stops,
            done: format.number(round.stopsDone),
            all: format.number(round.stops),
          }),
        ].join(' · ')
      }
      actions={here && <Actions {...here} />}
      banner={<WaitingSteps />}
      tabs={tabs.map((tab) => ({ to: pathOf[tab], name: t(`shell:screens.${tab}`) }))}
    />
  )
}

function Actions({ round, isTurnKept }: RoundHere) {
  const { t, i18n } = useTranslation('round')
  const { me } = useSession()
  const { id: roundId, merchantId, name, status } = round
  const params = { merchantId, roundId }
  const { take, isPending } = useStep()
  const finish = useFinish(round)
  const mayPlan = Boolean(me && roleMay(me.role, 'round.write'))
  const isOpen = status === 'planned' || status === 'underway'
  const savePdf = () =>
    download(rounds.getRoundPdf, { params, query: { language: i18n.language as Language } }, `${name}.pdf`)
  return (
    <>
      {status === 'planned' && (
        <Button
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          loading={isPending}
          onClick={() => void take({ kind: 'start', id: `start ${roundId}`, merchantId, roundId, roundName: name })}
        >
          {t('start')}
        </Button>
      )}
      {status === 'underway' && (
        <Button
          leftSection={<IconFlagCheck size={15} aria-hidden />}
          loading={finish.isPending}
          onClick={finish.finish}
        >
          {t('finish.do')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconFileTypePdf size={15} aria-hidden />}
        onClick={() => void savePdf().catch(toast.error)}
      >
        {t('pdf.do')}
      </Button>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<IconPrinter size={15} aria-hidden />}
        onClick={() => window.print()}
      >
        {t('print')}
      </Button>
      {mayPlan && isOpen && <PlanActs round={round} />}
      {mayPlan && !isOpen && !isTurnKept && (
        <DeleteButton
          kind="round"
          name={name}
          remove={() => call(rounds.deleteRound, { params })}
          inUse={{ code: 'RoundInUse', blockingOf: (_, t) => ({ blockers: [], note: t('delete.visited') }) }}
          list="/devices/rounds"
        />
      )}
      {finish.dialog}
    </>
  )
}

/** Edits or cancels a round that is not over. */
function PlanActs({ round: { id: roundId, merchantId, name } }: { round: Round }) {
  const { t } = useTranslation('round')
  const go = useGo()
  const cancel = useCommand(rounds.cancelRound, { says: 'round:cancelled' })
  const { ask, dialog } = useConfirm()
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEdit size={15} aria-hidden />}
        onClick={() => void go({ to: '/devices/rounds/$roundId/edit', params: { roundId } })}
      >
        {t('edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={15} aria-hidden />}
        onClick={() =>
          ask({
            title: t('cancel.title', { name }),
            consequence: t('cancel.consequence'),
            confirm: t('cancel.do'),
            dismiss: { how: 'leave' },
            isDanger: true,
            act: () => cancel.mutateAsync({ params: { merchantId, roundId } }),
          })
        }
      >
        {t('cancel.do')}
      </Button>
      {dialog}
    </>
  )
}
