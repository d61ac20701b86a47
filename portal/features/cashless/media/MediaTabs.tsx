import { Button, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type MediaFinding, type MediaOperation, type MediaReservation, medias } from '#contract/cashless/media.ts'
import { mediaActs } from '#contract/cashless/media-acts.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { TransactionList } from '#portal/features/sales/transaction/TransactionList.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import type { Column } from '#portal/ui/list/types.ts'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { RefundList } from '../refund/RefundList.tsx'
import { KeptRechargeActs } from './KeptRechargeActs.tsx'
import { reservationLooks } from './mediaLooks.ts'

const order = { ord: 'at', ordType: 'DESC' } as const
const useMediaId = () => (useParams({ strict: false }) as { mediaId: string }).mediaId

const machine = <T extends { posId: string | null; posName: string | null }>({ t }: Say): Column<T> => ({
  id: 'machine',
  name: t('media:column.machine'),
  card: 'line',
  cell: ({ posId, posName }) =>
    posId && <PlaceLink place={{ to: '/devices/$posId', params: { posId } }}>{posName}</PlaceLink>,
})
/** A column of minor units in the row's currency. */
const amount = <T extends { currency: Currency }>(
  id: string,
  name: string,
  of: (item: T) => number | null,
): Column<T> => ({
  id,
  name,
  align: 'end',
  number: of,
  unit: 'money',
  currencyOf: ({ currency }) => currency,
  cell: (item) => <Amount minor={of(item)} currency={item.currency} />,
})

