import { Button, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type MediaFinding,
  type MediaOperation,
  type MediaReservation,
  mediaFindingColumns,
  mediaOperationColumns,
  mediaReservationColumns,
  medias,
  ordsOfMedia,
} from '#contract/cashless/media.ts'
import { mediaActs } from '#contract/cashless/media-acts.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { TransactionList } from '#portal/features/sales/transaction/TransactionList.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { RefundList } from '../refund/RefundList.tsx'
import { KeptRechargeActs } from './KeptRechargeActs.tsx'
import { reservationLooks } from './mediaLooks.ts'

const order = { ord: 'at', ordType: 'DESC' } as const
const useMediaId = () => (useParams({ strict: false }) as { mediaId: string }).mediaId

const operationColumns = recordColumns<MediaOperation>(mediaOperationColumns, ordsOfMedia, ({ t }: Say) => ({
  title: 'kind',
  aside: 'balance',
  lines: ['at', 'others', 'machine'],
  looks: {
    at: { isFixed: true },
    kind: {
      isFixed: undefined,
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
    others: {
      cell: ({ others }) =>
        [...new Set(others.map(({ account, serial }) => serial ?? t(`media:account.${account}`)))].join(', '),
    },
  },
}))

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

const reservationColumns = recordColumns<MediaReservation>(mediaReservationColumns, ordsOfMedia, ({ t }: Say) => ({
  title: 'purpose',
  aside: 'endedAt',
  lines: ['at', 'machine'],
  statuses: { reservationState: reservationLooks },
  looks: {
    at: { isFixed: true },
    purpose: {
      isFixed: undefined,
      label: ({ purpose }) => t(`media:purpose.${purpose}`),
      cell: ({ purpose }) => t(`media:purpose.${purpose}`),
    },
    amount: {
      number: ({ credit, bonus }) => credit + bonus,
      cell: ({ credit, bonus, currency }) => <Amount minor={credit + bonus} currency={currency} />,
    },
  },
}))

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

const findingColumns = (closed: (finding: MediaFinding) => ReactNode) =>
  recordColumns<MediaFinding>(mediaFindingColumns, ordsOfMedia, ({ t, format }: Say) => ({
    title: 'kind',
    aside: 'closed',
    lines: ['at', 'machine'],
    looks: {
      at: { isFixed: true },
      kind: {
        isFixed: undefined,
        label: ({ kind }) => t(`media:finding.${kind}`),
        cell: ({ kind, kept: recharge, currency }) => (
          <Stack component="span" gap={0}>
            <span>{t(`media:finding.${kind}`)}</span>
            {recharge && (
              <Text span c="dimmed" fz="sm">
                {t('media:kept.why', {
                  limit: t(`settings:field.${recharge.brokenLimit}.name`),
                  amount: format.money(recharge.allowed, currency),
                })}
              </Text>
            )}
          </Stack>
        ),
      },
      closed: { cell: closed },
    },
  }))

interface ClosedProps {
  finding: MediaFinding
  media: { merchantId: string; mediaId: string; serial: string }
  close: () => void
}

/** Who closed a finding, or what closes it. */
function FindingClosing({ finding, media, close }: ClosedProps) {
  const { t } = useTranslation('media')
  const { closedAt, closedBy, kept: recharge } = finding
  if (closedAt)
    return (
      <Stack component="span" gap={0}>
        <Badge tone="ok" mark="check">
          {closedBy ?? t('ui:provider')}
        </Badge>
        {recharge && (
          <Text span c="dimmed" fz="sm">
            {t(`kept.state.${recharge.state}`)}
          </Text>
        )}
        <When at={closedAt} />
      </Stack>
    )
  if (recharge) return <KeptRechargeActs finding={finding} media={media} />
  return (
    <Button variant="default" size="xs" onClick={close}>
      {t('finding.close')}
    </Button>
  )
}

/** What cannot be right about the medium. */
export function FindingsTab() {
  const mediaId = useMediaId()
  const { t } = useTranslation(['media', 'ui', 'settings'])
  const { id: merchantId } = useMerchant()
  const serial = useRecord(medias.getMedia, 'mediaId').data?.serial ?? ''
  const { mutate } = useCommand(mediaActs.closeMediaFinding, { says: 'media:finding.closed' })
  const columns = useMemo(
    () =>
      findingColumns((finding) => (
        <FindingClosing
          finding={finding}
          media={{ merchantId, mediaId, serial }}
          close={() => mutate({ params: { merchantId, mediaId, findingId: finding.id } })}
        />
      )),
    [mutate, merchantId, mediaId, serial],
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
