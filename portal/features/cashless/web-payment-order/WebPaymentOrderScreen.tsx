import { Button, SimpleGrid, Text } from '@mantine/core'
import { IconLink, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type WebPaymentOrder, type WebPaymentReport, webPaymentOrders } from '#contract/cashless/web-payment-order.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { isFinding, webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { Note } from '#portal/ui/page/Note.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { LinkShown } from './LinkShown.tsx'
import { orderLooks, resultOf } from './orderLooks.ts'
import classes from './WebPaymentOrder.module.css'

/** A kept recharge is a finding of its own. */
const refusedReports = ({ findings, kept: recharge }: WebPaymentOrder) => findings - (recharge ? 1 : 0)

/** A web payment order: what was sent, what was answered, and what the provider reported. */
export default function WebPaymentOrderScreen() {
  const { t } = useTranslation(['web-payment-order', 'vocabulary'])
  const answer = useRecord(webPaymentOrders.getWebPaymentOrder, 'webPaymentOrderId')
  const order = answer.data
  return (
    <DetailScreen
      query={answer}
      merchantId={order?.merchantId}
      title={order && `${t(`vocabulary:webPaymentKind.${order.kind}`)} · ${order.mediaSerial ?? order.description}`}
      aside={order && <StatusBadge of={orderLooks} value={resultOf(order)} />}
      subtitle={
        order && (
          <>
            <Amount minor={order.amount} currency={order.currency} /> · {order.serviceName} ·{' '}
            <When at={order.createdAt} as="exact" timeZone={order.timeZone} />
          </>
        )
      }
      actions={order && <Actions order={order} />}
      banner={
        order && (order.kept === 'open' || refusedReports(order) > 0) ? (
          <Note tone="crit" mb="part" py="xs" px="part" bdrs="lg" fz="inherit" role="status">
            {order.kept === 'open' && (
              <>
                {t('kept.open')}{' '}
                {order.mediaId && (
                  <PlaceLink
                    place={{ to: '/customers-medias/medias/$mediaId/findings', params: { mediaId: order.mediaId } }}
                  >
                    {t('kept.findings')}
                  </PlaceLink>
                )}{' '}
              </>
            )}
            {refusedReports(order) > 0 && t('finding', { count: refusedReports(order) })}
          </Note>
        ) : undefined
      }
    >
      {order && (
        <SimpleGrid minColWidth="min(440px, 100%)" autoFlow="auto-fit" spacing="part" style={{ alignItems: 'start' }}>
          <OrderCard order={order} />
          <ReportsCard order={order} />
          <DetailsCard title={t('part.request')} details={order.request} />
          <DetailsCard title={t('part.response')} details={order.response} />
        </SimpleGrid>
      )}
    </DetailScreen>
  )
}

function Actions({ order }: { order: WebPaymentOrder }) {
  const { t } = useTranslation(['web-payment-order', 'ui'])
  const [isShown, setShown] = useState(false)
  const mayQuery = useMay(webPaymentOrders.queryWebPayment)
  const query = useCommand(webPaymentOrders.queryWebPayment, { says: 'web-payment-order:queried' })
  const { id: webPaymentOrderId, merchantId, link } = order
  return (
    <>
      {mayQuery && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={15} aria-hidden />}
          loading={query.isPending}
          onClick={() => query.mutate({ params: { merchantId, webPaymentOrderId } })}
        >
          {t('query')}
        </Button>
      )}
      {link && (
        <Button leftSection={<IconLink size={15} aria-hidden />} onClick={() => setShown(true)}>
          {t('link.show')}
        </Button>
      )}
      {isShown && (
        <Dialog
          onClose={() => setShown(false)}
          size="md"
          title={t('link.shown')}
          closeButtonProps={{ 'aria-label': t('ui:close') }}
        >
          <LinkShown order={order} />
        </Dialog>
      )}
    </>
  )
}

