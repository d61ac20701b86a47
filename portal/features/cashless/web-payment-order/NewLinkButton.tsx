import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { webPaymentConfigs } from '#contract/cashless/web-payment-config.ts'
import { type WebPaymentOrder, webPaymentOrders } from '#contract/cashless/web-payment-order.ts'
import { type WebPaymentKind, webPaymentKinds } from '#contract/vocabulary/web-payment.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { LinkShown } from './LinkShown.tsx'
import { NewLinkForm } from './NewLinkForm.tsx'

/** Creates a link with which a payer recharges a medium or pays for something else. */
export function NewLinkButton() {
  const { t } = useTranslation('web-payment-order')
  const { isAll } = useMerchant()
  const mayStart = useMay(webPaymentOrders.startWebPayment)
  const [isOpen, setOpen] = useState(false)
  if (isAll || !mayStart) return null
  return (
    <>
      <Button leftSection={<IconLink size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('link.create')}
      </Button>
      {isOpen && <NewLinkDialog close={() => setOpen(false)} />}
    </>
  )
}

function NewLinkDialog({ close }: { close: () => void }) {
  const { t } = useTranslation(['web-payment-order', 'vocabulary', 'ui'])
  const { id: merchantId } = useMerchant()
  const [kind, setKind] = useState<WebPaymentKind>('recharge')
  const [made, setMade] = useState<WebPaymentOrder>()
  const { data, error, refetch } = useQuery(
    queryOf(webPaymentConfigs.listWebPaymentChoices, { params: { merchantId } }),
  )
  return (
    <Dialog
      onClose={close}
      size="md"
      title={t(made ? 'link.shown' : 'link.create')}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      {made ? (
        <LinkShown order={made} close={close} />
      ) : error && !data ? (
        <ErrorState error={error} retry={refetch} isSmall />
      ) : data?.length === 0 ? (
        <Text c="dimmed">{t('link.noService')}</Text>
      ) : (
        data && (
          <Stack gap="md">
            <SegmentedControl
              fullWidth
              aria-label={t('column.kind')}
              value={kind}
              onChange={(value) => setKind(value as WebPaymentKind)}
              data={webPaymentKinds.map((value) => ({ value, label: t(`vocabulary:webPaymentKind.${value}`) }))}
            />
            <NewLinkForm key={kind} kind={kind} services={data} done={setMade} cancel={close} />
          </Stack>
        )
      )}
    </Dialog>
  )
}
