import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '../../app/api.ts'
import { ScreenSkeleton } from '../../app/shell/ScreenSkeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/ErrorState.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { ScreenHeader } from '../../ui/ScreenHeader.tsx'
import { placeOfMachine } from './places.ts'

/** Where the code on a machine leads: to the machine's page, whichever of the reader's merchants has it. */
export default function CodeScreen() {
  const { t } = useTranslation(['machine-act', 'shell'])
  const { serial } = useParams({ strict: false }) as { serial: string }
  const { data, error, refetch } = useQuery(
    queryOf(machines.listMachines, {
      params: { merchantId: allMerchants },
      query: { serial: serial.slice(0, 60), hidden: 'all', size: 1 },
      isWhole: true,
    }),
  )
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  const [machine] = data.items
  if (machine) {
    const { to, params, search } = placeOfMachine(machine)
    return <Navigate to={to} params={params as never} search={search as never} replace />
  }
  return (
    <>
      <ScreenHeader title={t('shell:screens.machine')} />
      <EmptyState title={t('code.unknown', { serial })} text={t('code.text')}>
        <Button<typeof PlaceLink> component={PlaceLink} place={{ to: '/devices/list' }}>
          {t('missing.list')}
        </Button>
      </EmptyState>
    </>
  )
}