function OrderCard({ order }: { order: WebPaymentOrder }) {
  const { t } = useTranslation(['web-payment-order', 'vocabulary', 'ui'])
  const { currency, timeZone, reason, reversedAmount, unpaid } = order
  const money = (minor: number) => <Amount minor={minor} currency={currency} />
  const at = (instant: string | null) => instant && <When at={instant} as="exact" timeZone={timeZone} />
  const facts = [
    { name: t('column.kind'), value: t(`vocabulary:webPaymentKind.${order.kind}`) },
    { name: t('column.amount'), value: money(order.amount) },
    { name: t('column.media'), value: order.mediaSerial && <CopyId value={order.mediaSerial} /> },
    ...(order.description ? [{ name: t('column.description'), value: order.description }] : []),
    {
      name: t('column.service'),
      value: `${order.serviceName} (${nameOf(webPaymentTypes, order.serviceType)})`,
    },
    ...(reason ? [{ name: t('column.reason'), value: t(`vocabulary:webPaymentReason.${reason}`) }] : []),
    ...(reversedAmount > 0 ? [{ name: t('column.reversed'), value: money(reversedAmount) }] : []),
    ...(order.kept && order.kept !== 'open' ? [{ name: t('kept.name'), value: t(`kept.${order.kept}`) }] : []),
    ...(unpaid > 0 ? [{ name: t('fact.unpaid'), value: money(unpaid) }] : []),
    { name: t('column.transaction'), value: order.transactionNumber && <CopyId value={order.transactionNumber} /> },
    {
      name: t('fact.reference'),
      value: (
        <Text span ff="monospace" fz="fine" className="breaks">
          {order.reference}
        </Text>
      ),
    },
    { name: t('column.processed'), value: at(order.processedAt) },
    ...(order.result === 0 ? [{ name: t('fact.expires'), value: at(order.expiresAt) }] : []),
    { name: t('fact.createdBy'), value: order.createdBy ?? t('ui:provider') },
  ]
  return (
    <Card title={t('part.order')}>
      <Facts facts={facts} />
    </Card>
  )
}

function ReportsCard({ order: { reports, currency, timeZone } }: { order: WebPaymentOrder }) {
  const { t } = useTranslation('web-payment-order')
  return (
    <Card title={t('part.reports')} isFlush>
      {reports.length === 0 && (
        <Text py="part" px="md" c="dimmed">
          {t('noReports')}
        </Text>
      )}
      {reports.map((report) => (
        <Report key={report.id} report={report} currency={currency} timeZone={timeZone} />
      ))}
    </Card>
  )
}

function Report({ report, currency, timeZone }: { report: WebPaymentReport; currency: Currency; timeZone: string }) {
  const { t } = useTranslation('web-payment-order')
  const { source, state, verdict, amount, times } = report
  return (
    <div className={`${classes.report} ruled`} data-finding={isFinding(verdict)}>
      <Text span fw={550} className={classes.said}>
        {t(`verdict.${verdict}`)}
      </Text>
      <When at={report.lastAt} timeZone={timeZone} />
      <Text span c="dimmed" fz="fine">
        {t(`source.${source}`)} · {t(`state.${state}`)}
        {report.currency !== null && report.currency !== currency && ` · ${report.currency}`}
        {times > 1 && ` · ${t('times', { count: times })}`}
      </Text>
      <Text span c="dimmed" fz="fine">
        {amount !== null && (report.currency ?? currency) === currency && <Amount minor={amount} currency={currency} />}
      </Text>
    </div>
  )
}

/** Names and values as the provider writes them. */
function DetailsCard({ title, details }: { title: string; details: WebPaymentOrder['request'] }) {
  const { t } = useTranslation('web-payment-order')
  const facts = Object.entries(details).map(([name, value]) => ({
    name,
    value:
      value === null ? null : (
        <Text span ff="monospace" fz="fine" className="breaks">
          {String(value)}
        </Text>
      ),
  }))
  return (
    <Card title={title}>
      {facts.length === 0 ? <Text c="dimmed">{t('nothingYet')}</Text> : <Facts facts={facts} />}
    </Card>
  )
}
