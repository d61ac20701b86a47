import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineCode, machinePages } from '#contract/key-portal/machine-page.ts'
import { machines } from '#contract/machines/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { RecordFailure } from '#portal/ui/page/Missing.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placeOfMachine } from './places.ts'

/** The target of a machine's QR code: the machine's page, at any of the user's merchants. */
export default function CodeScreen() {
  const { t } = useTranslation(['machine-act', 'shell'])
  const { serial: code } = useParams({ strict: false }) as { serial: string }
  const isCode = MachineCode.safeParse(code).success
  const query = useAddressQuery()
  const byCode = useQuery({ ...queryOf(machinePages.findMachineByCode, { params: { code } }), enabled: isCode })
  // A serial may look like a code.
  const serial = byCode.data?.serial ?? code
  const { data, error, refetch } = useQuery({
    ...queryOf(machines.listMachines, {
      params: { merchantId: allMerchants },
      query: { serial: serial.slice(0, 60), hidden: 'all', size: 1 },
      isWhole: true,
    }),
    enabled: !isCode || !byCode.isPending,
  })
  // A user of another merchant is a customer at this machine. The server leads back where it has no public page.
  const isElsewhere = isCode && data?.items.length === 0 && !('customer' in query)
  useEffect(() => {
    if (isElsewhere) window.location.replace(`/m/${code}?customer`)
  }, [isElsewhere, code])
  if (error && !data) return <RecordFailure error={error} retry={refetch} />
  if (!data || isElsewhere) return <ScreenSkeleton />
  const [machine] = data.items
  if (machine) {
    return <Navigate {...(placeOfMachine(machine) as { to: string })} replace />
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