const operationColumns = (say: Say): Column<MediaOperation>[] => {
  const { t } = say
  return [
    {
      id: 'at',
      name: t('media:column.at'),
      sort: true,
      isFixed: true,
      card: 'line',
      cell: ({ at }) => <When at={at} as="exact" />,
    },
    {
      id: 'kind',
      name: t('media:column.operation'),
      card: 'title',
      label: ({ kind }) => t(`media:operation.${kind}`),
      cell: ({ kind, note, by }) => (
        <Stack component="span" gap={0}>
          <strong>{t(`media:operation.${kind}`)}</strong>
          {(note || by) && (
            <Text span c="dimmed" fz="sm">
              {[note, by].filter(Boolean).join(' · ')}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'others',
      name: t('media:column.counterpart'),
      card: 'line',
      cell: ({ others }) =>
        [...new Set(others.map(({ account, serial }) => serial ?? t(`media:account.${account}`)))].join(', '),
    },
    machine(say),
    amount<MediaOperation>('credit', t('media:field.cloudCredit'), ({ credit }) => credit),
    amount<MediaOperation>('bonus', t('media:field.bonusCredit'), ({ bonus }) => bonus),
    {
      ...amount<MediaOperation>('balance', t('media:column.balance'), ({ balance }) => balance),
      card: 'aside',
    },
  ]
}

/** The statement: where each cent came from and went to. */
export function StatementTab() {
  const mediaId = useMediaId()
  const { t } = useTranslation('media')
  return (
    <ListScreen
      id="mediaOperations"
      title={t('statement.title')}
      empty={{ title: t('statement.empty'), text: t('statement.emptyText') }}
      isEmbedded
      row={medias.listMediaOperations}
      params={{ mediaId }}
      columns={operationColumns}
      order={order}
    />
  )
}

const reservationColumns = (say: Say): Column<MediaReservation>[] => {
  const { t } = say
  return [
    {
      id: 'at',
      name: t('media:column.reserved'),
      sort: true,
      isFixed: true,
      card: 'line',
      cell: ({ createdAt }) => <When at={createdAt} as="exact" />,
    },
    {
      id: 'purpose',
      name: t('media:column.purpose'),
      card: 'title',
      label: ({ purpose }) => t(`media:purpose.${purpose}`),
      cell: ({ purpose }) => t(`media:purpose.${purpose}`),
    },
    {
      id: 'state',
      name: t('media:field.status'),
      card: 'badge',
      cell: ({ state }) => <StatusBadge of={reservationLooks} value={state} />,
    },
    machine(say),
    amount<MediaReservation>('amount', t('media:column.amount'), ({ credit, bonus }) => credit + bonus),
    amount<MediaReservation>('settled', t('media:column.settled'), ({ settled }) => settled),
    { id: 'expiresAt', name: t('media:column.expires'), cell: ({ expiresAt }) => <When at={expiresAt} as="exact" /> },
    {
      id: 'endedAt',
      name: t('media:column.ended'),
      card: 'aside',
      cell: ({ endedAt }) => endedAt && <When at={endedAt} as="exact" />,
    },
  ]
}

/** What machines hold or held of the medium. */
export function ReservationsTab() {
  const mediaId = useMediaId()
  const { t } = useTranslation('media')
  return (
    <ListScreen
      id="mediaReservations"
      title={t('reservations.title')}
      empty={{ title: t('reservations.empty'), text: t('reservations.emptyText') }}
      isEmbedded
      row={medias.listMediaReservations}
      params={{ mediaId }}
      columns={reservationColumns}
      order={order}
    />
  )
}

const toneOf = ({ closedAt }: MediaFinding) => (closedAt === null ? 'warn' : undefined)

/** What cannot be right about the medium. */
export function FindingsTab() {
  const mediaId = useMediaId()
  const { t } = useTranslation(['media', 'ui', 'settings'])
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const serial = useRecord(medias.getMedia, 'mediaId').data?.serial ?? ''
  const { mutate } = useCommand(mediaActs.closeMediaFinding, { says: 'media:finding.closed' })
  const columns = useMemo(
    () =>
      (say: Say): Column<MediaFinding>[] => [
        {
          id: 'at',
          name: t('media:column.at'),
          sort: true,
          isFixed: true,
          card: 'line',
          cell: ({ at }) => <When at={at} as="exact" />,
        },
        {
          id: 'kind',
          name: t('media:column.finding'),
          card: 'title',
          label: ({ kind }) => t(`media:finding.${kind}`),
          cell: ({ kind, kept, currency }) => (
            <Stack component="span" gap={0}>
              <span>{t(`media:finding.${kind}`)}</span>
              {kept && (
                <Text span c="dimmed" fz="sm">
                  {t('media:kept.why', {
                    limit: t(`settings:field.${kept.brokenLimit}.name`),
                    amount: format.money(kept.allowed, currency),
                  })}
                </Text>
              )}
            </Stack>
          ),
        },
        machine(say),
        amount<MediaFinding>('amount', t('media:column.amount'), ({ amount: minor }) => minor),
        {
          id: 'closed',
          name: t('media:column.closed'),
          card: 'aside',
          cell: (finding) => {
            const { id, closedAt, closedBy, kept } = finding
            if (closedAt)
              return (
                <Stack component="span" gap={0}>
                  <Badge tone="ok" mark="check">
                    {closedBy ?? t('ui:provider')}
                  </Badge>
                  {kept && (
                    <Text span c="dimmed" fz="sm">
                      {t(`media:kept.state.${kept.state}`)}
                    </Text>
                  )}
                  <When at={closedAt} />
                </Stack>
              )
            return kept ? (
              <KeptRechargeActs finding={finding} media={{ merchantId, mediaId, serial }} />
            ) : (
              <Button
                variant="default"
                size="xs"
                onClick={() => mutate({ params: { merchantId, mediaId, findingId: id } })}
              >
                {t('media:finding.close')}
              </Button>
            )
          },
        },
      ],
    [t, mutate, merchantId, mediaId, serial, format],
  )
  return (
    <ListScreen
      id="mediaFindings"
      title={t('media:findings.title')}
      empty={{ title: t('media:findings.empty'), text: t('media:findings.emptyText') }}
      isEmbedded
      row={medias.listMediaFindings}
      params={{ mediaId }}
      columns={columns}
      order={order}
      toneOf={toneOf}
    />
  )
}

/** The medium's transactions at machines of the reader's groups. */
export function TransactionsTab() {
  return <TransactionList mediaId={useMediaId()} />
}

export function RefundsTab() {
  return <RefundList mediaId={useMediaId()} />
}
