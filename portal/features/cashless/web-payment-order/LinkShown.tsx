import { Button, Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { WebPaymentOrder } from '#contract/cashless/web-payment-order.ts'
import { useGo } from '#portal/app/go.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import classes from './WebPaymentOrder.module.css'

const QrCode = lazyPart(() => import('#portal/ui/value/QrCode.tsx'), [])

/** The payer's link, to copy or to scan. */
export function LinkShown({ order, close }: { order: WebPaymentOrder; close?: () => void }) {
  const { t } = useTranslation(['web-payment-order', 'ui'])
  const go = useGo()
  const { link, amount, currency, mediaSerial, description, id } = order
  if (!link) return null
  return (
    <Stack gap="md">
      <Text c="dimmed">
        <Amount minor={amount} currency={currency} /> · {mediaSerial ?? description}. {t('link.text')}
      </Text>
      <div className={classes.code}>
        <Part>
          <QrCode text={link} label={t('link.qr')} />
        </Part>
      </div>
      <CopyId value={link} />
      <Flex gap="near" wrap="wrap" justify="flex-end">
        <Button component="a" href={link} target="_blank" rel="noopener" variant="default">
          {t('link.open')}
        </Button>
        {close && (
          <Button
            onClick={() => {
              close()
              void go({
                to: '/transactions/webpayment-order-details/$webPaymentOrderId',
                params: { webPaymentOrderId: id },
              })
            }}
          >
            {t('link.order')}
          </Button>
        )}
      </Flex>
    </Stack>
  )
}
