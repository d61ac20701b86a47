import { Flex } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditRow, auditColumns, auditOrds, audits } from '#contract/audits/audit.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { instantOf } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { isId, oneOf } from '#portal/app/search.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { AuditNowButton } from './AuditNowButton.tsx'
import { AuditValue } from './AuditValue.tsx'
import { ReadAt } from './ReadAt.tsx'
import { agreementLooks, intervalKindLooks } from './reconciliation/looks.ts'
import { ValueWithVends } from './reconciliation/ValueWithVends.tsx'
import { useAuditPlace } from './useAuditPlace.ts'
import { useOriginName } from './useOriginName.ts'

const AuditDrawer = lazyPart(() => import('./AuditDrawer.tsx'))

const nothing = { count: null, value: null }
const salesOf = (interval: AuditRow['interval']) => interval?.lines.find(({ name }) => name === 'sales')

/** An unknown currency has no amount. */
const currencyOf = ({ currency, merchantCurrency }: AuditRow) => currency ?? merchantCurrency

const money = (audit: AuditRow, minor: number | null) =>
  minor === null ? null : <Amount minor={minor} currency={currencyOf(audit)} />

/** The sales since the audit before, from one of two sides, or their difference. */
const side = (name: 'audited' | 'other' | 'difference') => ({
  number: undefined,
  unit: undefined,
  currencyOf: undefined,
  cell: ({ interval, merchantCurrency: currency }: AuditRow) => (
    <ValueWithVends
      of={salesOf(interval)?.[name] ?? nothing}
      currency={currency}
      isDifference={name === 'difference'}
    />
  ),
})

const columnsOf = (originName: (audit: AuditRow) => string, timeZone: string) =>
  recordColumns<AuditRow>(auditColumns, auditOrds, ({ t, format }: Say) => ({
    aside: 'difference',
    lines: ['origin', 'port'],
    hidden: ['vendsTotal', 'selectionsTotal', 'machineTime', 'size'],
    offCards: ['state', 'warnings', 'salesTotal'],
    looks: {
      readAt: {
        label: ({ readAt }) => {
          const at = instantOf(readAt)
          return at ? format.instant(at, 'minute', timeZone) : ''
        },
        cell: (audit) => <ReadAt audit={audit} />,
      },
      state: {
        cell: ({ interval }) =>
          interval && (
            <Flex component="span" gap="tight" wrap="wrap" display="inline-flex">
              {interval.from && <StatusBadge of={agreementLooks} value={interval.state} />}
              {interval.kind !== 'counted' && <StatusBadge of={intervalKindLooks} value={interval.kind} />}
            </Flex>
          ),
      },
      audited: side('audited'),
      transmitted: side('other'),
      difference: side('difference'),
      origin: { cell: originName },
      warnings: {
        number: undefined,
        cell: ({ warnings }) => (warnings > 0 ? <Badge tone="warn">{format.number(warnings)}</Badge> : null),
      },
      salesTotal: { currencyOf, cell: (audit) => <AuditValue value={money(audit, audit.salesTotal)} /> },
      vendsTotal: {
        cell: ({ vendsTotal }) => <AuditValue value={vendsTotal === null ? null : format.number(vendsTotal)} />,
      },
      selectionsTotal: {
        number: undefined,
        unit: undefined,
        cell: (audit) => <AuditValue value={money(audit, audit.selectionsTotal)} />,
      },
      machineTime: { cell: ({ machineTime }) => <AuditValue value={machineTime?.replace('T', ' ')} /> },
      size: {
        number: undefined,
        cell: ({ size }) => t('audit:bytes', { count: size, size: format.number(size) }),
      },
    },
  }))

/** The audits of a machine; the one named in the address is open beside them. */
export default function AuditsTab() {
  const { t } = useTranslation(['audit', 'reconciliation', 'vocabulary'])
  const merchant = useMerchant()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const addressId = oneOf(useAddressQuery(), 'audit')
  const opened = addressId && isId(addressId) ? addressId : undefined
  const { open, close } = useAuditPlace()
  const originName = useOriginName()
  const columns = useMemo(() => columnsOf(originName, merchant.timeZone), [originName, merchant.timeZone])
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
        <Part failed={(again) => <PartFailure again={again} close={close} />}>
          <AuditDrawer auditId={opened} posId={posId} close={close} />
        </Part>
      )}
    </>
  )
}
