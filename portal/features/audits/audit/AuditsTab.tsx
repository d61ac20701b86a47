import { Flex } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditRow, audits } from '#contract/audits/audit.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { isId, oneOf } from '#portal/app/search.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { lazyPart, Missing, Part } from '#portal/ui/page/lazyPart.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { crcLooks } from '#portal/ui/value/looks.ts'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { AuditNowButton } from './AuditNowButton.tsx'
import { ReadAt } from './ReadAt.tsx'
import { Reported } from './Reported.tsx'
import { Both } from './reconciliation/Both.tsx'
import { agreementLooks, intervalKindLooks } from './reconciliation/looks.ts'
import { useAuditPlace } from './useAuditPlace.ts'
import { useOriginName } from './useOriginName.ts'

const AuditDrawer = lazyPart(() => import('./AuditDrawer.tsx'))

/** The audits of a machine; the one named in the address is open beside them. */
export default function AuditsTab() {
  const { t } = useTranslation(['audit', 'reconciliation', 'vocabulary'])
  const format = useFormat()
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const asked = oneOf(useAddressQuery(), 'audit')
  const opened = asked && isId(asked) ? asked : undefined
  const { open, close } = useAuditPlace()
  const originName = useOriginName()

  const columns = useMemo(
    (): Column<AuditRow>[] => [
      {
        id: 'readAt',
        name: t('audit:column.readAt'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ readAt }) => {
          const at = instantOf(readAt)
          return at ? format.instant(at, 'minute', merchant.timeZone) : ''
        },
        cell: (audit) => <ReadAt audit={audit} />,
      },
      {
        id: 'state',
        name: t('reconciliation:column.state'),
        card: 'none',
        cell: ({ interval }) =>
          interval && (
            <Flex component="span" gap="tight" wrap="wrap" display="inline-flex">
              {interval.from && <StatusBadge of={agreementLooks} value={interval.state} />}
              {interval.kind !== 'counted' && <StatusBadge of={intervalKindLooks} value={interval.kind} />}
            </Flex>
          ),
      },
      ...(['audited', 'other', 'difference'] as const).map(
        (side): Column<AuditRow> => ({
          id: `interval.${side}`,
          name: t(`reconciliation:column.${side === 'other' ? 'transmitted' : side}`),
          align: 'end',
          card: side === 'difference' ? 'aside' : undefined,
          cell: ({ interval, merchantCurrency: currency }) => (
            <Both of={salesOf(interval)?.[side] ?? nothing} currency={currency} isDifference={side === 'difference'} />
          ),
        }),
      ),
      {
        id: 'origin',
        name: t('audit:column.origin'),
        card: 'line',
        cell: originName,
      },
      {
        id: 'port',
        name: t('audit:column.port'),
        card: 'line',
        cell: ({ port }) => t(`vocabulary:auditPort.${port}`),
      },
      {
        id: 'crc',
        name: t('audit:column.crc'),
        card: 'badge',
        cell: ({ crc }) => <StatusBadge of={crcLooks} value={crc} />,
      },
      {
        id: 'warnings',
        name: t('audit:column.warnings'),
        align: 'end',
        card: 'none',
        cell: ({ warnings }) => (warnings > 0 ? <Badge tone="warn">{format.number(warnings)}</Badge> : null),
      },
      {
        id: 'salesTotal',
        name: t('audit:column.salesTotal'),
        sort: true,
        align: 'end',
        card: 'none',
        number: ({ salesTotal }) => salesTotal,
        unit: 'money',
        currencyOf,
        cell: (audit) => <Reported value={money(audit, audit.salesTotal)} />,
      },
      {
        id: 'vendsTotal',
        name: t('audit:column.vendsTotal'),
        isHidden: true,
        card: 'none',
        align: 'end',
        number: ({ vendsTotal }) => vendsTotal,
        cell: ({ vendsTotal }) => <Reported value={vendsTotal === null ? null : format.number(vendsTotal)} />,
      },
      {
        id: 'selectionsTotal',
        name: t('audit:column.selectionsTotal'),
        isHidden: true,
        align: 'end',
        card: 'none',
        cell: (audit) => <Reported value={money(audit, audit.selectionsTotal)} />,
      },
      {
        id: 'machineTime',
        name: t('audit:column.machineTime'),
        isHidden: true,
        card: 'none',
        cell: ({ machineTime }) => <Reported value={machineTime?.replace('T', ' ')} />,
      },
      {
        id: 'size',
        name: t('audit:column.size'),
        isHidden: true,
        sort: true,
        align: 'end',
        card: 'none',
        cell: ({ size }) => t('audit:bytes', { count: size, size: format.number(size) }),
      },
    ],
    [t, format, merchant.timeZone, originName],
  )
  return (
    <>
      <ListScreen
        id="audits"
        title={t('audit:title')}
        isEmbedded
        exports="audits"
        row={audits.listAudits}
        params={{ posId }}
        columns={columns}
        order={{ ord: 'readAt', ordType: 'DESC' }}
        onOpen={(audit) => open(audit.id)}
        empty={{
          title: t('audit:empty.title'),
          text: t('audit:empty.text'),
          action: <AuditNowButton posId={posId} variant="filled" />,
        }}
      />
      {opened && (
        <Part failed={(again) => <Missing again={again} close={close} />}>
          <AuditDrawer auditId={opened} posId={posId} close={close} />
        </Part>
      )}
    </>
  )
}

const nothing = { count: null, value: null }
const salesOf = (interval: AuditRow['interval']) => interval?.lines.find(({ name }) => name === 'sales')

/** An unknown currency has no amount. */
const currencyOf = ({ currency, merchantCurrency }: AuditRow) => currency ?? merchantCurrency

const money = (audit: AuditRow, minor: number | null) =>
  minor === null ? null : <Amount minor={minor} currency={currencyOf(audit)} />
