import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { RecordFailure } from '#portal/ui/page/Missing.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { outbox } from '../outbox/outbox.ts'
import type { KeptVisit } from '../outbox/steps.ts'
import { WaitingSteps } from '../outbox/WaitingSteps.tsx'
import { VisitForm } from './VisitForm.tsx'
import { planOf } from './visitPlans.ts'

/** A visit at a machine, also without a connection once the round was opened with one. */
export default function VisitScreen() {
  const { t } = useTranslation('visit')
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { me } = useSession()
  const visitId = oneOf(useAddressQuery(), 'visit')
  const storedVisit = useKept(visitId)
  const { data, error, refetch } = useQuery({
    queryKey: ['visit-plan', posId, me?.id ?? ''],
    queryFn: ({ signal }) => planOf(allMerchants, posId, me?.id ?? '', signal),
    // Without a connection the plan that is kept on the phone answers.
    networkMode: 'always',
    // What the user is filling in does not change under the thumb.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
  if (error && !data) return <RecordFailure error={error} retry={refetch} />
  if (!data || storedVisit === 'reading') return <ScreenSkeleton />
  const { plan } = data
  const place = plan.stop
    ? t('place', { position: plan.stop.position, stops: plan.stop.stops, name: plan.stop.roundName })
    : t('noRound')
  return (
    <RecordMerchant id={plan.merchantId}>
      <Box maw={640} mx="auto">
        <ScreenHeader title={plan.posName} subtitle={[place, plan.posSerial].join(' · ')} />
        <WaitingSteps />
        <VisitForm
          key={`${posId} ${visitId ?? ''}`}
          plan={plan}
          clockOffset={data.clockOffset}
          storedVisit={storedVisit}
        />
      </Box>
    </RecordMerchant>
  )
}

/** The refused visit that the address names, which is changed and sent again. */
function useKept(id: string | undefined): KeptVisit | undefined | 'reading' {
  const [storedVisit, setStoredVisit] = useState<KeptVisit | undefined | 'reading'>(id ? 'reading' : undefined)
  useEffect(() => {
    let isGone = false
    if (!id) return setStoredVisit(undefined)
    outbox.find(id).then(
      (step) => !isGone && setStoredVisit(step?.kind === 'visit' ? step : undefined),
      () => !isGone && setStoredVisit(undefined),
    )
    return () => {
      isGone = true
    }
  }, [id])
  return storedVisit
}
