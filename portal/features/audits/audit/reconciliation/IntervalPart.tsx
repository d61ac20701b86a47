import { Flex, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditReconciliation } from '#contract/audits/reconciliation.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { agreementLooks, intervalKindLooks } from './looks.ts'
import { type AuditPlace, useReconciliation } from './useReconciliation.ts'

interface Props {
  place: AuditPlace
  children: (reconciliation: AuditReconciliation) => ReactNode
}

/** The head of both parts: the kind of interval, its start and end, and whether it matches. */
export function IntervalPart({ place, children }: Props) {
  const { t } = useTranslation('reconciliation')
  const answer = useReconciliation(place)
  const { timeZone } = useMerchantOf(place.merchantId)
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!answer.data)
    return (
      <Stack gap="sm" aria-busy="true">
        <Panel component="span" h={120} />
        <Panel component="span" h={120} />
      </Stack>
    )
  const { kind, state, from, to } = answer.data.interval
  return (
    <>
      <Flex component="p" rowGap="snug" columnGap="xs" wrap="wrap" align="center" mb="sm" c="dimmed">
        <StatusBadge of={intervalKindLooks} value={kind} />
        {from && <StatusBadge of={agreementLooks} value={state} />}
        {from ? (
          <span>
            <When at={from} as="minute" timeZone={timeZone} /> – <When at={to} as="minute" timeZone={timeZone} />
          </span>
        ) : null}
        <span>{t(`kindSays.${kind}`)}</span>
      </Flex>
      {children(answer.data)}
    </>
  )
}
