import { Box, Button, Flex, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MachineRow } from '#contract/machines/machine.ts'
import { transactions } from '#contract/sales/transaction.ts'
import { chargedForFailure } from '#domain/sales/sale.ts'
import { queryOf } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { RefundSaleButton } from '../transaction/RefundSaleButton.tsx'
import { useCodeNames } from '../transaction/useCodeNames.ts'
import { failedVendsOf } from './failedVendsOf.ts'

/** The last failed vend of a machine, and its refund: what the palette opens. */
export default function RefundLastVend({ machine, close }: { machine: MachineRow; close: () => void }) {
  const { t } = useTranslation(['transaction', 'ui'])
  const names = useCodeNames()
  const { data, error, refetch } = useQuery(queryOf(transactions.listTransactions, failedVendsOf(machine, 1)))
  const sale = data?.items[0]
  return (
    <Dialog onClose={close} title={t('transaction:failed.last', { machine: machine.name })}>
      <Stack gap="md">
        {error && !data ? (
          <ErrorState error={error} retry={refetch} isSmall />
        ) : data && !sale ? (
          <Text c="dimmed">{t('transaction:failed.none')}</Text>
        ) : (
          <Box mih={108} aria-busy={!data}>
            {sale && (
              <Facts
                facts={[
                  { name: t('transaction:column.product'), value: sale.product ?? names.type(sale.type) },
                  {
                    name: t('transaction:fact.happened'),
                    value: <When at={sale.createdAt} as="minute" timeZone={sale.timeZone} />,
                  },
                  {
                    name: t('transaction:fact.failedCharge'),
                    value: <Amount minor={chargedForFailure(sale)} currency={sale.currency} />,
                  },
                  {
                    name: t('transaction:fact.paidWith'),
                    value: [names.mediaType(sale.paidWith), sale.mediaSerial].filter(Boolean).join(' · '),
                  },
                ]}
              />
            )}
          </Box>
        )}
        <Flex gap="sm" wrap="wrap" justify="flex-end" align="center">
          <Button variant="default" onClick={close}>
            {t('ui:close')}
          </Button>
          {sale && <RefundSaleButton sale={sale} size="sm" onDone={close} />}
        </Flex>
      </Stack>
    </Dialog>
  )
}
