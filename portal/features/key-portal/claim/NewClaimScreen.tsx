import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Machine, machines } from '#contract/machines/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { idOf } from '#portal/app/search.ts'
import { FindOne } from '#portal/ui/form/choices/FindSelect.tsx'
import { formWidth } from '#portal/ui/form/FormScreen.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { NewClaimForm } from './NewClaimForm.tsx'

/** Opens a claim for a caller: the machine first, then the vend that its log has at that moment. */
export default function NewClaimScreen() {
  const { t } = useTranslation(['claim', 'shell'])
  const [posId, setPos] = useState(idOf(useAddressQuery(), 'machine'))
  const { data, error, refetch } = useQuery({
    ...queryOf(machines.getMachine, { params: { merchantId: allMerchants, posId: posId ?? '' } }),
    enabled: posId !== undefined,
  })
  const machine: Machine | undefined = posId === undefined ? undefined : data
  return (
    <>
      <ScreenHeader title={t('shell:screens.newClaim')} subtitle={t('claim:new.about')} />
      <Stack gap="md" maw={formWidth}>
        <FindOne
          row={machines.listMachines}
          label={t('claim:field.machine')}
          value={machine ? { value: machine.id, label: machine.name } : null}
          choose={(one) => setPos(one?.value)}
          required
          isFirst={posId === undefined}
        />
        {error && !data ? (
          <ErrorState error={error} retry={refetch} isSmall />
        ) : machine ? (
          <RecordMerchant id={machine.merchantId}>
            <NewClaimForm key={machine.id} machine={machine} />
          </RecordMerchant>
        ) : (
          <Box mih={420} />
        )}
      </Stack>
    </>
  )
}
