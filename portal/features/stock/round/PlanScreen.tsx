import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { rounds } from '#contract/stock/round.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { RecordMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { RecordFailure } from '#portal/ui/page/Missing.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { PlanBoard } from './PlanBoard.tsx'

/** A new round. Machines of one merchant are compared. */
export function Create() {
  const { t } = useTranslation('round')
  const merchant = useMerchant()
  return (
    <>
      <ScreenHeader title={t('create')} />
      {merchant.isAll ? (
        <EmptyState title={t('plan.oneMerchant')} text={t('plan.oneMerchantText')} />
      ) : (
        <PlanBoard key={merchant.id} round={undefined} />
      )}
    </>
  )
}

/** The stops of a round that is planned already. */
export function Edit() {
  const { t } = useTranslation('round')
  const { roundId } = useParams({ strict: false }) as { roundId: string }
  const answer = useQuery({
    ...queryOf(rounds.getRound, { params: { merchantId: allMerchants, roundId }, isWhole: true }),
    // What is being edited does not change under the user's hands; the save says what others did.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (answer.error && !answer.data) return <RecordFailure error={answer.error} retry={answer.refetch} />
  if (!answer.data) return <ScreenSkeleton />
  return (
    <RecordMerchant id={answer.data.merchantId}>
      <ScreenHeader title={t('plan.title', { name: answer.data.name })} />
      <PlanBoard key={`${roundId} ${answer.data.version}`} round={answer.data} />
    </RecordMerchant>
  )
}
